#include "tui/lab/background_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "gpu/protocol/point_record.h"

struct background_job {
	struct background_job *next;
	const char *name; /* literal */
	background_job_listener *on;
	void *ctx;
	struct worker_pool *pool;
	char device[DEVICE_NAME_MAX];
	struct plan plan; /* to measure when the device is open; owned */
	bool planned;
	json_t *job;           /* to send when the device is open */
	json_int_t job_number; /* of the running job, 0: none */
	struct sweep *sweep;
	enum background_job_state state;
	char text[640];
};

/* --- state --- */
static void set_job_state(struct background_job *s, enum background_job_state to, const char *text)
{
	s->state = to;
	snprintf(s->text, sizeof s->text, "%s", text);
	if (s->on)
		s->on(s->ctx, s, NULL);
}

enum background_job_state background_job_state(const struct background_job *s)
{
	return s ? s->state : BACKGROUND_IDLE;
}
bool background_job_is_busy(const struct background_job *s)
{
	return s && (s->state == BACKGROUND_OPENING || s->state == BACKGROUND_BUSY);
}
const struct sweep *background_job_sweep(const struct background_job *s)
{
	return s ? s->sweep : NULL;
}
const json_t *background_job_device_record(const struct background_job *s)
{
	return s && s->pool ? worker_pool_device_record(s->pool) : NULL;
}

const char *background_job_status_text(const struct background_job *s)
{
	if (!s)
		return "";
	return s->state == BACKGROUND_BUSY && s->sweep ? sweep_status_text(s->sweep) : s->text;
}

static void drop_requests(struct background_job *s)
{
	if (s->planned)
		plan_free(&s->plan);
	s->planned = false;
	json_decref(s->job);
	s->job = NULL;
	s->job_number = 0;
}

static void drop_job_work(struct background_job *s)
{
	if (s->sweep && sweep_state(s->sweep) == SWEEP_RUNNING)
		sweep_cancel(s->sweep);
	else if (s->job_number && s->pool)
		worker_pool_cancel(s->pool);
	if (s->sweep)
		sweep_free(s->sweep);
	s->sweep = NULL;
	drop_requests(s);
}

/* --- create, free --- */
struct background_job *background_job_create(struct app *a, const char *name, background_job_listener *on, void *ctx)
{
	int n = 0;
	for (struct background_job *s = a->background_jobs; s; s = s->next)
		n++;
	if (n >= BACKGROUND_JOBS_MAX)
		return NULL;
	struct background_job *s = xcalloc(1, sizeof *s);
	s->name = name;
	s->on = on;
	s->ctx = ctx;
	s->next = a->background_jobs;
	a->background_jobs = s;
	return s;
}

void background_job_free(struct app *a, struct background_job *s)
{
	struct background_job **at = &a->background_jobs;
	if (!s)
		return;
	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
	drop_job_work(s);
	worker_pool_close_async(s->pool);
	free(s);
}

void background_jobs_close(struct app *a)
{
	while (a->background_jobs) {
		struct background_job *s = a->background_jobs;
		a->background_jobs = s->next;
		drop_job_work(s);
		worker_pool_close(s->pool);
		free(s);
	}
}

/* --- requests --- */
static bool has_device_open(const struct background_job *s, const char *device)
{
	return s->pool && worker_pool_state(s->pool) != WORKER_DEAD && !strcmp(s->device, device);
}

/* An invalid name fails here; a device that cannot be opened ends the worker. */
static void open_job_device(struct background_job *s, const char *device)
{
	struct err e = {0};
	if (has_device_open(s, device)) {
		set_job_state(s, BACKGROUND_OPENING, "waiting for the device");
		return;
	}
	worker_pool_close_async(s->pool);
	snprintf(s->device, sizeof s->device, "%s", device);
	s->pool = worker_pool_start_local(device, worker_count_default(device), &e);
	set_job_state(s, s->pool ? BACKGROUND_OPENING : BACKGROUND_FAILED, s->pool ? "opening the device" : e.text);
}

void background_job_open_device(struct background_job *s, const char *device)
{
	drop_job_work(s);
	open_job_device(s, device);
}

void background_job_measure(struct background_job *s, const char *device, const struct plan *p)
{
	drop_job_work(s);
	plan_copy(&s->plan, p);
	s->planned = true;
	open_job_device(s, device);
}

void background_job_send(struct background_job *s, const char *device, json_t *job)
{
	drop_job_work(s);
	s->job = job;
	open_job_device(s, device);
}

void background_job_cancel(struct background_job *s)
{
	if (!background_job_is_busy(s))
		return;
	if (s->sweep && sweep_state(s->sweep) == SWEEP_RUNNING)
		sweep_cancel(s->sweep);
	else if (s->job_number && s->pool)
		worker_pool_cancel(s->pool);
	drop_requests(s);
	set_job_state(s, BACKGROUND_CANCELLED, "canceled");
}

/* --- called by the main loop --- */
static void start_request(struct background_job *s)
{
	struct err e = {0};
	if (s->planned) {
		s->sweep = sweep_start(&s->plan, s->pool, NULL, NULL, &e);
		drop_requests(s);
		set_job_state(s, s->sweep ? BACKGROUND_BUSY : BACKGROUND_FAILED, s->sweep ? "" : e.text);
	} else if (s->job) {
		json_t *job = s->job;
		s->job = NULL;
		s->job_number = record_get_job(job);
		set_job_state(s, worker_pool_send(s->pool, job) ? BACKGROUND_BUSY : BACKGROUND_FAILED, "");
	} else
		set_job_state(s, BACKGROUND_DONE, "the device is open");
}

static void handle_job_record(struct background_job *s, const json_t *r)
{
	if (s->sweep)
		sweep_handle_record(s->sweep, r);
	bool ours = s->job_number && !strcmp(record_get_type(r), "point") && record_get_job(r) == s->job_number;
	if (ours)
		s->job_number = 0;
	if (s->on)
		s->on(s->ctx, s, r);
	if (ours && s->state == BACKGROUND_BUSY)
		set_job_state(s, BACKGROUND_DONE, "");
}

static void finish_job_sweep(struct background_job *s)
{
	if (s->state != BACKGROUND_BUSY || !s->sweep || sweep_state(s->sweep) == SWEEP_RUNNING)
		return;
	bool done = sweep_state(s->sweep) == SWEEP_DONE;
	set_job_state(s, done ? BACKGROUND_DONE : BACKGROUND_FAILED, sweep_status_text(s->sweep));
}

/* A device that was only looked for may be missing: most machines have no GPU. */
static enum log_level death_level(const struct background_job *s)
{
	bool only_opened = !s->planned && !s->job && s->state == BACKGROUND_OPENING;
	return only_opened && worker_pool_open_failed(s->pool, NULL) ? LOG_INFO : LOG_ERROR;
}

static void on_job_pool_death(struct background_job *s)
{
	char why[640];
	enum log_level level = death_level(s);
	snprintf(why, sizeof why, "%s", worker_pool_crash_text(s->pool));
	if (s->sweep)
		sweep_pool_died(s->sweep, why);
	worker_pool_close(s->pool); /* already dead: this only frees it */
	s->pool = NULL;
	drop_requests(s);
	if (background_job_is_busy(s)) {
		log_printf(level, "%s: %s", s->device, why);
		set_job_state(s, BACKGROUND_FAILED, why);
	}
}

static bool pump_job(struct background_job *s)
{
	bool any = false;
	if (!s->pool)
		return false;
	worker_pool_pump(s->pool);
	for (json_t *r; (r = worker_pool_next_record(s->pool)); any = true) {
		handle_job_record(s, r);
		json_decref(r);
	}
	if (s->state == BACKGROUND_OPENING && worker_pool_state(s->pool) == WORKER_READY)
		start_request(s);
	finish_job_sweep(s);
	if (worker_pool_state(s->pool) == WORKER_DEAD)
		on_job_pool_death(s);
	return any;
}

void background_jobs_pump(struct app *a)
{
	for (struct background_job *s = a->background_jobs, *next; s; s = next) {
		next = s->next;
		if (pump_job(s))
			a->dirty = true;
	}
}

int background_jobs_poll_fds(const struct app *a, int *fds)
{
	int n = 0;
	for (const struct background_job *s = a->background_jobs; s; s = s->next)
		if (s->pool)
			n += worker_pool_poll_fds(s->pool, fds + n);
	return n;
}

bool background_jobs_are_busy(const struct app *a)
{
	for (const struct background_job *s = a->background_jobs; s; s = s->next)
		if (background_job_is_busy(s))
			return true;
	return false;
}

char *background_jobs_format_status(const struct app *a, char *out, size_t size)
{
	const struct background_job *s = a->background_jobs;
	*out = 0;
	while (s && (!*s->name || !background_job_is_busy(s)))
		s = s->next;
	if (!s)
		return out;
	bool elsewhere = strcmp(s->device, a->device) != 0;
	const char *text = background_job_status_text(s);
	snprintf(out, size, "%s%s%s: %s", s->name, elsewhere ? " on " : "", elsewhere ? s->device : "",
		*text ? text : "running");
	return out;
}
