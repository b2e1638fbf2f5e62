/* What the sessions of a batch contain: joined, and by task. */
#ifndef CLI_BATCH_BATCH_RESULTS_H
#define CLI_BATCH_BATCH_RESULTS_H

#include "cli/batch/batch_folder.h"
#include "sessions/join/session_join.h"

struct task_result {
	int points, have, failed; /* of the task; those with a record; of these, not measured */
};
struct batch_results {
	struct session_join *joins; /* one for a batch; of a fleet, one for each node */
	int join_count;
	struct task_result *tasks;
	int have, points, failed; /* over all tasks */
};

/* Adds the sessions of a task's first `starts` starts to a join. */
bool batch_add_task_sessions(struct session_join *j, const struct batch *b, int task, int starts, struct err *e);
bool batch_results_load(struct batch_results *r, const struct batch *b, struct err *e);
void batch_results_free(struct batch_results *r);
bool task_is_complete(const struct task_result *t); /* all points are measured */

/* Counts points while tasks write them: reads only sessions that have grown since the last call. */
struct batch_progress {
	struct counted_file *files;
	int count;
};
int batch_progress_count(struct batch_progress *p, const struct batch *b);
void batch_progress_free(struct batch_progress *p);

#endif
