/* Files of `name = value` lines: settings, key bindings, themes. A line that begins with # is a comment. A mistake is
 * reported with its file and line, and the other lines are still read. */
#ifndef BASE_CONF_FILE_H
#define BASE_CONF_FILE_H

#include <stdbool.h>

#include "base/err.h"

/* Handles one line, without spaces around its parts; `value` is "" if it has no '='. False with the error. */
typedef bool conf_line_handler(void *ctx, char *name, char *value, struct err *e);
/* Gets "FILE:LINE: problem; how to fix it". */
typedef void conf_error_handler(void *ctx, const char *line);

void conf_log_error(void *ctx, const char *line); /* writes a warning to the log */

/* False if the file does not exist. A file that cannot be read is reported as a mistake. */
bool conf_read(const char *path, conf_line_handler *take, void *ctx, conf_error_handler *bad, void *bad_ctx);

#endif
