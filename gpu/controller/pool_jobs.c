#include "gpu/controller/pool_jobs.h"
#include "gpu/protocol/point_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"

void pool_jobs_add(struct pool_jobs *q, json_t *request)
{
	if (q->count == q->cap) {
		q->cap = q->cap ? 2 * q->cap : 64;
		q->list = xrealloc(q->list, q->cap * sizeof *q->list);
	}
	q->list[q->count++] = (struct pool_job){.request = request,
		.id = record_get_job(request),
		.point = record_get_point(request),
		.worker = JOB_IS_QUEUED,
		.avoid = NO_PLACE};
	q->queued++;
}

void pool_jobs_assign(struct pool_jobs *q, struct pool_job *job, int worker)
{
	job->worker = worker;
	job->interrupted = false;
	job->sent_at = now_ms();
	q->queued--;
}

void pool_jobs_remove(struct pool_jobs *q, struct pool_job *job)
{
	q->queued -= job->worker == JOB_IS_QUEUED;
	json_decref(job->request);
	memmove(job, job + 1, (size_t)(q->list + --q->count - job) * sizeof *job);
}

struct pool_job *pool_jobs_current(const struct pool_jobs *q, int worker)
{
	for (size_t i = 0; i < q->count; i++)
		if (q->list[i].worker == worker)
			return &q->list[i];
	return NULL;
}

struct pool_job *pool_jobs_find(const struct pool_jobs *q, int worker, json_int_t id)
{
	for (size_t i = 0; i < q->count; i++)
		if (q->list[i].worker == worker && q->list[i].id == id)
			return &q->list[i];
	return NULL;
}

static void drop_queued_jobs(struct pool_jobs *q, bool only_cancelled)
{
	for (size_t i = q->count; i-- > 0;)
		if (q->list[i].worker == JOB_IS_QUEUED && (q->list[i].cancelled || !only_cancelled))
			pool_jobs_remove(q, &q->list[i]);
}

void pool_jobs_queue_again(struct pool_jobs *q, struct pool_job *job)
{
	job->worker = JOB_IS_QUEUED;
	q->queued++;
}

struct pool_job *pool_jobs_take_back(struct pool_jobs *q, int worker)
{
	const struct pool_job *current = pool_jobs_current(q, worker);
	bool lost = current && !current->cancelled;
	json_int_t id = lost ? current->id : 0;
	for (size_t i = 0; i < q->count; i++)
		if (q->list[i].worker == worker)
			pool_jobs_queue_again(q, &q->list[i]);
	drop_queued_jobs(q, true);
	return lost ? pool_jobs_find(q, JOB_IS_QUEUED, id) : NULL;
}

int pool_jobs_cancel_one(struct pool_jobs *q, json_int_t id)
{
	struct pool_job *job = q->list;
	while (job < q->list + q->count && job->id != id)
		job++;
	int worker = job < q->list + q->count ? job->worker : JOB_IS_QUEUED;
	if (worker != JOB_IS_QUEUED) {
		job->cancelled = true;
		for (size_t i = 0; i < q->count; i++)
			q->list[i].interrupted |= q->list[i].worker == worker;
	} else if (job < q->list + q->count) {
		pool_jobs_remove(q, job);
	}
	return worker;
}

void pool_jobs_cancel(struct pool_jobs *q)
{
	drop_queued_jobs(q, false);
	for (size_t i = 0; i < q->count; i++)
		q->list[i].cancelled = true;
}

void pool_jobs_free(struct pool_jobs *q)
{
	for (size_t i = 0; i < q->count; i++)
		json_decref(q->list[i].request);
	free(q->list);
	*q = (struct pool_jobs){0};
}
