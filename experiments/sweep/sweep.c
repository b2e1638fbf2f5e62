#include "experiments/sweep/sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/sweep/sweep_point.h"

enum {
	QUEUED = 2, /* jobs at the worker: it never waits for the next one, and a cancel has little to drop */
	TRIES = 2,  /* a point that was sent so often to workers which died at once is taken for the reason */
};

/* What the sweep knows of a point beyond what it shows. */
struct run {
	int job, tries;
	bool sent;
	double part;                      /* of it that is done */
	double gpu_seconds, instructions; /* of the running launch, where the device can say; else 0 */
};

struct sweep {
	struct plan plan;
	struct worker_controller *worker;
	sweep_listener *on_point;
	void *ctx;
	struct point *points;
	struct run *runs;
	int count, next, sent, told; /* next to send; at the worker; told the listener, in the plan's order */
	int open;                    /* none before it is still to end */
	bool compiling;
	enum sweep_state state;
	char text[600];
};

enum sweep_state sweep_state(const struct sweep *s)
{
	return s->state;
}
const struct plan *sweep_plan(const struct sweep *s)
{
	return &s->plan;
}
const char *sweep_status_text(const struct sweep *s)
{
	return s->text;
}

const struct point *sweep_points(const struct sweep *s, int *count)
{
	if (count)
		*count = s->count;
	return s->points;
}

static bool ended(const struct point *p)
{
	return p->status > POINT_RUNNING;
}

int sweep_done_count(const struct sweep *s)
{
	int n = 0;
	for (int i = 0; i < s->count; i++)
		n += ended(&s->points[i]);
	return n;
}

double sweep_fraction(const struct sweep *s)
{
	double done = 0;
	for (int i = 0; i < s->count; i++)
		done += ended(&s->points[i]) ? 1 : s->runs[i].part;
	return s->count ? done / s->count : 1;
}

/* --- the state in a line --- */
static void say(struct sweep *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct sweep *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(s->text, sizeof s->text, fmt, ap);
	va_end(ap);
}

/* What has ended stays so: the search goes on where the last one came to, and a long sweep costs no more a point than a
 * short one. */
static int first_open(struct sweep *s)
{
	while (s->open < s->count && ended(&s->points[s->open]))
		s->open++;
	return s->open;
}

/* How far a launch is in the GPU's own terms: a workgroup that takes long shows nothing else. */
static const char *launch_text(const struct run *r, char *out, size_t size)
{
	static const struct {
		double least;
		const char *unit;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {0, "us"}};
	int u = 0;
	char count[40];
	*out = 0;
	if (!(r->gpu_seconds > 0))
		return out;
	while (r->gpu_seconds < units[u].least)
		u++;
	units_format_short(count, sizeof count, r->instructions, "");
	snprintf(out, size, ", %.3g %s of GPU time, %s wave instructions",
		r->gpu_seconds / (units[u].least > 0 ? units[u].least : 1e-6), units[u].unit, count);
	return out;
}

static void say_running(struct sweep *s)
{
	char far[120];
	int at = first_open(s);
	if (s->points[at].status == POINT_WAITING)
		say(s, "point %d of %d: waiting for the device", at + 1, s->count);
	else if (s->compiling)
		say(s, "point %d of %d: compiling", at + 1, s->count);
	else if (s->runs[at].part == 0)
		say(s, "point %d of %d: running%s", at + 1, s->count, launch_text(&s->runs[at], far, sizeof far));
	else
		say(s, "point %d of %d: %.0f %%%s", at + 1, s->count, 100 * s->runs[at].part,
			launch_text(&s->runs[at], far, sizeof far));
}

static void say_done(struct sweep *s)
{
	int measured = 0;
	for (int i = 0; i < s->count; i++)
		measured += s->points[i].status == POINT_OK;
	if (measured < s->count)
		say(s, "%d of %d points measured", measured, s->count);
	else
		say(s, "%d point%s measured", s->count, s->count == 1 ? "" : "s");
}

/* --- sending --- */
static void fail(struct sweep *s, const char *why)
{
	s->state = SWEEP_FAILED;
	say(s, "%s", why);
}

static bool holds(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(json_string_value(json_array_get(list, i)), text))
			return true;
	return false;
}

/* What the plan asks for, behind what the definition does. */
static void add_counters(json_t *job, const char *const *names)
{
	json_t *list = json_object_get(job, "counters");
	if (!list && names)
		json_object_set_new(job, "counters", list = json_array());
	for (; names && *names; names++)
		if (!holds(list, *names))
			json_array_append_new(list, json_string(*names));
}

static void send_point(struct sweep *s, int i)
{
	static int jobs;
	struct err e = {.status = ST_REQUEST};
	json_t *job = experiment_build_job(s->plan.x, s->points[i].values, s->plan.soft_defaults, s->plan.verify, &e);
	s->runs[i].job = ++jobs;
	if (!job) {
		point_fail(&s->points[i], s->plan.x, i, s->runs[i].job, &e);
		return;
	}
	json_object_set_new(job, "job", json_integer(s->runs[i].job));
	json_object_set_new(job, "point", json_integer(i));
	add_counters(job, s->plan.counters);
	if (s->plan.profile)
		json_object_set_new(job, "profile", json_true());
	if (s->plan.inside)
		json_object_set_new(job, "inside", json_deep_copy(s->plan.inside));
	if (!worker_controller_send(s->worker, job)) {
		fail(s, "the worker is gone");
		return;
	}
	s->runs[i].sent = true;
	s->runs[i].tries++;
	s->sent++;
}

static void fill_queue(struct sweep *s)
{
	while (s->state == SWEEP_RUNNING && s->sent < QUEUED && s->next < s->count) {
		int i = s->next;
		if (!ended(&s->points[i]))
			send_point(s, i);
		if (s->state == SWEEP_RUNNING)
			s->next++;
	}
}

static void tell(struct sweep *s)
{
	while (s->state != SWEEP_CANCELLED && s->told < s->count &&
		ended(&s->points[s->told])) { /* the listener may cancel */
		int i = s->told++;
		if (s->on_point)
			s->on_point(s->ctx, s, i);
	}
}

static void finish(struct sweep *s)
{
	s->state = SWEEP_DONE;
	say_done(s);
	for (int i = 0; i < s->count; i++)
		if (s->points[i].status == POINT_CANCELLED) /* not by sweep_cancel, but at the worker */
			s->state = SWEEP_CANCELLED;
}

/* After anything has happened: the next jobs go out, the listener hears, and the line of text says where things are. */
static void settle(struct sweep *s)
{
	fill_queue(s);
	tell(s);
	if (s->state != SWEEP_RUNNING)
		return;
	if (first_open(s) < s->count)
		say_running(s);
	else
		finish(s);
}

/* --- records --- */
/* The point at the worker that a record is about, or -1. */
static int point_of(const struct sweep *s, const json_t *r)
{
	const json_t *job = json_object_get(r, "job");
	for (int i = s->told; json_is_integer(job) && i < s->next; i++)
		if (s->runs[i].sent && s->runs[i].job == json_integer_value(job))
			return i;
	return -1;
}

static void take_progress(struct sweep *s, int i, const json_t *r)
{
	double done = json_number_value(json_object_get(r, "done")),
	       total = json_number_value(json_object_get(r, "total"));
	double part = total > 0 ? done / total : 0;
	s->points[i].status = POINT_RUNNING;
	s->compiling = false;
	s->runs[i].part = part < 0 ? 0 : part > 1 ? 1 : part;
	s->runs[i].gpu_seconds = json_number_value(json_object_get(r, "gpu_seconds"));
	s->runs[i].instructions = json_number_value(json_object_get(r, "instructions"));
	say_running(s);
}

void sweep_handle_record(struct sweep *s, const json_t *r)
{
	const char *type = record_get_type(r);
	int i = s->state == SWEEP_RUNNING ? point_of(s, r) : -1;
	if (s->state == SWEEP_RUNNING && !strcmp(type, "fatal"))
		fail(s, record_get_text(r, "text"));
	if (i < 0)
		return;
	if (!strcmp(type, "state")) {
		s->points[i].status = POINT_RUNNING;
		s->compiling = !strcmp(record_get_text(r, "state"), "compiling");
		say_running(s);
	} else if (!strcmp(type, "progress")) {
		take_progress(s, i, r);
	} else if (!strcmp(type, "point")) {
		s->runs[i].sent = false;
		s->sent--;
		s->compiling = false;
		point_finish(&s->points[i], s->plan.x, i, r);
		settle(s);
	}
}

/* --- start, death, end --- */
void plan_copy(struct plan *to, const struct plan *from)
{
	*to = *from;
	for (int i = 0; i < from->axis_count; i++) {
		size_t bytes = (size_t)from->axes[i].count * sizeof(double);
		to->axes[i].values = xmalloc(bytes);
		memcpy(to->axes[i].values, from->axes[i].values, bytes);
	}
}

/* A sweep of which no point can be launched is a wrong request. */
static bool any_job(const struct sweep *s, struct err *e)
{
	for (int i = 0; i < s->count; i++) {
		json_t *job = experiment_build_job(
			s->plan.x, s->points[i].values, s->plan.soft_defaults, s->plan.verify, i ? NULL : e);
		json_decref(job);
		if (job)
			return true;
	}
	return false;
}

/* What is known before anything is compiled. */
static bool suits(const struct experiment *x, struct worker_controller *w, struct err *e)
{
	const json_t *device = w ? worker_controller_device_record(w) : NULL;
	const char *arch = record_get_text(device, "arch");
	return experiment_supports_arch(x, arch) ||
		err_set(e, ST_REQUEST, "%s needs %s; %s is %s", x->id, x->needs, record_get_text(device, "device"),
			arch);
}

struct sweep *sweep_start(
	const struct plan *p, struct worker_controller *w, sweep_listener *on_point, void *ctx, struct err *e)
{
	if (!suits(p->x, w, e))
		return NULL;
	struct sweep *s = xcalloc(1, sizeof *s);
	plan_copy(&s->plan, p);
	s->worker = w;
	s->on_point = on_point;
	s->ctx = ctx;
	s->count = plan_point_count(p);
	s->points = xcalloc((size_t)s->count, sizeof *s->points);
	s->runs = xcalloc((size_t)s->count, sizeof *s->runs);
	for (int i = 0; i < s->count; i++)
		plan_point_values(p, i, s->points[i].values);
	if (!any_job(s, e)) {
		sweep_free(s);
		return NULL;
	}
	fill_queue(s); /* the listener hears nothing before the first record: its owner has no sweep yet */
	if (s->state == SWEEP_RUNNING)
		say_running(s);
	return s;
}

/* The point that ran when the worker died, else the first one at the worker when it has been there often enough; -1
 * when none is to blame. */
static int guilty_point(const struct sweep *s)
{
	for (int i = s->told; i < s->next; i++)
		if (s->points[i].status == POINT_RUNNING)
			return i;
	for (int i = s->told; i < s->next; i++)
		if (s->runs[i].sent)
			return s->runs[i].tries >= TRIES ? i : -1;
	return -1;
}

static void take_back(struct sweep *s)
{
	for (int i = s->told; i < s->next; i++)
		if (!ended(&s->points[i])) {
			s->points[i].status = POINT_WAITING;
			s->runs[i].sent = false;
			s->runs[i].part = s->runs[i].gpu_seconds = s->runs[i].instructions = 0;
		}
	s->sent = 0;
	s->next = first_open(s);
	s->compiling = false;
}

void sweep_worker_died(struct sweep *s, const char *why)
{
	if (s->state != SWEEP_RUNNING && s->state != SWEEP_FAILED)
		return;
	int guilty = guilty_point(s);
	struct err death = {.status = ST_FAILED};
	snprintf(death.text, sizeof death.text, "%s", why);
	if (guilty >= 0)
		point_fail(&s->points[guilty], s->plan.x, guilty, s->runs[guilty].job, &death);
	take_back(s);
	s->worker = NULL;
	if (s->state == SWEEP_RUNNING || guilty >= 0)
		fail(s, why);
	tell(s);
	if (first_open(s) == s->count && s->state != SWEEP_CANCELLED)
		finish(s);
}

bool sweep_resume(struct sweep *s, struct worker_controller *w)
{
	if (s->state == SWEEP_DONE)
		return true;
	if (s->state != SWEEP_FAILED || !w)
		return false;
	take_back(s);
	s->worker = w;
	s->state = SWEEP_RUNNING;
	settle(s);
	return s->state != SWEEP_FAILED;
}

void sweep_cancel(struct sweep *s)
{
	int measured = sweep_done_count(s);
	if (s->state != SWEEP_RUNNING && s->state != SWEEP_FAILED)
		return;
	if (s->state == SWEEP_RUNNING && s->sent)
		worker_controller_cancel(s->worker);
	for (int i = 0; i < s->count; i++)
		if (!ended(&s->points[i]))
			s->points[i].status = POINT_CANCELLED;
	s->sent = 0;
	s->state = SWEEP_CANCELLED;
	say(s, "cancelled: %d of %d points measured", measured, s->count);
}

void sweep_free(struct sweep *s)
{
	if (!s)
		return;
	for (int i = 0; i < s->count; i++)
		json_decref(s->points[i].record);
	plan_free(&s->plan);
	free(s->points);
	free(s->runs);
	free(s);
}
