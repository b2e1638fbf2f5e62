#include "tui/lab/lab_measure.h"

#include <stdio.h>
#include <string.h>

#include "base/host/usable_cores.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/edit/file_watch.h"
#include "tui/lab/edit/kernel_edit.h"
#include "tui/lab/edit/native_choice.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab.h"
#include "tui/lab/playback.h"

enum {
	LOOK_MS = 20,
	CHANGES_MS = 150,  /* changes that follow each other faster wait for the last of them */
	TICK_MS = 250,     /* worker_pool_pump must be called this often */
	RESTART_MS = 1000, /* before new workers start after a pool that gave up */
};

bool measure_is_running(const struct app *a)
{
	return a->sweep && (sweep_state(a->sweep) == SWEEP_RUNNING || playback_has_pending(a));
}

/* --- worker --- */
void measure_start_worker(struct app *a)
{
	struct err e = {0};
	if (a->workers)
		return;
	a->restart_at = 0;
	a->fatal[0] = 0;
	a->workers = worker_pool_start_local(a->device, worker_count_default(a->device), &e);
	if (a->workers)
		log_printf(LOG_INFO, "%s: worker started", a->device);
	else {
		snprintf(a->fatal, sizeof a->fatal, "%s", e.text);
		app_show_message(a, ROLE_BAD, "%s", e.text);
	}
}

/* A sweep starts only on a worker that is ready and has no jobs left, so that a cancel waits for one dispatch at most.
 */
static bool worker_is_ready(const struct app *a)
{
	return a->workers && worker_pool_state(a->workers) == WORKER_READY;
}

static void notify_views_of_death(struct app *a, const char *why)
{
	for (int i = 0; views[i]; i++)
		if (views[i]->worker_died)
			views[i]->worker_died(a, why);
}

static void on_pool_death(struct app *a)
{
	char why[640];
	enum status status;
	bool fatal = worker_pool_open_failed(a->workers, &status);
	snprintf(why, sizeof why, "%s", worker_pool_crash_text(a->workers));
	if (a->sweep)
		sweep_pool_died(a->sweep, why);
	notify_views_of_death(a, why);
	recording_write_points(a);
	worker_pool_close(a->workers);
	a->workers = NULL;
	a->idle = (struct clocks){0};
	app_show_message(a, ROLE_BAD, "%s", why);
	if (!fatal) {
		a->restart_at = now_ms() + RESTART_MS;
		return;
	}
	a->measure_at = 0; /* only the user can try again */
	snprintf(a->fatal, sizeof a->fatal, "%s", why);
}

/* --- sweep --- */
void measure_drop_sweep(struct app *a)
{
	if (!a->sweep)
		return;
	if (sweep_state(a->sweep) == SWEEP_RUNNING)
		sweep_cancel(a->sweep);
	recording_end_sweep(a);
	sweep_free(a->sweep);
	a->sweep = NULL;
	a->sweeping = NULL;
}

static void change_status(struct measured_curve *c, int point, enum point_status to)
{
	bool ended = c->points[point].status < POINT_OK && to >= POINT_OK;
	c->points[point].status = to;
	if (ended)
		curve_digest_note(c, point);
}

/* Copies the states of unfinished points: running, canceled. Those that have ended come through the listener, in order.
 */
static void copy_point_states(struct app *a)
{
	int from, to;
	const struct point *points = a->sweep ? sweep_points(a->sweep, NULL) : NULL;
	if (!points || !a->sweeping || a->states_known)
		return;
	struct measured_curve *c = &a->sweeping->curve;
	sweep_open_points(a->sweep, &from, &to);
	a->states_known = sweep_state(a->sweep) != SWEEP_RUNNING;
	for (int i = from; i < to && i < c->count; i++)
		if ((c->points[i].status < POINT_OK && points[i].status < POINT_OK) ||
			points[i].status == POINT_CANCELLED)
			change_status(c, i, points[i].status);
}

/* Logs each reason once per sweep. The crash of a worker is already in the log. */
static void log_point_fault(const struct app *a, const struct point *p, int at)
{
	const struct measured_curve *c = &a->sweeping->curve;
	const char *why = p->status == POINT_FAILED ? point_get_error(p->record) : p->text;
	if (!p->text[0] || p->status == POINT_CANCELLED || !a->workers || worker_pool_state(a->workers) == WORKER_DEAD)
		return;
	for (int i = 0; i < c->count; i++)
		if (i != at && c->points[i].status >= POINT_OK && !strcmp(c->points[i].text, p->text))
			return;
	why = *why ? why : p->text;
	log_printf(p->status == POINT_FAILED ? LOG_ERROR : LOG_WARNING, "%s: point %d: %.*s", a->sweeping->x->id,
		at + 1, (int)strcspn(why, "\n"), why);
}

static void on_sweep_point(void *ctx, const struct sweep *s, int point)
{
	struct app *a = ctx;
	int count;
	const struct point *points = sweep_points(s, &count);
	if (!a->sweeping || point < 0 || point >= count)
		return;
	if (!playback_is_enabled(a))
		measured_curve_set_point(&a->sweeping->curve, point, &points[point]);
	a->sweeping->curve.saved =
		a->sweeping->curve.saved && (a->recording.on || device_can(a->device, DEVICE_RECORDING));
	log_point_fault(a, &points[point], point);
	if (points[point].status == POINT_OK)
		point_costs_add(&a->sweeping->costs, a->sweeping->x, &a->sweeping->published, points[point].values,
			points[point].host_seconds, points[point].compile_seconds);
	a->dirty = true;
}

/* Several workers on a core are no faster than one. */
static void use_costs_of_device(const struct app *a, struct lab *b)
{
	int workers = worker_pool_size(a->workers), cores = (int)usable_cores();
	b->costs.device = measured_curve_device_hash(a->device);
	b->costs.workers = workers < cores ? workers : cores;
}

struct sampling measure_sampling(const struct app *a)
{
	if (device_can(a->device, DEVICE_RECORDING))
		return (struct sampling){0};
	return (struct sampling){setting_is_on(SETTING_FLUSH_L2), setting_equals(SETTING_STOP, "entropy")};
}

void measure_start(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct plan p;
	struct err e = {0};
	a->measure_at = 0;
	if (!b)
		return;
	measure_drop_sweep(a);
	measure_start_worker(a);
	if (!a->workers)
		return;
	app_request_redraw(a);
	if (!worker_is_ready(a)) {
		a->measure_at = now_ms(); /* as soon as it is ready */
		return;
	}
	if (native_choice_is_missing(a, b)) {
		a->native_wanted = true;
		return;
	}
	b->sampling = measure_sampling(a);
	if (!lab_build_plan(b, a->soft, &p, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	p.verify = p.verify && !native_choice_is_no(a, b);
	p.profile = a->profile && a->soft;
	use_costs_of_device(a, b);
	lab_retire_curve(b);
	measured_curve_start(&b->curve, &p);
	b->curve.header = plan_build_header(&p, worker_pool_device_record(a->workers));
	b->curve.saved = device_can(a->device, DEVICE_RECORDING);
	b->curve.device = measured_curve_device_hash(a->device);
	if (b->cursor >= b->curve.count)
		b->cursor = b->curve.count - 1;
	a->sweeping = b;
	a->states_known = false;
	a->sweep = sweep_start(&p, a->workers, on_sweep_point, a, &e);
	if (!a->sweep) {
		a->sweeping = NULL;
		app_show_message(a, ROLE_BAD, "%s", e.text);
	}
	plan_free(&p);
}

bool measure_show_known_curve(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct lab *of = a->sweeping;
	if (b && of == b)
		measure_drop_sweep(a);
	if (b)
		b->sampling = measure_sampling(a);
	if (!b || !lab_recall_curve(b, a->device, a->soft, a->profile && a->soft))
		return false;
	a->measure_at = 0;
	app_request_redraw(a);
	return true;
}

void measure_start_after(struct app *a, int ms)
{
	if (measure_is_running(a))
		sweep_cancel(a->sweep); /* frees the device while the user is still changing values */
	a->measure_at = now_ms() + ms;
	app_request_redraw(a);
}

static bool was_just_changed(const struct app *a)
{
	return now_ms() - a->changed_at < CHANGES_MS;
}

void measure_start_after_change(struct app *a)
{
	measure_start_after(a, was_just_changed(a) ? CHANGES_MS : 0);
	a->changed_at = now_ms();
}

bool measure_waits_for_changes(const struct app *a)
{
	return a->measure_at || was_just_changed(a);
}

void measure_abort(struct app *a)
{
	sweep_cancel(a->sweep);
	playback_show_points(a, true);
	copy_point_states(a);
}

void measure_cancel(struct app *a)
{
	a->measure_at = 0;
	if (!measure_is_running(a)) {
		app_show_message(a, ROLE_DIM, "no sweep is running");
		return;
	}
	measure_abort(a);
	app_show_message(
		a, ROLE_WARN, "canceled: %d of %d points measured", a->sweeping->curve.ended, a->sweeping->curve.count);
}

static void handle_worker_record(struct app *a, const json_t *r)
{
	const char *type = record_get_type(r);
	enum sweep_state before = a->sweep ? sweep_state(a->sweep) : SWEEP_DONE;
	if (a->sweep)
		sweep_handle_record(a->sweep, r);
	for (int i = 0; views[i]; i++)
		if (views[i]->record)
			views[i]->record(a, r);
	if (!strcmp(type, "death"))
		app_show_message(a, ROLE_BAD, "%s", record_get_text(r, "text"));
	if (!strcmp(type, "device"))
		device_take_numbers(a);
	if (!strcmp(type, "device"))
		log_printf(LOG_INFO, "%s: %s %s, HIP %s", a->device, device_get_name(r), device_get_arch(r),
			record_get_text(device_get_versions(r), "hip"));
	if (a->sweep && before == SWEEP_RUNNING && sweep_state(a->sweep) == SWEEP_DONE)
		log_printf(LOG_INFO, "%s: %s", a->sweeping->x->id, sweep_status_text(a->sweep));
	if (!strcmp(type, "telemetry")) {
		a->idle = record_get_clocks(r);
		a->telemetry_count++;
	}
	a->dirty = true;
}

/* --- called by the main loop --- */
int measure_poll_fds(const struct app *a, int fds[MEASURE_FDS])
{
	int n = a->workers ? worker_pool_poll_fds(a->workers, fds) : 0;
	n += file_watch_poll_fd(a, fds + n);
	return n + background_jobs_poll_fds(a, fds + n);
}

static int ms_until(long long at, int ms)
{
	long long left = at - now_ms();
	return !at || left > ms ? ms : left < 0 ? 0 : (int)left;
}

int measure_timeout(const struct app *a)
{
	int ms = ms_until(a->restart_at, TICK_MS);
	if (playback_has_pending(a))
		ms = ms_until(playback_next_ms(a), ms);
	if (*a->next_device)
		ms = ms_until(a->next_device_at, ms);
	/* A sweep that is due but waits for the worker starts when the worker reports. */
	return a->workers && !worker_is_ready(a) && now_ms() >= a->measure_at ? ms : ms_until(a->measure_at, ms);
}

void measure_pump(struct app *a)
{
	json_t *r;
	if (a->workers) {
		worker_pool_pump(a->workers);
		while ((r = worker_pool_next_record(a->workers))) {
			handle_worker_record(a, r);
			json_decref(r);
		}
		if (worker_pool_state(a->workers) == WORKER_DEAD)
			on_pool_death(a);
	}
	background_jobs_pump(a);
	playback_show_points(a, false);
	/* Both visit every point, and there may be many points and a thousand records per second: do it once a frame.
	 */
	if (!measure_is_running(a) || now_ms() >= a->looked_at + LOOK_MS) {
		a->looked_at = now_ms();
		copy_point_states(a);
		recording_write_points(a);
	}
	device_switch_pump(a);
	kernel_edit_pump(a);
	file_watch_pump(a);
	if (a->restart_at && now_ms() >= a->restart_at)
		measure_start_worker(a);
	if (a->measure_at && now_ms() >= a->measure_at && (worker_is_ready(a) || !a->workers))
		measure_start(a);
}

void measure_release_worker(struct app *a)
{
	recording_write_points(a);
	measure_drop_sweep(a);
	worker_pool_close_async(a->workers);
	a->workers = NULL;
	a->restart_at = a->measure_at = 0;
	a->fatal[0] = 0;
	a->idle = (struct clocks){0};
}

void measure_use_worker_count(struct app *a)
{
	if (!a->workers || worker_pool_size(a->workers) == worker_count_default(a->device))
		return;
	measure_release_worker(a);
	measure_start_worker(a);
}

void measure_close(struct app *a)
{
	notify_views_of_death(a, "closed");
	recording_write_points(a);
	measure_drop_sweep(a);
	recording_close(a);
	file_watch_close(a);
	if (a->workers)
		worker_pool_close(a->workers);
	a->workers = NULL;
}
