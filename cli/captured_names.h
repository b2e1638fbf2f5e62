/* Captures on the command line: a word that names one of their kernels, and the list of them. */
#ifndef CLI_CAPTURED_NAMES_H
#define CLI_CAPTURED_NAMES_H

#include "cli/cli_support.h"

/* If the first word names a kernel of a capture ("app.wbc:sum"), replaces it by the definition of its experiment, and
 * *device by the device of the capture, unless there is one. False with an error. */
bool command_resolve_capture(struct argument_list *words, const char **device, struct err *e);
/* Prints its kernels, the slowest first. */
bool command_list_capture(const char *file, bool json, struct err *e);

#endif
