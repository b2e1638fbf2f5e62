/* Runs tasks of a fleet of devices as processes of this machine. */
#ifndef CLI_BATCH_LOCAL_TASKS_H
#define CLI_BATCH_LOCAL_TASKS_H

#include "cli/batch/batch_folder.h"

/* Measures the flagged tasks: those of GPUs at the same time, one worker each; models one after another, because each
 * uses all cores. Shows progress, and waits for all of them: what they measured is in the folder. False with one line
 * if interrupted, or if a process cannot be started. */
bool local_tasks_run(const struct batch *b, const bool *tasks, struct err *e);

#endif
