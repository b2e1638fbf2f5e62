/* The jobs of a pool of workers, in the order in which they came: queued, or at a worker. */
#ifndef GPU_CONTROLLER_POOL_JOBS_H
#define GPU_CONTROLLER_POOL_JOBS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { JOB_IS_QUEUED = -1, NO_PLACE = -1 };

struct pool_job {
	json_t *request;
	json_int_t id, point;
	int worker;        /* index, or JOB_IS_QUEUED */
	int deaths, avoid; /* workers that died with it; the place of the last one, or NO_PLACE */
	bool cancelled;    /* it does not go to another worker */
	bool interrupted;  /* its worker was told to cancel another job, which ends this one, too */
	long long sent_at; /* ms */
};
struct pool_jobs {
	struct pool_job *list;
	size_t count, cap, queued;
};

void pool_jobs_add(struct pool_jobs *q, json_t *request); /* takes the reference */
void pool_jobs_assign(struct pool_jobs *q, struct pool_job *job, int worker);
void pool_jobs_remove(struct pool_jobs *q, struct pool_job *job);
/* The job that this worker measures: the first that it got. NULL if it has none. */
struct pool_job *pool_jobs_current(const struct pool_jobs *q, int worker);
struct pool_job *pool_jobs_find(const struct pool_jobs *q, int worker, json_int_t id);
/* Queues a dead worker's jobs again, at their old places; drops canceled ones. The job that the worker was measuring;
 * NULL if none is left. */
struct pool_job *pool_jobs_take_back(struct pool_jobs *q, int worker);
/* Queues a job again that its worker has not measured. */
void pool_jobs_queue_again(struct pool_jobs *q, struct pool_job *job);
/* Drops this job if it is queued; marks it otherwise. The worker to tell, or JOB_IS_QUEUED. */
int pool_jobs_cancel_one(struct pool_jobs *q, json_int_t id);
/* Drops queued jobs; marks the others. */
void pool_jobs_cancel(struct pool_jobs *q);
void pool_jobs_free(struct pool_jobs *q);

#endif
