/* Distributes jobs to workers, and replaces those that die. */
#include "gpu/controller/worker_pool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "gpu/controller/pool_members.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum {
	/* If so many jobs will come, and so many for each worker, all workers start at once. */
	MANY_JOBS = 32,
	MANY_JOBS_EACH = 4,
	/* After a job that was shorter, a worker gets the next one before it asks, so that it need not wait for this
	 * process. A job that is queued behind a long one would wait there while another worker is free. */
	SHORT_JOB_MS = 50,
};

/* --- start --- */
static int find_or_add_place(struct worker_pool *p, const struct worker_place *place)
{
	const char *via = place->via ? place->via : "";
	for (int i = 0; i < p->place_count; i++)
		if (!strcmp(p->places[i].device, place->device) && !strcmp(p->places[i].via, via))
			return i;
	p->places[p->place_count] = (struct place){.device = xstrdup(place->device), .via = xstrdup(via)};
	return p->place_count++;
}

struct worker_pool *worker_pool_start(const struct worker_place *places, int count, int jobs, struct err *e)
{
	struct worker_pool *p = xcalloc(1, sizeof *p);
	p->size = count < WORKERS_MAX ? count : WORKERS_MAX;
	p->records = json_array();
	for (int i = 0; i < p->size; i++)
		p->members[i] = (struct member){.place = find_or_add_place(p, &places[i]), .index = i};
	if (!pool_start_member(p, &p->members[0], e)) {
		worker_pool_close(p);
		return NULL;
	}
	if (jobs >= MANY_JOBS && jobs >= MANY_JOBS_EACH * p->size)
		pool_start_local_members(p);
	return p;
}

struct worker_pool *worker_pool_start_local(const char *device, int count, struct err *e)
{
	struct worker_place places[WORKERS_MAX];
	int n = count < WORKERS_MAX ? count : WORKERS_MAX;
	for (int i = 0; i < n; i++)
		places[i] = (struct worker_place){device, NULL};
	return worker_pool_start(places, n, 0, e);
}

/* --- records for the caller --- */
json_t *worker_pool_next_record(struct worker_pool *p)
{
	if (p->next_record < json_array_size(p->records))
		return json_incref(json_array_get(p->records, p->next_record++));
	json_array_clear(p->records);
	p->next_record = 0;
	return NULL;
}

/* --- jobs --- */
void worker_pool_cancel(struct worker_pool *p)
{
	pool_jobs_cancel(&p->jobs);
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker)
			worker_controller_cancel(p->members[i].worker);
}

void worker_pool_cancel_job(struct worker_pool *p, json_int_t job)
{
	int at = pool_jobs_cancel_one(&p->jobs, job);
	if (at != JOB_IS_QUEUED && p->members[at].worker)
		worker_controller_cancel(p->members[at].worker);
}

static bool has_short_jobs(const struct member *m)
{
	return m->last_ms >= 0 && m->last_ms < SHORT_JOB_MS;
}

/* While jobs are long, few: the caller may want to send another one first. */
int worker_pool_wanted_jobs(const struct worker_pool *p)
{
	for (int i = 0; p->size > 1 && i < p->size; i++)
		if (has_short_jobs(&p->members[i]))
			return 3 * p->size;
	return p->size + 1;
}

static int count_allowed_jobs(const struct worker_pool *p, const struct member *m)
{
	return p->size == 1 || (has_short_jobs(m) && p->jobs.queued > (size_t)p->size) ? 2 : 1;
}

/* The open worker with the fewest jobs. A job does not go to the place where its last worker died if there is another
 * one: the place may be the cause. */
static struct member *find_free_member(struct worker_pool *p, const struct pool_job *job)
{
	struct member *best = NULL;
	bool avoid = job->avoid != NO_PLACE && pool_has_other_place(p, job->avoid);
	for (struct member *m = p->members; m < p->members + p->size; m++)
		if (m->open && !worker_controller_is_ending(m->worker) && m->jobs < count_allowed_jobs(p, m) &&
			!(avoid && m->place == job->avoid) && (!best || m->jobs < best->jobs))
			best = m;
	return best;
}

static void send_queued_jobs(struct worker_pool *p)
{
	for (size_t i = 0; p->jobs.queued && i < p->jobs.count; i++) {
		struct pool_job *job = &p->jobs.list[i];
		struct member *m = job->worker == JOB_IS_QUEUED ? find_free_member(p, job) : NULL;
		if (!m || !worker_controller_send(m->worker, json_incref(job->request)))
			continue;
		pool_jobs_assign(&p->jobs, job, m->index);
		m->jobs++;
	}
}

bool worker_pool_send(struct worker_pool *p, json_t *job)
{
	if (p->dead) {
		json_decref(job);
		return false;
	}
	pool_jobs_add(&p->jobs, job);
	send_queued_jobs(p);
	return true;
}

/* --- records of a worker --- */
/* The points of one sweep must be of one device. On a model, every constant counts. */
static bool is_same_device(const json_t *a, const json_t *b)
{
	const json_t *constants = json_object_get(a, "constants"), *others = json_object_get(b, "constants");
	return !strcmp(device_get_arch(a), device_get_arch(b)) && !strcmp(device_get_name(a), device_get_name(b)) &&
		(constants ? json_equal(constants, others) : !others);
}

static void take_device_record(struct worker_pool *p, struct member *m, json_t *record)
{
	p->places[m->place].deaths = p->places[m->place].unopened = 0;
	p->places[m->place].was_open = true;
	if (p->device_record && !is_same_device(p->device_record, record)) {
		pool_leave_out_other_device(p, m, record);
		return;
	}
	m->open = true;
	if (!p->speaker)
		p->speaker = m;
	if (p->device_record)
		return;
	p->device_record = json_incref(record);
	pool_deliver_record(p, json_incref(record));
}

/* In a sweep on several GPUs of one machine, points name theirs. */
static bool has_several_devices(const struct worker_pool *p)
{
	for (int i = 1; i < p->place_count; i++)
		if (strcmp(p->places[i].device, p->places[0].device))
			return true;
	return false;
}

/* Of a job that the worker had behind a canceled one. */
static bool is_interrupted(const struct pool_job *job, const json_t *record)
{
	return job && job->interrupted && !job->cancelled && !strcmp(point_get_status(record), "cancelled");
}

static void take_point_record(struct worker_pool *p, struct member *m, json_t *record)
{
	struct pool_job *job = pool_jobs_find(&p->jobs, m->index, record_get_job(record));
	if (is_interrupted(job, record)) {
		pool_jobs_queue_again(&p->jobs, job);
		m->jobs--;
		return;
	}
	if (!job) /* the controller checks this; a point of no job would count for another one */
		return;
	m->last_ms = now_ms() - job->sent_at;
	m->jobs--;
	m->done++;
	pool_jobs_remove(&p->jobs, job);
	struct pool_job *next = pool_jobs_current(&p->jobs, m->index);
	if (next) /* it begins now */
		next->sent_at = now_ms();
	p->places[m->place].deaths = 0;
	p->failed_in_a_row = 0;
	if (has_several_devices(p))
		json_object_set_new(record, "device", json_string(p->places[m->place].device));
	pool_deliver_record(p, json_incref(record));
}

static void take_records(struct worker_pool *p, struct member *m)
{
	for (json_t *r; m->worker && (r = worker_controller_next_record(m->worker)); json_decref(r)) {
		const char *type = record_get_type(r);
		if (!strcmp(type, "device"))
			take_device_record(p, m, r);
		else if (!strcmp(type, "point"))
			take_point_record(p, m, r);
		else if (!strcmp(type, "fatal") && pool_goes_on_without(p, m))
			continue; /* its death is reported */
		else if (!strcmp(type, "state") || !strcmp(type, "progress") || !p->speaker || p->speaker == m)
			pool_deliver_record(p, json_incref(r));
	}
}

void worker_pool_pump(struct worker_pool *p)
{
	for (struct member *m = p->members; m < p->members + p->size && !p->dead; m++) {
		if (m->worker) {
			worker_controller_pump(m->worker);
			take_records(p, m);
		}
		if (m->worker && worker_controller_state(m->worker) == WORKER_DEAD)
			pool_bury_worker(p, m);
	}
	if (p->dead)
		return;
	send_queued_jobs(p);
	pool_start_wanted_workers(p);
}

/* --- end --- */
static void *close_worker(void *worker)
{
	worker_controller_close(worker);
	return NULL;
}

/* All at the same time: each may take a second. */
static void close_workers(struct worker_pool *p)
{
	pthread_t threads[WORKERS_MAX];
	int n = 0;
	for (int i = 0; i < p->size; i++) {
		struct worker_controller *w = p->members[i].worker;
		p->members[i].worker = NULL;
		if (w && pthread_create(&threads[n], NULL, close_worker, w))
			worker_controller_close(w);
		else if (w)
			n++;
	}
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

static void free_pool(struct worker_pool *p)
{
	for (int i = 0; i < p->place_count; i++) {
		free(p->places[i].device);
		free(p->places[i].via);
	}
	pool_jobs_free(&p->jobs);
	json_decref(p->records);
	json_decref(p->device_record);
	free(p);
}

void worker_pool_close(struct worker_pool *p)
{
	if (!p)
		return;
	close_workers(p);
	free_pool(p);
}

void worker_pool_close_async(struct worker_pool *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->size; i++)
		worker_controller_close_async(p->members[i].worker);
	free_pool(p);
}

/* --- queries --- */
int worker_pool_poll_fds(const struct worker_pool *p, int *fds)
{
	int n = 0;
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker)
			n += worker_controller_poll_fds(p->members[i].worker, fds + n);
	return n;
}

enum worker_controller_state worker_pool_state(const struct worker_pool *p)
{
	return p->dead ? WORKER_DEAD : !p->device_record ? WORKER_STARTING : p->jobs.count ? WORKER_BUSY : WORKER_READY;
}

const char *worker_pool_device(const struct worker_pool *p)
{
	return p->places[0].device;
}
const json_t *worker_pool_device_record(const struct worker_pool *p)
{
	return p->device_record;
}
const char *worker_pool_crash_text(const struct worker_pool *p)
{
	return p->crash_text;
}

bool worker_pool_open_failed(const struct worker_pool *p, enum status *status)
{
	if (!p->dead || !p->open_failed)
		return false;
	if (status)
		*status = p->open_status;
	return true;
}

int worker_pool_size(const struct worker_pool *p)
{
	return p->size;
}

void worker_pool_get_status(const struct worker_pool *p, int i, struct worker_status *out)
{
	const struct member *m = &p->members[i];
	const struct pool_job *job = pool_jobs_current(&p->jobs, i);
	*out = (struct worker_status){.device = p->places[m->place].device,
		.host = p->places[m->place].via,
		.state = m->worker ? worker_controller_state(m->worker) : WORKER_DEAD,
		.pid = m->worker ? worker_controller_pid(m->worker) : 0,
		.started = m->worker || m->deaths,
		.job = job ? job->id : 0,
		.point = job ? job->point : 0,
		.job_seconds = job ? (double)(now_ms() - job->sent_at) / 1000 : 0,
		.done = m->done,
		.deaths = m->deaths};
}
