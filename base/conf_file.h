/* Files of `name = value` lines, as the person's settings, keys and themes are: a # at the beginning of a line is a
 * comment. A mistake is told with file and line, and the rest is read all the same. */
#ifndef BASE_CONF_FILE_H
#define BASE_CONF_FILE_H

#include <stdbool.h>

#include "base/err.h"

/* A line, without blanks around its two parts; `value` is "" where there is no '='. False with what is wrong with it.
 */
typedef bool conf_line_handler(void *ctx, char *name, char *value, struct err *e);
/* Told "FILE:LINE: what is wrong; the mend". */
typedef void conf_error_handler(void *ctx, const char *line);

void conf_log_error(void *ctx, const char *line); /* a warning in the log */

/* False when there is no such file; one that cannot be read is a mistake. */
bool conf_read(const char *path, conf_line_handler *take, void *ctx, conf_error_handler *bad, void *bad_ctx);

#endif
