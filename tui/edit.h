/* A person's own copy of an experiment's kernel: $XDG_DATA_HOME/wavedeck/edited/EXPERIMENT/ has the definition and the
 * kernel, which is found there before the project's. The original is never touched. */
#ifndef TUI_EDIT_H
#define TUI_EDIT_H

#include "experiments/experiment.h"

struct edit {
	char *folder, *definition, *kernel;
}; /* paths, owned */

/* Copies the definition anew, and the kernel that a point with these values launches where there is no copy yet. */
bool edit_prepare(struct experiment *x, const double *values, struct edit *out, struct err *e);
void edit_free(struct edit *d);
/* $VISUAL, else $EDITOR, else vi, on the copy; waits for its end. The terminal is the caller's to lend. */
bool edit_run(const struct edit *d, struct err *e);
/* Removes the copies of an experiment; false with an error only when they cannot be removed. `had`: there were some. */
bool edit_reset(const struct experiment *x, bool *had, struct err *e);

#endif
