/* A folder of captured launches as the software GPU leaves it (PID-NUMBER.launch and their code objects), brought into
 * the layout of a capture file, with a description and the sources. */
#ifndef CAPTURES_CAPTURE_FOLDER_H
#define CAPTURES_CAPTURE_FOLDER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* Moves launches to launches/ and code objects to code/, and copies the sources that their line tables name to
 * sources/. `command` is the program with its arguments, up to NULL. The description, which the caller owns; NULL with
 * an error. */
json_t *capture_folder_describe(const char *folder, char *const *command, bool with_sources, struct err *e);
/* Writes it as capture.json (docs/capture.md). */
bool capture_folder_write(const char *folder, const json_t *capture, struct err *e);
/* What is inside, in one line: "5 kernels, 7 launches, 3 source files, 12.5 MiB of the program's memory". */
char *capture_format_summary(const json_t *capture, char *out, size_t size);

#endif
