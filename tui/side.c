#include "tui/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"

struct side {
	struct side *next;
	side_listener *on;
	void *ctx;
	struct worker *worker;
	char device[DEVICE_NAME_MAX];
	struct plan plan; /* to be measured when the device is open; copied */
	bool planned;
	json_t *job;           /* to be sent then */
	json_int_t job_number; /* of the job that is under way, 0: none */
	struct sweep *sweep;
	enum side_state state;
	char text[640];
};

/* --- state --- */
static void change(struct side *s, enum side_state to, const char *text)
{
	s->state = to;
	snprintf(s->text, sizeof s->text, "%s", text);
	if (s->on)
		s->on(s->ctx, s, NULL);
}

enum side_state side_state(const struct side *s)
{
	return s ? s->state : SIDE_IDLE;
}
bool side_busy(const struct side *s)
{
	return s && (s->state == SIDE_OPENING || s->state == SIDE_BUSY);
}
const struct sweep *side_sweep(const struct side *s)
{
	return s ? s->sweep : NULL;
}
const json_t *side_device_record(const struct side *s)
{
	return s && s->worker ? worker_device_record(s->worker) : NULL;
}

const char *side_text(const struct side *s)
{
	if (!s)
		return "";
	return s->state == SIDE_BUSY && s->sweep ? sweep_text(s->sweep) : s->text;
}

static void forget_wishes(struct side *s)
{
	if (s->planned)
		plan_free(&s->plan);
	s->planned = false;
	json_decref(s->job);
	s->job = NULL;
	s->job_number = 0;
}

static void drop(struct side *s)
{
	if (s->sweep && sweep_state(s->sweep) == SWEEP_RUNNING)
		sweep_cancel(s->sweep);
	else if (s->job_number && s->worker)
		worker_cancel(s->worker);
	if (s->sweep)
		sweep_free(s->sweep);
	s->sweep = NULL;
	forget_wishes(s);
}

/* --- life --- */
struct side *side_new(struct app *a, side_listener *on, void *ctx)
{
	int n = 0;
	for (struct side *s = a->sides; s; s = s->next)
		n++;
	if (n >= SIDES_MAX)
		return NULL;
	struct side *s = xcalloc(1, sizeof *s);
	s->on = on;
	s->ctx = ctx;
	s->next = a->sides;
	a->sides = s;
	return s;
}

void side_free(struct app *a, struct side *s)
{
	struct side **at = &a->sides;
	if (!s)
		return;
	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
	drop(s);
	worker_retire(s->worker);
	free(s);
}

void sides_close(struct app *a)
{
	while (a->sides) {
		struct side *s = a->sides;
		a->sides = s->next;
		drop(s);
		worker_close(s->worker);
		free(s);
	}
}

/* --- asking --- */
static bool open_on(const struct side *s, const char *device)
{
	return s->worker && worker_state(s->worker) != WORKER_DEAD && !strcmp(s->device, device);
}

/* A name that is no device's is refused here; what cannot be opened arrives as the worker's death. */
static void open_device(struct side *s, const char *device)
{
	struct err e = {0};
	if (open_on(s, device)) {
		change(s, SIDE_OPENING, "waiting for the device");
		return;
	}
	worker_retire(s->worker);
	snprintf(s->device, sizeof s->device, "%s", device);
	s->worker = worker_start(device, &e);
	change(s, s->worker ? SIDE_OPENING : SIDE_FAILED, s->worker ? "opening the device" : e.text);
}

void side_open(struct side *s, const char *device)
{
	drop(s);
	open_device(s, device);
}

void side_measure(struct side *s, const char *device, const struct plan *p)
{
	drop(s);
	plan_copy(&s->plan, p);
	s->planned = true;
	open_device(s, device);
}

void side_job(struct side *s, const char *device, json_t *job)
{
	drop(s);
	s->job = job;
	open_device(s, device);
}

void side_cancel(struct side *s)
{
	if (!side_busy(s))
		return;
	if (s->sweep && sweep_state(s->sweep) == SWEEP_RUNNING)
		sweep_cancel(s->sweep);
	else if (s->job_number && s->worker)
		worker_cancel(s->worker);
	forget_wishes(s);
	change(s, SIDE_CANCELLED, "cancelled");
}

/* --- the loop's side --- */
static void start_wish(struct side *s)
{
	struct err e = {0};
	if (s->planned) {
		s->sweep = sweep_start(&s->plan, s->worker, NULL, NULL, &e);
		forget_wishes(s);
		change(s, s->sweep ? SIDE_BUSY : SIDE_FAILED, s->sweep ? "" : e.text);
	} else if (s->job) {
		json_t *job = s->job;
		s->job = NULL;
		s->job_number = json_integer_value(json_object_get(job, "job"));
		change(s, worker_send(s->worker, job) ? SIDE_BUSY : SIDE_FAILED, "");
	} else
		change(s, SIDE_DONE, "the device is open");
}

static void take(struct side *s, const json_t *r)
{
	if (s->sweep)
		sweep_record(s->sweep, r);
	bool ours = s->job_number && !strcmp(record_type(r), "point") &&
		json_integer_value(json_object_get(r, "job")) == s->job_number;
	if (ours)
		s->job_number = 0;
	if (s->on)
		s->on(s->ctx, s, r);
	if (ours && s->state == SIDE_BUSY)
		change(s, SIDE_DONE, "");
}

static void settle(struct side *s)
{
	if (s->state != SIDE_BUSY || !s->sweep || sweep_state(s->sweep) == SWEEP_RUNNING)
		return;
	bool done = sweep_state(s->sweep) == SWEEP_DONE;
	change(s, done ? SIDE_DONE : SIDE_FAILED, sweep_text(s->sweep));
}

static void on_death(struct side *s)
{
	char why[640];
	snprintf(why, sizeof why, "%s", worker_death(s->worker));
	if (s->sweep)
		sweep_worker_died(s->sweep, why);
	worker_close(s->worker); /* dead already: this only frees */
	s->worker = NULL;
	forget_wishes(s);
	if (side_busy(s)) {
		log_line(LOG_ERROR, "%s: %s", s->device, why);
		change(s, SIDE_FAILED, why);
	}
}

static bool pump(struct side *s)
{
	bool any = false;
	if (!s->worker)
		return false;
	worker_pump(s->worker);
	for (json_t *r; (r = worker_next(s->worker)); any = true) {
		take(s, r);
		json_decref(r);
	}
	if (s->state == SIDE_OPENING && worker_state(s->worker) == WORKER_READY)
		start_wish(s);
	settle(s);
	if (worker_state(s->worker) == WORKER_DEAD)
		on_death(s);
	return any;
}

void sides_pump(struct app *a)
{
	for (struct side *s = a->sides, *next; s; s = next) {
		next = s->next;
		if (pump(s))
			a->dirty = true;
	}
}

int sides_fds(const struct app *a, int *fds)
{
	int n = 0;
	for (const struct side *s = a->sides; s; s = s->next)
		if (s->worker)
			n += worker_fds(s->worker, fds + n);
	return n;
}

bool sides_busy(const struct app *a)
{
	for (const struct side *s = a->sides; s; s = s->next)
		if (side_busy(s))
			return true;
	return false;
}
