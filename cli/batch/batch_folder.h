/* The shared folder of a batch: its description, the sessions and logs of its tasks. docs/cluster.md describes the
 * files. All nodes must see the folder under the same path.
 *
 * Each start of a task writes a session of its own. Slurm may start a task again while its first process still runs on
 * a node that only seems dead: two processes then never write one file, and a file system without locks is enough. The
 * one that creates the file has it (O_EXCL). */
#ifndef CLI_BATCH_BATCH_FOLDER_H
#define CLI_BATCH_BATCH_FOLDER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

enum { BATCH_SCHEMA = 1 };

struct batch {
	char *folder;        /* absolute */
	json_t *description; /* batch.json */
};

struct point_range {
	int first, count;
};

/* Creates the folder, or takes an existing empty one. *absolute: its path, which the caller frees. */
bool batch_folder_create(const char *folder, char **absolute, struct err *e);
bool batch_read(struct batch *b, const char *folder, struct err *e);
bool batch_write(const struct batch *b, struct err *e);
void batch_free(struct batch *b);

bool batch_is_fleet(const struct batch *b);   /* each task measures all points, on a node or a device of its own */
bool batch_is_local(const struct batch *b);   /* a fleet of devices of this machine; Slurm knows nothing of it */
int batch_point_count(const struct batch *b); /* of the plan */
int batch_task_count(const struct batch *b);
const char *batch_get_text(const struct batch *b, const char *key);
const char *batch_task_member(const struct batch *b, int task); /* of a fleet: the node or the device; else "" */
const char *batch_task_device(const struct batch *b, int task);
/* The points of a task: all of them in a fleet, else a chunk. */
struct point_range batch_task_range(const struct batch *b, int task);
/* The number of tasks for so many points, at most `chunk` in each. */
int batch_count_chunks(int points, int chunk);

/* The caller frees the paths. */
char *batch_session_path(const struct batch *b, int task, int start);
char *batch_log_path(const struct batch *b, int task);
char *batch_log_pattern(const struct batch *b); /* for sbatch, with the task's number as %a */
char *batch_file_path(const struct batch *b, const char *name);
/* For each task, one more than the number of its last start that has a session file; those of earlier ones may be gone.
 * The caller frees the list. */
int *batch_list_starts(const struct batch *b);
int batch_count_starts(const struct batch *b, int task); /* the same of one task; reads the folder */
/* Creates the session file of a new start, which no other process has. -1 with one line. */
int batch_claim_start(const struct batch *b, int task, struct err *e);

/* Notes that tasks were submitted as this job. */
void batch_add_job(struct batch *b, const char *id, const bool *tasks);
/* The latest job of a task; "" before the first. */
const char *batch_task_job(const struct batch *b, int task);

#endif
