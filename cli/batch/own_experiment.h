/* An experiment of the user's in a batch: its definition, and the kernels, headers and shared definitions next to it,
 * are copied to the folder. The nodes then need no other file, and later changes do not mix with the batch. */
#ifndef CLI_BATCH_OWN_EXPERIMENT_H
#define CLI_BATCH_OWN_EXPERIMENT_H

#include "cli/batch/batch_folder.h"
#include "experiments/definition/experiment.h"

bool own_experiment_is(const char *word); /* a path, not an id of the catalog */
bool own_experiment_copy(struct batch *b, const struct experiment *x, struct err *e);
void own_experiment_remove(const struct batch *b);
/* The experiment as the tasks name it: the copy, or the id. The caller frees it. */
char *own_experiment_name(const struct batch *b);

#endif
