/* Slurm through its own programs: sbatch, squeue, sacct, scontrol, sinfo. */
#ifndef CLI_BATCH_SLURM_CLIENT_H
#define CLI_BATCH_SLURM_CLIENT_H

#include "base/buf.h"
#include "cli/batch/batch_folder.h"

/* Seconds before the time limit at which a task ends its session. Slurm looks at time limits every half minute, so a
 * limit of one minute leaves at least 15 s to measure. */
enum { SLURM_WARNING_S = 15 };

bool slurm_find_programs(struct err *e); /* false with one line if sbatch is missing */
/* Submits the flagged tasks as one array job, or those of a fleet as one job for each node, and notes the jobs in the
 * description, which the caller writes. `more`: options after those of the description; NULL: none. False with the line
 * of sbatch; jobs that were submitted before are noted. */
bool slurm_submit_tasks(struct batch *b, const bool *tasks, const json_t *more, struct err *e);

enum task_phase {
	TASK_UNKNOWN, /* Slurm no longer knows the job */
	TASK_PENDING,
	TASK_RUNNING,
	TASK_ENDED
};
struct task_state {
	enum task_phase phase;
	char state[40];   /* Slurm's word: NODE_FAIL */
	char node[80];    /* where it runs or ran; "" */
	char reason[120]; /* why it waits; "" */
};
/* The state of every task; false with one line if Slurm does not answer. */
bool slurm_read_states(const struct batch *b, struct task_state *states, struct err *e);
/* Asks Slurm to start the running job of this process again. */
bool slurm_requeue_this(struct err *e);
/* "node failed" for NODE_FAIL; the state itself if it has no better words. */
const char *slurm_state_words(const char *state);

struct slurm_node {
	char name[80], state[40], reason[160]; /* reason: why it is down or drained; "" */
	bool usable;
};
/* The nodes that the options of sbatch select (--partition, --nodelist), which the caller frees; -1 with one line. */
int slurm_list_nodes(const json_t *options, struct slurm_node **nodes, struct err *e);

#endif
