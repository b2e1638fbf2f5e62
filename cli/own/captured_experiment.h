/* `new` for a kernel of a capture. */
#ifndef CLI_OWN_CAPTURED_EXPERIMENT_H
#define CLI_OWN_CAPTURED_EXPERIMENT_H

#include "base/err.h"

/* Writes a new folder with the captured launches, their code and sources, and the experiment file of one kernel, which
 * may be edited. `kernel` NULL: that of the slowest launch; `folder` NULL: named after the kernel. Returns the path of
 * the experiment file, which the caller frees, or NULL with an error. */
char *captured_experiment_write(const char *file, const char *kernel, const char *folder, struct err *e);

#endif
