/* `run --estimate`: measures a few points at a reduced size to estimate how long the whole run takes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/host/usable_cores.h"
#include "gpu/controller/worker_count.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/units.h"
#include "cli/run/plan_parts.h"
#include "experiments/analysis/sweep_estimate.h"
#include "experiments/analysis/published_overlay.h"
#include "experiments/definition/default_values.h"

enum {
	TRIAL_POINTS = 3,
	TRIAL_STEPS = 2, /* parameter steps from the reduced size, for the second size */
	TRIAL_MS = 3000, /* points that take this long need no second size */
	SHARED_TEXT = 80,
};

struct trial {
	struct experiment *x;
	struct overlay published;
	struct point_costs costs;
	long long point_at, used_ms;
	int points, workers; /* measured; of the run that is estimated */
};

static void note_trial_point(void *ctx, const struct sweep *s, int point)
{
	struct trial *t = ctx;
	const struct point *p = &sweep_points(s, NULL)[point];
	long long took = now_ms() - t->point_at;
	if (p->status == POINT_OK) {
		point_costs_add(&t->costs, t->x, &t->published.rows, p->values, (double)took / 1000, 0);
		t->points++;
	}
	t->used_ms += took;
	t->point_at = now_ms();
}

/* Takes a few values of each axis. Parameters that are reduced for the software GPU get the reduced value, or one that
 * is some steps closer to the published value. */
static void reduce_plan(struct plan *p, int steps)
{
	for (int i = 0; i < p->x->param_count; i++) {
		const struct param *of = &p->x->params[i];
		double reduced = param_default_value(of, true, p->arch), full = param_default_value(of, false, p->arch);
		if (reduced == full || p->fixed[i] != full)
			continue;
		bool grows = reduced < full;
		double v = param_step_value(of, reduced, grows ? steps : -steps);
		p->fixed[i] = grows ? fmin(v, full) : fmax(v, full);
	}
	plan_limit_points(p, TRIAL_POINTS);
}

static bool run_trial_sweep(struct trial *t, struct sweep *s, struct worker_pool *w, struct err *e)
{
	while (sweep_state(s) == SWEEP_RUNNING) {
		command_pump_sweep(w, s);
		if (command_interrupted)
			return err_set(e, ST_INTERRUPTED, "interrupted");
		if (sweep_state(s) == SWEEP_RUNNING && worker_pool_state(w) == WORKER_DEAD)
			return err_set(e, ST_FAILED, "%s", worker_pool_crash_text(w));
	}
	return t->points || err_set(e, ST_FAILED, "cannot measure any point: %s", sweep_points(s, NULL)->text);
}

static bool make_whole_plan(
	struct plan *p, struct experiment *x, const struct argument_list *words, const char *device, struct err *e)
{
	char arch[DEVICE_ARCH];
	device_read_arch(device, arch);
	plan_init_default(p, x, device_can(device, DEVICE_REDUCED_SIZES), arch);
	return plan_apply_words(p, words, e);
}

static bool try_size(
	struct trial *t, const struct argument_list *words, struct worker_pool *w, int steps, struct err *e)
{
	struct plan p;
	bool ok = make_whole_plan(&p, t->x, words, worker_pool_device(w), e);
	if (ok)
		reduce_plan(&p, steps);
	t->point_at = now_ms();
	struct sweep *s = ok ? sweep_start(&p, w, note_trial_point, t, e) : NULL;
	ok = s && run_trial_sweep(t, s, w, e);
	sweep_free(s);
	plan_free(&p);
	return ok;
}

/* The first trial also compiles and loads the kernel. If points are short, that would dominate: it is repeated, and a
 * second size separates fixed costs from those that grow. */
static bool try_reduced_sizes(struct trial *t, const struct argument_list *words, const char *device, struct err *e)
{
	struct worker_pool *w = command_start_workers(device, 1, e);
	if (!w)
		return false;
	bool ok = try_size(t, words, w, 0, e);
	if (ok && t->used_ms < TRIAL_MS) {
		point_costs_clear(&t->costs);
		ok = try_size(t, words, w, 0, e) && try_size(t, words, w, TRIAL_STEPS, e);
	}
	worker_pool_close(w);
	return ok;
}

/* Several workers on a core are no faster than one. "" for one worker, and for a run that is short anyway. */
static void format_shared_time(const struct trial *t, const struct plan *p, double alone, char out[SHARED_TEXT])
{
	char time[40];
	double seconds;
	int cores = (int)usable_cores();
	*out = 0;
	if (t->workers < 2 || alone < 1 ||
		!point_costs_estimate_shared(
			&t->costs, &t->published.rows, p, t->workers < cores ? t->workers : cores, &seconds))
		return;
	snprintf(
		out, SHARED_TEXT, ", %s with %d workers", estimate_format_time(seconds, time, sizeof time), t->workers);
}

static void print_estimate(const struct trial *t, const struct plan *p)
{
	char text[120], shared[SHARED_TEXT];
	double seconds;
	point_costs_estimate(&t->costs, &t->published.rows, p, &seconds, text, sizeof text);
	format_shared_time(t, p, seconds, shared);
	printf("%s: %s%s (estimated from %d point%s in %.1f s)\n", t->x->id, text, shared, t->points,
		plural_s((unsigned)t->points), (double)t->used_ms / 1000);
}

static int estimate_run(struct experiment *x, const struct argument_list *words, const char *device, int workers)
{
	struct err e = {0};
	struct plan whole = {0};
	struct trial t = {.x = x, .workers = workers};
	overlay_load(&t.published, x);
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	bool ok = make_whole_plan(&whole, x, words, device, &e) && try_reduced_sizes(&t, words, device, &e);
	if (ok)
		print_estimate(&t, &whole);
	plan_free(&whole);
	point_costs_clear(&t.costs);
	overlay_free(&t.published);
	return ok ? ST_OK : command_report_failure(&e);
}

int command_estimate(const struct argument_list *words, const char *device, const char *workers)
{
	struct err e = {0};
	struct catalog c = {0};
	int count;
	if (!device_name_check(device, &e) || !worker_count_choose(workers, device, &count, &e) ||
		!command_open_catalog(&c, &e))
		return command_report_failure(&e);
	struct experiment *x = catalog_find(&c, words->list[0], &e);
	int status = x ? estimate_run(x, words, device, count) : command_report_failure(&e);
	catalog_free(&c);
	return status;
}
