/* `new` for `wavedeck FILE.hip`. */
#ifndef CLI_OWN_COMMAND_NEW_H
#define CLI_OWN_COMMAND_NEW_H

#include "base/err.h"

/* Writes the experiment file next to the source. `kernel` NULL: its only kernel; `output` NULL: named after the kernel.
 * Returns the path, which the caller frees, or NULL with an error. */
char *new_experiment_write(const char *source, const char *kernel, const char *output, struct err *e);

#endif
