/* A person's own copy of an experiment's kernel: $XDG_DATA_HOME/wavedeck/edited/EXPERIMENT/ has the definition and the
 * kernel, which is found there before the project's. The original is never touched. */
#ifndef EXPERIMENTS_DEFINITION_KERNEL_COPY_H
#define EXPERIMENTS_DEFINITION_KERNEL_COPY_H

#include "experiments/definition/experiment.h"

struct kernel_copy {
	char *folder, *definition, *kernel;
}; /* paths, owned */

/* Copies the definition anew, and the kernel that a point with these values launches where there is no copy yet. */
bool kernel_copy_prepare(struct experiment *x, const double *values, struct kernel_copy *out, struct err *e);
void kernel_copy_free(struct kernel_copy *d);
/* $VISUAL, else $EDITOR, else vi, on the copy; waits for its end. The terminal is the caller's to lend. */
bool kernel_copy_run_editor(const struct kernel_copy *d, struct err *e);
/* Removes the copies of an experiment; false with an error only when they cannot be removed. `had`: there were some. */
bool kernel_copy_remove(const struct experiment *x, bool *had, struct err *e);

#endif
