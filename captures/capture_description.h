/* Checks capture.json of a file that anybody may have made, before anything in it is used. */
#ifndef CAPTURES_CAPTURE_DESCRIPTION_H
#define CAPTURES_CAPTURE_DESCRIPTION_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* Whether each member that is read has its type and range, and names of files are those of a capture's layout.
 * `file` is for the error. */
bool capture_check_description(const char *file, const json_t *capture, struct err *e);

#endif
