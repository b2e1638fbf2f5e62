#include "experiments/sweep/sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/units.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "experiments/definition/native_permission.h"
#include "experiments/definition/program/named_program.h"
#include "experiments/definition/point/point_setup.h"
#include "experiments/sweep/send_order.h"
#include "experiments/sweep/sweep_point.h"

/* State of a point that is not shown. */
struct run {
	int job;
	struct point_setup *setup; /* owned; from the first time that it is needed until the job is built */
	bool sent, compiling;
	double began, ran; /* now_seconds() at its first record, and at the first after compiling; 0 before */
	double part;       /* that is done, 0..1 */
	double gpu_seconds, instructions; /* of the running launch, if the device reports them; else 0 */
};

struct sweep {
	struct plan plan;
	struct worker_pool *pool;
	sweep_listener *on_point;
	void *ctx;
	struct point *points;
	struct run *runs;
	struct send_order order;
	int first_job;             /* of point 0; a point's number does not depend on when it is sent */
	int count, sent, sent_end; /* sent: number in the pool; no point from sent_end on was sent */
	int reported;              /* number reported to the listener, in the plan's order */
	int open;                  /* all points before it have ended */
	double began, last_end;    /* now_seconds() of the start and of the latest end of a point */
	json_t *latest;            /* the record of the point that ended last */
	struct kernel_agreement own_kernels, *kernels; /* those of the points so far */
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

static bool is_point_ended(const struct point *p)
{
	return p->status > POINT_RUNNING;
}

/* While the sweep runs, those before have ended and those behind wait: the cost of a look at them does not grow with
 * the sweep. */
void sweep_open_points(const struct sweep *s, int *from, int *to)
{
	bool running = s->state == SWEEP_RUNNING;
	*from = running ? s->open : 0;
	*to = running ? s->sent_end : s->count;
}

int sweep_done_count(const struct sweep *s)
{
	int from, to;
	sweep_open_points(s, &from, &to);
	int n = from;
	for (int i = from; i < to; i++)
		n += is_point_ended(&s->points[i]);
	return n;
}

double sweep_fraction(const struct sweep *s)
{
	int from, to;
	sweep_open_points(s, &from, &to);
	double done = from;
	for (int i = from; i < to; i++)
		done += is_point_ended(&s->points[i]) ? 1 : s->runs[i].part;
	return s->count ? done / s->count : 1;
}

double sweep_elapsed(const struct sweep *s)
{
	return now_seconds() - s->began;
}

double sweep_point_elapsed(const struct sweep *s)
{
	return s->state == SWEEP_RUNNING ? now_seconds() - s->last_end : 0;
}

/* --- status text --- */
static void set_status_text(struct sweep *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void set_status_text(struct sweep *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(s->text, sizeof s->text, fmt, ap);
	va_end(ap);
}

/* Points that have ended stay so. The search continues where the last one stopped, so its cost per point does not grow
 * with the sweep. */
static int find_first_open_point(struct sweep *s)
{
	while (s->open < s->count && is_point_ended(&s->points[s->open]))
		s->open++;
	return s->open;
}

/* Progress of a launch in GPU time and instructions; a long-running workgroup shows no other progress. */
static const char *format_launch_progress(const struct run *r, char *out, size_t size)
{
	static const struct {
		double least, seconds; /* least: what three digits round to one of the unit */
		const char *unit;
	} units[] = {{0.9995, 1, "s"}, {0.9995e-3, 1e-3, "ms"}, {0, 1e-6, "us"}};
	int u = 0;
	char count[40];
	*out = 0;
	if (!(r->gpu_seconds > 0))
		return out;
	while (r->gpu_seconds < units[u].least)
		u++;
	units_format_short(count, sizeof count, r->instructions, "");
	snprintf(out, size, ", %.3g %s of GPU time, %s wave instructions", r->gpu_seconds / units[u].seconds,
		units[u].unit, count);
	return out;
}

/* Also gives the first of them, or else the first open point. */
static int count_running_points(struct sweep *s, int *first)
{
	int n = 0;
	*first = find_first_open_point(s);
	for (int i = s->open; i < s->sent_end; i++)
		if (s->points[i].status == POINT_RUNNING && !n++)
			*first = i;
	return n;
}

static void describe_running_points(struct sweep *s)
{
	char far[120];
	int at, running = count_running_points(s, &at);
	if (!running)
		set_status_text(s, "point %d of %d: waiting for the device", at + 1, s->count);
	else if (s->runs[at].compiling)
		set_status_text(s, "point %d of %d: compiling", at + 1, s->count);
	else if (s->runs[at].part == 0)
		set_status_text(s, "point %d of %d: running%s", at + 1, s->count,
			format_launch_progress(&s->runs[at], far, sizeof far));
	else
		set_status_text(s, "point %d of %d: %.0f %%%s", at + 1, s->count, 100 * s->runs[at].part,
			format_launch_progress(&s->runs[at], far, sizeof far));
	if (running > 1) {
		size_t n = strlen(s->text);
		snprintf(s->text + n, sizeof s->text - n, ", %d running", running);
	}
}

static void describe_finished_sweep(struct sweep *s)
{
	int measured = 0;
	for (int i = 0; i < s->count; i++)
		measured += s->points[i].status == POINT_OK;
	if (measured < s->count)
		set_status_text(s, "%d of %d points measured", measured, s->count);
	else
		set_status_text(s, "%d point%s measured", s->count, s->count == 1 ? "" : "s");
}

/* --- sending --- */
static void fail_sweep(struct sweep *s, const char *why)
{
	s->state = SWEEP_FAILED;
	set_status_text(s, "%s", why);
}

static const struct point_setup *evaluate_point(struct sweep *s, int i)
{
	const struct plan *p = &s->plan;
	struct run *r = &s->runs[i];
	if (!r->setup)
		r->setup = point_setup_evaluate(p->x, s->points[i].values, p->soft_defaults, p->arch);
	return r->setup;
}

static void drop_setup(struct sweep *s, int i)
{
	point_setup_free(s->runs[i].setup);
	s->runs[i].setup = NULL;
}

/* A recording runs nothing. NULL with an error. */
static json_t *build_point_job(struct sweep *s, int i, struct err *e)
{
	const char *device = device_get_id(worker_pool_device_record(s->pool));
	json_t *job = point_setup_build_job(evaluate_point(s, i), s->plan.verify, e);
	if (!job || device_can(device, DEVICE_RECORDING) ||
		(native_job_check(job, e) && named_program_complete(job, e)))
		return job;
	json_decref(job);
	return NULL;
}

static void send_point_job(struct sweep *s, int i)
{
	struct err e = {.status = ST_REQUEST};
	json_t *job = build_point_job(s, i, &e);
	drop_setup(s, i);
	s->runs[i].job = s->first_job + i;
	if (!job) {
		point_fail(&s->points[i], s->plan.x, i, s->runs[i].job, &e);
		return;
	}
	json_object_set_new(job, "job", json_integer(s->runs[i].job));
	json_object_set_new(job, "point", json_integer(i));
	job_add_counters(job, s->plan.counters);
	sampling_add_to_job(&s->plan.sampling, job);
	if (s->plan.profile)
		json_object_set_new(job, "profile", json_true());
	if (s->plan.digest)
		json_object_set_new(job, "digest", json_true());
	if (s->plan.checks)
		json_object_set_new(job, "checks", json_string(s->plan.checks));
	if (s->plan.inside)
		json_object_set_new(job, "inside", json_deep_copy(s->plan.inside));
	if (!worker_pool_send(s->pool, job)) {
		fail_sweep(s, worker_pool_crash_text(s->pool));
		return;
	}
	s->runs[i].sent = true;
	s->sent++;
}

static void fill_pool(struct sweep *s)
{
	while (s->state == SWEEP_RUNNING && s->sent < worker_pool_wanted_jobs(s->pool)) {
		int i = send_order_take(&s->order);
		if (i < 0)
			return;
		if (s->sent_end <= i)
			s->sent_end = i + 1;
		send_point_job(s, i);
	}
}

static void notify_listener(struct sweep *s)
{
	while (s->state != SWEEP_CANCELLED && s->reported < s->count &&
		is_point_ended(&s->points[s->reported])) { /* the listener may cancel the sweep */
		int i = s->reported++;
		if (s->on_point)
			s->on_point(s->ctx, s, i);
	}
}

/* At the end of a sweep that is not complete, nothing that was measured waits for the points before it. */
static void notify_of_remaining_points(struct sweep *s)
{
	for (int i; s->reported < s->count;) {
		i = s->reported++;
		if (s->on_point && is_point_ended(&s->points[i]) && s->points[i].status != POINT_CANCELLED)
			s->on_point(s->ctx, s, i);
	}
}

static void finish_sweep(struct sweep *s)
{
	s->state = SWEEP_DONE;
	describe_finished_sweep(s);
	for (int i = 0; i < s->count; i++)
		if (s->points[i].status == POINT_CANCELLED) /* by the worker, not by sweep_cancel */
			s->state = SWEEP_CANCELLED;
}

/* After every event: sends the next jobs, notifies the listener, and updates the status text. */
static void advance_sweep(struct sweep *s)
{
	fill_pool(s);
	notify_listener(s);
	if (s->state != SWEEP_RUNNING)
		return;
	if (find_first_open_point(s) < s->count)
		describe_running_points(s);
	else
		finish_sweep(s);
}

/* --- records --- */
/* The point of a record among those at the worker, or -1. */
static int find_sent_point(const struct sweep *s, const json_t *r)
{
	json_int_t job = record_get_job(r);
	for (int i = s->reported; job && i < s->sent_end; i++)
		if (s->runs[i].sent && s->runs[i].job == job)
			return i;
	return -1;
}

static void cancel_sent_jobs(struct sweep *s)
{
	for (int i = s->open; i < s->sent_end; i++)
		if (s->runs[i].sent)
			worker_pool_cancel_job(s->pool, s->runs[i].job);
}

/* A point of another kernel than those before does not belong to the sweep. */
static bool check_point_kernel(struct sweep *s, int i, const json_t *r)
{
	char what[300], why[500];
	if (!point_is_ok(r) || kernel_agreement_add(s->kernels, r, what, sizeof what))
		return true;
	snprintf(why, sizeof why, "point %d was measured with another kernel than those before it: %s; %s", i + 1, what,
		s->kernels->advice ? s->kernels->advice : "measure them all again");
	cancel_sent_jobs(s);
	fail_sweep(s, why);
	return false;
}

static void end_point(struct sweep *s, int i, const json_t *r)
{
	s->runs[i].sent = false;
	s->sent--;
	if (!check_point_kernel(s, i, r))
		return;
	s->last_end = now_seconds();
	send_order_note_time(&s->order, i, s->last_end - s->runs[i].began);
	point_finish(&s->points[i], s->plan.x, i, r, s->latest);
	s->points[i].host_seconds = s->last_end - s->runs[i].ran;
	s->points[i].compile_seconds = s->runs[i].ran - s->runs[i].began;
	json_decref(s->latest);
	s->latest = json_incref(s->points[i].record);
	advance_sweep(s);
}

static void update_progress(struct sweep *s, int i, const json_t *r)
{
	double done = json_number_value(json_object_get(r, "done")),
	       total = json_number_value(json_object_get(r, "total"));
	double part = total > 0 ? done / total : 0;
	s->points[i].status = POINT_RUNNING;
	s->runs[i].compiling = false;
	s->runs[i].part = part < 0 ? 0 : part > 1 ? 1 : part;
	s->runs[i].gpu_seconds = json_number_value(json_object_get(r, "gpu_seconds"));
	s->runs[i].instructions = json_number_value(json_object_get(r, "instructions"));
	describe_running_points(s);
}

void sweep_handle_record(struct sweep *s, const json_t *r)
{
	const char *type = record_get_type(r);
	int i = s->state == SWEEP_RUNNING ? find_sent_point(s, r) : -1;
	if (s->state == SWEEP_RUNNING && !strcmp(type, "fatal"))
		fail_sweep(s, record_get_text(r, "text"));
	if (i < 0)
		return;
	if (!s->runs[i].began)
		s->runs[i].began = now_seconds();
	bool compiling = !strcmp(type, "state") && !strcmp(record_get_text(r, "state"), "compiling");
	if (!s->runs[i].ran && !compiling)
		s->runs[i].ran = now_seconds();
	if (!strcmp(type, "state")) {
		s->points[i].status = POINT_RUNNING;
		s->runs[i].compiling = compiling;
		describe_running_points(s);
	} else if (!strcmp(type, "progress")) {
		update_progress(s, i, r);
	} else if (!strcmp(type, "point")) {
		end_point(s, i, r);
	}
}

/* --- start, failure, end --- */
/* A sweep without any valid point is a wrong request. */
static bool check_first_job(struct sweep *s, struct err *e)
{
	for (int i = 0; i < s->count; i++) {
		json_t *job = build_point_job(s, i, i ? NULL : e);
		json_decref(job);
		if (job)
			return true;
		drop_setup(s, i); /* its error is shown when its turn comes */
	}
	return false;
}

/* Only the order of points to several workers depends on their work. */
static void make_send_order(struct sweep *s)
{
	int workers = worker_pool_size(s->pool);
	double *work = send_order_needs_work(s->count, workers) ? xcalloc((size_t)s->count, sizeof *work) : NULL;
	for (int i = 0; work && i < s->count; i++)
		if (!point_setup_get_work(evaluate_point(s, i), &work[i]))
			work[i] = 0;
	send_order_make(&s->order, s->plan.x, s->points, work, s->count, workers);
	free(work);
}

/* Checks the target before anything is compiled. */
static bool check_device_target(const struct plan *p, struct worker_pool *w, struct err *e)
{
	const struct experiment *x = p->x;
	const json_t *device = w ? worker_pool_device_record(w) : NULL;
	const char *arch = device_get_arch(device);
	if (!experiment_supports_arch(x, arch))
		return err_set(e, ST_REQUEST, "%s needs %s; %s is %s", x->id, x->needs, device_get_id(device), arch);
	return device_record_can(device, DEVICE_RECORDING) || plan_check_variant(p, arch, e);
}

/* Jobs have different numbers in all sweeps of a program. */
static int take_job_numbers(int count)
{
	static int taken;
	taken += count;
	return taken - count + 1;
}

struct sweep *sweep_start(
	const struct plan *p, struct worker_pool *w, sweep_listener *on_point, void *ctx, struct err *e)
{
	if (!check_device_target(p, w, e))
		return NULL;
	struct sweep *s = xcalloc(1, sizeof *s);
	experiment_begin_sweep(p->x);
	plan_copy(&s->plan, p);
	s->pool = w;
	s->kernels = &s->own_kernels;
	s->on_point = on_point;
	s->ctx = ctx;
	s->began = s->last_end = now_seconds();
	s->count = plan_point_count(p);
	s->first_job = take_job_numbers(s->count);
	s->points = xcalloc((size_t)s->count, sizeof *s->points);
	s->runs = xcalloc((size_t)s->count, sizeof *s->runs);
	for (int i = 0; i < s->count; i++)
		plan_point_values(p, i, s->points[i].values);
	if (!check_first_job(s, e)) {
		sweep_free(s);
		return NULL;
	}
	make_send_order(s);
	fill_pool(s); /* does not notify the listener: its owner does not have the sweep yet */
	if (s->state == SWEEP_RUNNING)
		describe_running_points(s);
	return s;
}

void sweep_share_kernels(struct sweep *s, struct kernel_agreement *kernels)
{
	s->kernels = kernels;
}

void sweep_pool_died(struct sweep *s, const char *why)
{
	if (s->state == SWEEP_RUNNING)
		fail_sweep(s, why);
	if (s->state != SWEEP_FAILED)
		return;
	for (int i = s->open; i < s->sent_end; i++)
		if (!is_point_ended(&s->points[i]))
			s->points[i].status = POINT_WAITING;
	s->pool = NULL;
	s->sent = 0;
	notify_of_remaining_points(s);
}

void sweep_cancel(struct sweep *s)
{
	int measured = sweep_done_count(s);
	if (s->state != SWEEP_RUNNING && s->state != SWEEP_FAILED)
		return;
	if (s->state == SWEEP_RUNNING)
		cancel_sent_jobs(s);
	for (int i = 0; i < s->count; i++)
		if (!is_point_ended(&s->points[i]))
			s->points[i].status = POINT_CANCELLED;
	s->sent = 0;
	s->state = SWEEP_CANCELLED;
	set_status_text(s, "canceled: %d of %d points measured", measured, s->count);
	notify_of_remaining_points(s);
}

void sweep_forget_record(const struct sweep *s, int point)
{
	json_decref(s->points[point].record);
	s->points[point].record = NULL;
}

void sweep_free(struct sweep *s)
{
	if (!s)
		return;
	for (int i = 0; i < s->count; i++) {
		json_decref(s->points[i].record);
		drop_setup(s, i);
	}
	json_decref(s->latest);
	plan_free(&s->plan);
	send_order_free(&s->order);
	kernel_agreement_free(&s->own_kernels);
	free(s->points);
	free(s->runs);
	free(s);
}
