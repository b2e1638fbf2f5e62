/* A capture file, unpacked, with an experiment for each kernel. It is unpacked once, to the user's cache. */
#ifndef CAPTURES_CAPTURE_FILE_H
#define CAPTURES_CAPTURE_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

struct opened_capture {
	char *folder;    /* the files, and ID.lua for each kernel that can run again */
	json_t *capture; /* capture.json */
};
/* False with an error; capture_close. */
bool capture_open(const char *file, struct opened_capture *out, struct err *e);
void capture_close(struct opened_capture *c);

/* "app.wbc", or "app.wbc:sum_rows" for one of its kernels. */
bool capture_is_named(const char *word);
/* The definition of the experiment that the word names, without a kernel that of the slowest launch, and the device
 * that it ran on ("soft:mi25"), if `device` is not NULL. The caller frees both. NULL with an error, which names the
 * kernels. */
char *capture_find_definition(const char *word, char **device, struct err *e);
/* The definitions of all kernels of the capture that a definition is of, the slowest first: their number, 0 if it is of
 * no capture. The caller frees each and the list. */
int capture_list_definitions(const char *definition, char ***list);

#endif
