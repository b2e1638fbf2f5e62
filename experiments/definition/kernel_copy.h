/* The user's edited copy of an experiment's kernel: $XDG_DATA_HOME/wavedeck/edited/EXPERIMENT/ holds copies of the
 * definition and of the kernel, which has priority over the project's. The originals never change. */
#ifndef EXPERIMENTS_DEFINITION_KERNEL_COPY_H
#define EXPERIMENTS_DEFINITION_KERNEL_COPY_H

#include "experiments/definition/experiment.h"

struct kernel_copy {
	char *folder, *definition, *kernel;
}; /* paths, owned */

/* Copies the definition, and the kernel of a point with these values unless there already is a copy.
 * kernel_copy_free. */
bool kernel_copy_prepare(struct experiment *x, const double *values, struct kernel_copy *out, struct err *e);
void kernel_copy_free(struct kernel_copy *d);
/* Runs $VISUAL, else $EDITOR, else vi on the copy and waits for it. The caller first releases the terminal. */
bool kernel_copy_run_editor(const struct kernel_copy *d, struct err *e);
/* Removes the copies of an experiment, if any; false with an error if that fails. `had`: there were copies. */
bool kernel_copy_remove(const struct experiment *x, bool *had, struct err *e);

#endif
