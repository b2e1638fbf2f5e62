#include "tui/lab/lab_measure.h"

#include <stdio.h>
#include <string.h>

#include "base/host_clock.h"
#include "base/log.h"
#include "tui/lab/lab.h"
#include "experiments/definition/kernel_copy.h"
#include "tui/lab/lab_estimate.h"
#include "tui/lab/playback.h"

enum {
	LOOK_MS = 20,
	TICK_MS = 250,     /* worker_controller_pump wants to be called that often */
	RESTART_MS = 1000, /* before the next worker, when one after the other dies */
	DEATHS_QUICK = 3,  /* so many are replaced at once */
};

bool measure_is_running(const struct app *a)
{
	return a->sweep && (sweep_state(a->sweep) == SWEEP_RUNNING || playback_has_pending(a));
}

/* --- worker --- */
void measure_start_worker(struct app *a)
{
	struct err e = {0};
	if (a->worker)
		return;
	a->restart_at = 0;
	a->fatal[0] = 0;
	a->worker = worker_controller_start(a->device, &e);
	if (a->worker)
		log_printf(LOG_INFO, "%s: a worker opens the device", a->device);
	else {
		snprintf(a->fatal, sizeof a->fatal, "%s", e.text);
		app_show_message(a, ROLE_BAD, "%s", e.text);
	}
}

/* Jobs go only to a worker that has opened its device and has no others left: a cancel then never waits for more than
 * the running dispatch. */
static bool worker_free(const struct app *a)
{
	return a->worker && worker_controller_state(a->worker) == WORKER_READY;
}

/* A dead worker's sweep waits and goes on with the next worker, after the point that was running. */
static void go_on(struct app *a)
{
	a->resume = false;
	if (a->sweep && sweep_state(a->sweep) == SWEEP_FAILED)
		sweep_resume(a->sweep, a->worker);
	app_request_redraw(a);
}

static void notify_views_of_death(struct app *a, const char *why)
{
	for (int i = 0; views[i]; i++)
		if (views[i]->worker_died)
			views[i]->worker_died(a, why);
}

static void on_death(struct app *a)
{
	char why[640];
	enum status status;
	bool fatal = worker_controller_open_failed(a->worker, &status);
	snprintf(why, sizeof why, "%s", worker_controller_crash_text(a->worker));
	if (a->sweep)
		sweep_worker_died(a->sweep, why);
	notify_views_of_death(a, why);
	recording_write_points(a);
	worker_controller_close(a->worker);
	a->worker = NULL;
	a->idle = (struct clocks){0};
	if (fatal) { /* another try is the person's to ask for */
		a->measure_at = 0;
		snprintf(a->fatal, sizeof a->fatal, "%s", why);
		app_show_message(a, ROLE_BAD, "%s", why);
		return;
	}
	a->deaths++;
	app_show_message(a, ROLE_BAD, "%s; a new worker goes on", why);
	a->resume = a->sweep && sweep_state(a->sweep) == SWEEP_FAILED;
	if (++a->deaths_in_a_row <= DEATHS_QUICK)
		measure_start_worker(a);
	else
		a->restart_at = now_ms() + RESTART_MS;
}

/* --- sweep --- */
static void drop_sweep(struct app *a)
{
	if (!a->sweep)
		return;
	if (sweep_state(a->sweep) == SWEEP_RUNNING)
		sweep_cancel(a->sweep);
	recording_end_sweep(a);
	sweep_free(a->sweep);
	a->sweep = NULL;
	a->sweeping = NULL;
	a->resume = false;
}

/* Points that have not ended change too: running, cancelled. */
static void take_states(struct app *a)
{
	int count;
	const struct point *points = a->sweep ? sweep_points(a->sweep, &count) : NULL;
	if (!points || !a->sweeping)
		return;
	bool paced = playback_is_enabled(a);
	for (int i = 0; i < count && i < a->sweeping->curve.count; i++)
		if ((a->sweeping->curve.points[i].status < POINT_OK && !(paced && points[i].status >= POINT_OK)) ||
			points[i].status == POINT_CANCELLED)
			a->sweeping->curve.points[i].status = points[i].status;
}

/* Each reason once a sweep. A dead worker's last words are in the log already. */
static void log_reason(const struct app *a, const struct point *p, int at)
{
	const struct measured_curve *c = &a->sweeping->curve;
	const char *why = p->status == POINT_FAILED ? record_get_text(p->record, "error") : p->text;
	if (!p->text[0] || p->status == POINT_CANCELLED || !a->worker ||
		worker_controller_state(a->worker) == WORKER_DEAD)
		return;
	for (int i = 0; i < c->count; i++)
		if (i != at && c->points[i].status >= POINT_OK && !strcmp(c->points[i].text, p->text))
			return;
	why = *why ? why : p->text;
	log_printf(p->status == POINT_FAILED ? LOG_ERROR : LOG_WARNING, "%s: point %d: %.*s", a->sweeping->x->id,
		at + 1, (int)strcspn(why, "\n"), why);
}

static void on_point(void *ctx, const struct sweep *s, int point)
{
	struct app *a = ctx;
	int count;
	const struct point *points = sweep_points(s, &count);
	if (!a->sweeping || point < 0 || point >= count)
		return;
	if (!playback_is_enabled(a))
		measured_curve_set_point(&a->sweeping->curve, point, &points[point]);
	log_reason(a, &points[point], point);
	if (points[point].status == POINT_OK) {
		a->deaths_in_a_row = 0;
		estimate_record_cost(a->sweeping, points[point].values, (double)(now_ms() - a->point_at) / 1000);
	}
	a->point_at = now_ms();
	a->dirty = true;
}

void measure_start(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct plan p;
	struct err e = {0};
	a->measure_at = 0;
	if (!b)
		return;
	drop_sweep(a);
	measure_start_worker(a);
	if (!a->worker)
		return;
	app_request_redraw(a);
	if (!worker_free(a)) {
		a->measure_at = now_ms(); /* as soon as it is */
		return;
	}
	if (!lab_build_plan(b, a->soft, &p, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	p.profile = a->profile && a->soft;
	lab_retire_curve(b);
	measured_curve_start(&b->curve, &p);
	if (b->cursor >= b->curve.count)
		b->cursor = b->curve.count - 1;
	a->sweeping = b;
	a->point_at = now_ms();
	a->sweep = sweep_start(&p, a->worker, on_point, a, &e);
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
		drop_sweep(a);
	if (!b || !lab_recall_curve(b, a->soft, a->profile && a->soft))
		return false;
	a->measure_at = 0;
	app_request_redraw(a);
	return true;
}

void measure_start_after(struct app *a, int ms)
{
	if (measure_is_running(a))
		sweep_cancel(a->sweep); /* frees the device while the person still turns the knob */
	a->measure_at = now_ms() + ms;
	app_request_redraw(a);
}

void measure_cancel(struct app *a)
{
	a->measure_at = 0;
	if (!measure_is_running(a)) {
		app_show_message(
			a, ROLE_DIM, a->resume ? "the rest of the sweep is left out" : "nothing is being measured");
		a->resume = false;
		return;
	}
	sweep_cancel(a->sweep);
	playback_show_points(a, true);
	take_states(a);
	app_show_message(a, ROLE_WARN, "cancelled: %d of %d points measured", a->sweeping->curve.ended,
		a->sweeping->curve.count);
}

static void on_record(struct app *a, const json_t *r)
{
	const char *type = record_get_type(r);
	enum sweep_state before = a->sweep ? sweep_state(a->sweep) : SWEEP_DONE;
	if (a->sweep)
		sweep_handle_record(a->sweep, r);
	for (int i = 0; views[i]; i++)
		if (views[i]->record)
			views[i]->record(a, r);
	if (!strcmp(type, "device"))
		log_printf(LOG_INFO, "%s: %s %s, HIP %s", a->device, record_get_text(r, "name"),
			record_get_text(r, "arch"), record_get_text(json_object_get(r, "versions"), "hip"));
	if (a->sweep && before == SWEEP_RUNNING && sweep_state(a->sweep) == SWEEP_DONE)
		log_printf(LOG_INFO, "%s: %s", a->sweeping->x->id, sweep_status_text(a->sweep));
	if (!strcmp(type, "telemetry")) {
		a->idle = record_get_clocks(r);
		a->telemetry_count++;
	}
	a->dirty = true;
}

/* --- an edited kernel --- */
#define ORIGINAL "original" /* the pin's name */

static bool original_pinned(const struct lab *b, bool soft)
{
	int i = lab_find_pin_by_label(b, ORIGINAL);
	return i >= 0 && lab_curve_is_complete(b, &b->pins[i].curve, soft);
}

/* The copy beside the original: where the original's curve for what is set is not there yet, that is measured first. */
static void measure_beside(struct app *a, struct lab *b)
{
	struct err e = {0};
	bool pinned = b->x != b->original && original_pinned(b, a->soft),
	     there = b->x == b->original && lab_curve_is_complete(b, &b->curve, a->soft);
	struct kernel_copy d;
	b->edit_next = !pinned && !there;
	if (b->edit_next) {
		b->x = b->original;
		measure_start(a);
		return;
	}
	if (!kernel_copy_prepare(b->original, b->values, &d, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	struct experiment *copy = catalog_find(&a->catalog, d.definition, &e);
	kernel_copy_free(&d);
	if (!copy) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	snprintf(copy->chapter, sizeof copy->chapter, "%s", b->original->chapter);
	if (there) {
		measured_curve_free(&b->ghost);
		if (b->pin_count == PINS_MAX && lab_find_pin_by_label(b, ORIGINAL) < 0)
			lab_unpin_curve(b, 0); /* it is what this comparison is about */
		lab_pin_curve(b, &b->curve, ORIGINAL);
		measured_curve_free(&b->curve);
	}
	b->x = copy;
	lab_forget_earlier_curves(b);
	measure_start(a);
}

void measure_edited_kernel(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	struct kernel_copy d;
	a->edit_wanted = false;
	app_request_redraw(a);
	if (!b)
		return;
	struct experiment *original = b->original ? b->original : b->x;
	if (!kernel_copy_prepare(original, b->values, &d, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	bool ok = kernel_copy_run_editor(&d, &e);
	app_show_message(a, ok ? ROLE_DIM : ROLE_BAD, "%s%s", ok ? "edited: " : e.text, ok ? d.kernel : "");
	kernel_copy_free(&d);
	b->original = original;
	if (ok)
		measure_beside(a, b);
}

void measure_original_kernel(struct app *a)
{
	struct lab *b = app_current_lab(a);
	if (!b || b->x == b->original || !b->original) {
		app_show_message(a, ROLE_DIM, "this is the original kernel; e edits a copy of it");
		return;
	}
	b->x = b->original;
	b->edit_next = false;
	lab_unpin_curve(b, lab_find_pin_by_label(b, ORIGINAL));
	lab_forget_earlier_curves(b);
	app_show_message(a, ROLE_DIM, "the original kernel; the edited copy is kept for the next e");
	measure_start(a);
}

/* Nothing that a compiler refuses is tried point by point: it would say the same of all. */
static void watch_edited(struct app *a)
{
	struct lab *b = a->sweeping;
	if (!b || !a->sweep)
		return;
	enum sweep_state state = sweep_state(a->sweep);
	bool edited = b->original && b->x != b->original;
	const struct point *first = &b->curve.points[0];
	if (edited && state == SWEEP_RUNNING && b->curve.ended && first->status == POINT_FAILED &&
		!first->seconds.count) {
		sweep_cancel(a->sweep);
		take_states(a);
		app_show_message(a, ROLE_BAD, "%s; the edit is kept, e goes on with it", first->text);
	}
	if (!b->edit_next || state == SWEEP_RUNNING)
		return;
	b->edit_next = false;
	if (state == SWEEP_DONE && b == app_current_lab(a))
		measure_beside(a, b);
}

/* --- the loop's side --- */
int measure_poll_fds(const struct app *a, int fds[MEASURE_FDS])
{
	int n = a->worker ? worker_controller_poll_fds(a->worker, fds) : 0;
	return n + background_jobs_poll_fds(a, fds + n);
}

static int until(long long at, int ms)
{
	long long left = at - now_ms();
	return !at || left > ms ? ms : left < 0 ? 0 : (int)left;
}

int measure_timeout(const struct app *a)
{
	int ms = until(a->restart_at, TICK_MS);
	if (playback_has_pending(a))
		ms = until(playback_next_ms(a), ms);
	/* What is due but has to wait for the worker is woken by the worker. */
	return a->worker && !worker_free(a) && now_ms() >= a->measure_at ? ms : until(a->measure_at, ms);
}

void measure_pump(struct app *a)
{
	json_t *r;
	if (a->worker) {
		worker_controller_pump(a->worker);
		while ((r = worker_controller_next_record(a->worker))) {
			on_record(a, r);
			json_decref(r);
		}
		if (worker_controller_state(a->worker) == WORKER_DEAD)
			on_death(a);
	}
	background_jobs_pump(a);
	playback_show_points(a, false);
	/* Both look at every point, of which there may be many, and records may come a thousand a second: once a frame
	 * will do while they come. */
	if (!measure_is_running(a) || now_ms() >= a->looked_at + LOOK_MS) {
		a->looked_at = now_ms();
		take_states(a);
		recording_write_points(a);
	}
	watch_edited(a);
	if (a->restart_at && now_ms() >= a->restart_at)
		measure_start_worker(a);
	if (a->resume && worker_free(a))
		go_on(a);
	if (a->measure_at && now_ms() >= a->measure_at && (worker_free(a) || !a->worker))
		measure_start(a);
}

void measure_release_worker(struct app *a)
{
	recording_write_points(a);
	drop_sweep(a);
	worker_controller_close_async(a->worker);
	a->worker = NULL;
	a->restart_at = a->measure_at = 0;
	a->deaths_in_a_row = 0;
	a->fatal[0] = 0;
	a->idle = (struct clocks){0};
}

void measure_close(struct app *a)
{
	notify_views_of_death(a, "closed");
	recording_write_points(a);
	drop_sweep(a);
	recording_close(a);
	if (a->worker)
		worker_controller_close(a->worker);
	a->worker = NULL;
}
