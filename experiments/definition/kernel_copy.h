/* The user's edited copy of an experiment's kernel: $XDG_DATA_HOME/wavedeck/edited/EXPERIMENT/ holds copies of the
 * definition and of the kernel, which has priority over the project's, and a link to the
 * original's folder, for the files of its reference. The originals never change. */
#ifndef EXPERIMENTS_DEFINITION_KERNEL_COPY_H
#define EXPERIMENTS_DEFINITION_KERNEL_COPY_H

#include "experiments/definition/experiment.h"

struct kernel_copy {
	char *folder, *definition, *kernel; /* paths, owned */
	bool pristine;                      /* the kernel equals the project's, before the editor ran */
	bool changed;                       /* by the editor */
};

/* The parameter that, at another of its choices, compiles HIP where these values compile assembly, and that choice; -1:
 * there is none. */
int kernel_copy_find_hip(struct experiment *x, const double *values, double *choice);
/* Path of the source that a point with these values is compiled from; the caller frees it. NULL with an error. */
char *kernel_source_path(struct experiment *x, const double *values, struct err *e);
/* File name of the source that a point with these values is compiled from; "" if there is none. */
void kernel_copy_source_name(struct experiment *x, const double *values, char *out, size_t size);

/* Copies the definition, and the kernel of a point with these values unless there already is a copy.
 * kernel_copy_free. */
bool kernel_copy_prepare(struct experiment *x, const double *values, struct kernel_copy *out, struct err *e);
void kernel_copy_free(struct kernel_copy *d);
/* Runs $VISUAL, else $EDITOR, else vi on the copy and waits for it. The caller first releases the terminal. */
bool kernel_copy_run_editor(struct kernel_copy *d, struct err *e);
/* Removes the copies of an experiment, if any; false with an error if that fails. `had`: there were copies. */
bool kernel_copy_remove(const struct experiment *x, bool *had, struct err *e);

#endif
