/* Distributes jobs to workers, and replaces those that die. */
#include "gpu/controller/worker_pool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "gpu/controller/pool_jobs.h"
#include "gpu/protocol/record.h"

enum {
	/* To open a software GPU takes a worker 0.3 s of a core: another one starts only if jobs wait this long. */
	START_AFTER_MS = 100,
	/* After a job that was shorter, a worker gets the next one before it asks, so that it need not wait for this
	 * process. A job that is queued behind a long one would wait there while another worker is free. */
	SHORT_JOB_MS = 50,
	/* A place elsewhere may wait for a machine: while no device is open, the next place starts after this time. */
	OTHER_PLACE_AFTER_MS = 2000,
	DEATHS_IN_A_ROW = 3, /* without a result: the place or the installation is at fault, not the job */
	REOPENINGS = 20,     /* as above, before the device is open, where it has been open */
	WHERE_MAX = 200,
};

/* A device and a way to it, which several workers may share. */
struct place {
	char *device, *via; /* via "": this machine */
	int deaths;         /* since a worker opened the device or delivered a result here */
	int unopened;       /* of these, before their device was open */
	bool was_open;      /* at least once */
	bool out;           /* no more workers start here */
};

struct member {
	int place, index;
	struct worker_controller *worker; /* NULL: not started, or dead */
	bool open;                        /* its device */
	int jobs, done, deaths;           /* jobs at the worker; points measured here; workers that died here */
	long long last_ms;                /* time of its last job; -1: none yet */
};

struct worker_pool {
	struct place places[WORKERS_MAX];
	struct member members[WORKERS_MAX];
	int place_count, size;
	struct pool_jobs jobs;
	json_t *records; /* for the caller; from next_record on */
	size_t next_record;
	json_t *device_record;
	const struct member *speaker; /* whose clocks are shown; NULL: none */
	long long waiting_since;      /* ms: since then, jobs have been waiting; 0: none is */
	long long place_started_at;   /* ms: the last time that a worker started in a place where none ran */
	int failed_in_a_row;          /* jobs that failed with their workers, without a result between them */
	bool dead, open_failed;
	enum status open_status;
	char crash_text[700];
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

static bool start_member(struct worker_pool *p, struct member *m, struct err *e)
{
	const struct place *at = &p->places[m->place];
	const struct worker_place place = {at->device, *at->via ? at->via : NULL};
	m->worker = worker_controller_start(&place, e);
	m->open = false;
	m->jobs = 0;
	m->last_ms = -1;
	return m->worker != NULL;
}

struct worker_pool *worker_pool_start(const struct worker_place *places, int count, struct err *e)
{
	struct worker_pool *p = xcalloc(1, sizeof *p);
	p->size = count < WORKERS_MAX ? count : WORKERS_MAX;
	p->records = json_array();
	for (int i = 0; i < p->size; i++)
		p->members[i] = (struct member){.place = find_or_add_place(p, &places[i]), .index = i};
	if (start_member(p, &p->members[0], e))
		return p;
	worker_pool_close(p);
	return NULL;
}

struct worker_pool *worker_pool_start_local(const char *device, int count, struct err *e)
{
	struct worker_place places[WORKERS_MAX];
	int n = count < WORKERS_MAX ? count : WORKERS_MAX;
	for (int i = 0; i < n; i++)
		places[i] = (struct worker_place){device, NULL};
	return worker_pool_start(places, n, e);
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

static void deliver_record(struct worker_pool *p, json_t *record)
{
	json_array_append_new(p->records, record);
}

/* "node7: ", for people; "" if the pool has one place. */
static void format_place(const struct worker_pool *p, const struct member *m, char out[WHERE_MAX])
{
	const struct place *at = &p->places[m->place];
	*out = 0;
	if (p->place_count > 1)
		snprintf(out, WHERE_MAX, "%.150s: ", *at->via ? at->via : at->device);
}

static void report_death(struct worker_pool *p, const struct member *m, const char *why, const char *then)
{
	char where[WHERE_MAX];
	format_place(p, m, where);
	char *text = xasprintf("%s%s; %s", where, why, then);
	deliver_record(p, json_pack("{s:s, s:o}", "type", "death", "text", json_utf8_string(text)));
	free(text);
}

/* --- the end of the pool --- */
static bool has_workers_left(const struct worker_pool *p)
{
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker || !p->places[p->members[i].place].out)
			return true;
	return false;
}

static void die(struct worker_pool *p, const char *why)
{
	snprintf(p->crash_text, sizeof p->crash_text, "%s", why);
	p->dead = true;
}

/* --- jobs --- */
bool worker_pool_send(struct worker_pool *p, json_t *job)
{
	if (!p->dead)
		pool_jobs_add(&p->jobs, job);
	else
		json_decref(job);
	return !p->dead;
}

void worker_pool_cancel(struct worker_pool *p)
{
	pool_jobs_cancel(&p->jobs);
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker)
			worker_controller_cancel(p->members[i].worker);
}

int worker_pool_wanted_jobs(const struct worker_pool *p)
{
	return p->size == 1 ? 2 : 3 * p->size;
}

static int count_allowed_jobs(const struct worker_pool *p, const struct member *m)
{
	bool short_jobs = m->last_ms >= 0 && m->last_ms < SHORT_JOB_MS;
	return p->size == 1 || (short_jobs && p->jobs.queued > (size_t)p->size) ? 2 : 1;
}

/* Whether workers run or can be started elsewhere. */
static bool has_other_place(const struct worker_pool *p, int place)
{
	for (int i = 0; i < p->place_count; i++)
		if (i != place && !p->places[i].out)
			return true;
	return false;
}

/* The open worker with the fewest jobs. A job does not go to the place where its last worker died if there is another
 * one: the place may be the cause. */
static struct member *find_free_member(struct worker_pool *p, const struct pool_job *job)
{
	struct member *best = NULL;
	bool avoid = job->avoid != NO_PLACE && has_other_place(p, job->avoid);
	for (struct member *m = p->members; m < p->members + p->size; m++)
		if (m->open && m->jobs < count_allowed_jobs(p, m) && !(avoid && m->place == job->avoid) &&
			(!best || m->jobs < best->jobs))
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

/* --- records of a worker --- */
/* The points of one sweep must be of one device. On a model, every constant counts. */
static bool is_same_device(const json_t *a, const json_t *b)
{
	const json_t *constants = json_object_get(a, "constants"), *others = json_object_get(b, "constants");
	return !strcmp(record_get_text(a, "arch"), record_get_text(b, "arch")) &&
		!strcmp(record_get_text(a, "name"), record_get_text(b, "name")) &&
		(constants ? json_equal(constants, others) : !others);
}

static void leave_out_other_device(struct worker_pool *p, struct member *m, const json_t *record)
{
	char *why = xasprintf("this is another device, %s (%s), not %s (%s)", record_get_text(record, "name"),
		record_get_text(record, "arch"), record_get_text(p->device_record, "name"),
		record_get_text(p->device_record, "arch"));
	p->places[m->place].out = true;
	worker_controller_close_async(m->worker);
	m->worker = NULL;
	if (has_workers_left(p))
		report_death(p, m, why, "going on without it");
	else
		die(p, why);
	free(why);
}

static void take_device_record(struct worker_pool *p, struct member *m, json_t *record)
{
	p->places[m->place].deaths = p->places[m->place].unopened = 0;
	p->places[m->place].was_open = true;
	if (p->device_record && !is_same_device(p->device_record, record)) {
		leave_out_other_device(p, m, record);
		return;
	}
	m->open = true;
	if (!p->speaker)
		p->speaker = m;
	if (p->device_record)
		return;
	p->device_record = json_incref(record);
	deliver_record(p, json_incref(record));
}

static void take_point_record(struct worker_pool *p, struct member *m, json_t *record)
{
	struct pool_job *job = pool_jobs_find(&p->jobs, m->index, json_integer_value(json_object_get(record, "job")));
	if (job) {
		m->last_ms = now_ms() - job->sent_at;
		m->jobs--;
		m->done++;
		pool_jobs_remove(&p->jobs, job);
	}
	struct pool_job *next = pool_jobs_current(&p->jobs, m->index);
	if (next) /* it begins now */
		next->sent_at = now_ms();
	p->places[m->place].deaths = 0;
	p->failed_in_a_row = 0;
	deliver_record(p, json_incref(record));
}

static void take_records(struct worker_pool *p, struct member *m)
{
	for (json_t *r; m->worker && (r = worker_controller_next_record(m->worker)); json_decref(r)) {
		const char *type = record_get_type(r);
		if (!strcmp(type, "device"))
			take_device_record(p, m, r);
		else if (!strcmp(type, "point"))
			take_point_record(p, m, r);
		else if (!strcmp(type, "state") || !strcmp(type, "progress") || !p->speaker || p->speaker == m)
			deliver_record(p, json_incref(r));
	}
}

/* --- death --- */
/* The job that a dead worker was measuring is queued again, until it has ended too many workers. */
static void retry_job(struct worker_pool *p, const struct member *m, struct pool_job *job, const char *why)
{
	char then[80];
	job->avoid = m->place;
	if (++job->deaths < JOB_TRIES) {
		snprintf(then, sizeof then, "trying the point again (%d of %d)", job->deaths + 1, JOB_TRIES);
		report_death(p, m, why, then);
		return;
	}
	snprintf(then, sizeof then, "giving the point up after %d tries", JOB_TRIES);
	report_death(p, m, why, then);
	struct err death = {.status = ST_FAILED};
	snprintf(death.text, sizeof death.text, "%s", why);
	deliver_record(p, record_build_failed_point(job->id, job->point, &death));
	pool_jobs_remove(&p->jobs, job);
	if (++p->failed_in_a_row >= DEATHS_IN_A_ROW)
		die(p, "giving up after three points in a row that ended their workers; `wavedeck doctor` checks the installation");
}

/* A place is left out if it cannot open the device, or if worker after worker dies while other places work. */
static bool is_place_hopeless(struct worker_pool *p, const struct member *m, enum status *status)
{
	const struct place *at = &p->places[m->place];
	if (worker_controller_open_failed(m->worker, status))
		return true;
	return at->unopened >= (at->was_open ? REOPENINGS : DEATHS_IN_A_ROW) ||
		(at->deaths >= DEATHS_IN_A_ROW && has_other_place(p, m->place));
}

static void choose_speaker(struct worker_pool *p)
{
	p->speaker = NULL;
	for (int i = 0; i < p->size && !p->speaker; i++)
		if (p->members[i].open)
			p->speaker = &p->members[i];
}

/* Removes a dead worker, and decides what happens to its jobs and to its place. */
static void bury_worker(struct worker_pool *p, struct member *m)
{
	enum status status = ST_FAILED;
	bool was_open = m->open;
	char *why = xstrdup(worker_controller_crash_text(m->worker));
	p->places[m->place].deaths++;
	p->places[m->place].unopened += !was_open;
	bool hopeless = is_place_hopeless(p, m, &status);
	p->places[m->place].out |= hopeless;
	p->open_failed = hopeless && !was_open && !p->device_record;
	p->open_status = status;
	worker_controller_close(m->worker); /* already dead: this only frees it */
	m->worker = NULL;
	m->open = false;
	m->jobs = 0;
	m->deaths++;
	choose_speaker(p);
	struct pool_job *job = pool_jobs_take_back(&p->jobs, m->index);
	if (!has_workers_left(p))
		die(p, why);
	else if (hopeless)
		report_death(p, m, why, "going on without it");
	if (job && !p->dead)
		retry_job(p, m, job, why);
	else if (was_open && !hopeless)
		report_death(p, m, why, "continuing with a new worker");
	free(why);
}

/* --- more workers --- */
static int count_workers(const struct worker_pool *p)
{
	int n = 0;
	for (int i = 0; i < p->size; i++)
		n += p->members[i].worker != NULL;
	return n;
}

static size_t count_starting_workers(const struct worker_pool *p)
{
	size_t n = 0;
	for (int i = 0; i < p->size; i++)
		n += p->members[i].worker && !p->members[i].open;
	return n;
}

/* Where the fewest workers have died. */
static struct member *find_stopped_member(struct worker_pool *p)
{
	struct member *best = NULL;
	for (struct member *m = p->members; m < p->members + p->size; m++)
		if (!m->worker && !p->places[m->place].out &&
			(!best || p->places[m->place].deaths < p->places[best->place].deaths))
			best = m;
	return best;
}

/* False if there is none to start. */
static bool start_another_worker(struct worker_pool *p)
{
	struct err e = {0};
	struct member *m = find_stopped_member(p);
	if (!m)
		return false;
	if (start_member(p, m, &e))
		return true;
	p->places[m->place].out = true;
	if (has_workers_left(p))
		report_death(p, m, e.text, "going on with fewer workers");
	else
		die(p, e.text);
	return has_workers_left(p);
}

static bool is_place_used(const struct worker_pool *p, int place)
{
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker && p->members[i].place == place)
			return true;
	return false;
}

/* While no device is open. */
static void start_in_another_place(struct worker_pool *p)
{
	if (!p->place_started_at)
		p->place_started_at = now_ms();
	if (p->device_record || now_ms() - p->place_started_at < OTHER_PLACE_AFTER_MS)
		return;
	for (struct member *m = p->members; m < p->members + p->size; m++) {
		struct err e = {0};
		if (m->worker || p->places[m->place].out || is_place_used(p, m->place))
			continue;
		p->places[m->place].out = !start_member(p, m, &e);
		p->place_started_at = now_ms();
		return;
	}
}

/* One for each job that has waited long enough; and always one. */
static void start_wanted_workers(struct worker_pool *p)
{
	if (!p->jobs.queued || !p->device_record)
		p->waiting_since = 0;
	else if (!p->waiting_since)
		p->waiting_since = now_ms();
	while (!p->dead && !count_workers(p) && start_another_worker(p))
		;
	start_in_another_place(p);
	if (!p->waiting_since || now_ms() - p->waiting_since < START_AFTER_MS)
		return;
	for (size_t n = count_starting_workers(p); n < p->jobs.queued && start_another_worker(p);)
		n++;
}

void worker_pool_pump(struct worker_pool *p)
{
	for (struct member *m = p->members; m < p->members + p->size && !p->dead; m++) {
		if (m->worker) {
			worker_controller_pump(m->worker);
			take_records(p, m);
		}
		if (m->worker && worker_controller_state(m->worker) == WORKER_DEAD)
			bury_worker(p, m);
	}
	if (p->dead)
		return;
	send_queued_jobs(p);
	start_wanted_workers(p);
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
