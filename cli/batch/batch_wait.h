/* Waits for the tasks of a batch, and says why points are missing. */
#ifndef CLI_BATCH_BATCH_WAIT_H
#define CLI_BATCH_BATCH_WAIT_H

#include "cli/batch/batch_results.h"
#include "cli/batch/slurm_client.h"

/* Shows progress until no task waits or runs. False with one line if Slurm does not answer, or if interrupted. */
bool batch_wait(const struct batch *b, struct err *e);
/* "node failed (n2): LINE OF THE LOG"; the caller frees it. */
char *batch_format_cause(const struct batch *b, int task, const struct task_state *state);
/* Submits again the tasks that have ended without all their points; runs those of a local fleet to their end. *count:
 * how many. */
bool batch_resubmit(struct batch *b, const struct batch_results *r, const struct task_state *states,
	const json_t *options, int *count, struct err *e);
bool task_is_active(const struct task_state *t); /* it waits or runs */

#endif
