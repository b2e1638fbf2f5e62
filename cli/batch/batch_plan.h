/* What `batch` and `fleet` have in common: arguments, the plan, the folder, and submitting it. */
#ifndef CLI_BATCH_BATCH_PLAN_H
#define CLI_BATCH_BATCH_PLAN_H

#include "cli/batch/batch_folder.h"
#include "cli/cli_support.h"

struct batch_request {
	const char *device, *counters, *folder, *chunk, *metric, *lock_clocks, *stop;
	bool no_verify, no_wait, slurm, trust, flush_l2;
	json_t *options; /* what follows --slurm */
	struct argument_list words;
};

/* Splits the arguments at --slurm: what follows is for sbatch. batch_request_free. */
bool batch_request_parse(struct batch_request *q, const struct option *options, int argc, char **argv, struct err *e);
void batch_request_free(struct batch_request *q);
/* Writes the folder with description, script and, for an experiment of the user's, a copy of its files. `fleet`: what
 * the description of a fleet has in addition, "nodes" or "devices"; NULL for a batch. */
bool batch_prepare(struct batch *b, const struct batch_request *q, const json_t *fleet, struct err *e);
/* Submits all tasks. If none was submitted, removes the folder. */
bool batch_submit(struct batch *b, struct err *e);

#endif
