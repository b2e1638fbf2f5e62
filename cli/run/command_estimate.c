/* `run --estimate`: a few points at the size for the software GPU tell how long the whole run would take. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/paths.h"
#include "tui/lab/lab.h"
#include "cli/run/plan_parts.h"
#include "tui/lab/point_cost.h"

enum { TRIED = 3, STEPS = 2, ENOUGH_MS = 3000 };

struct trial {
	struct lab b;
	long long point_at, used_ms;
	int points;
};

static void on_point(void *ctx, const struct sweep *s, int point)
{
	struct trial *t = ctx;
	const struct point *p = &sweep_points(s, NULL)[point];
	long long took = now_ms() - t->point_at;
	if (p->status == POINT_OK) {
		estimate_record_cost(&t->b, p->values, (double)took / 1000);
		t->points++;
	}
	t->used_ms += took;
	t->point_at = now_ms();
}

/* A few values of each axis, with what is scaled for the software GPU at its scaled size, or some steps from there to
 * the published one. */
static void make_small(struct plan *p, int steps)
{
	for (int i = 0; i < p->x->param_count; i++) {
		const struct param *of = &p->x->params[i];
		if (of->soft == of->value || p->fixed[i] != of->value)
			continue;
		bool grows = of->soft < of->value;
		double v = param_step_value(of, of->soft, grows ? steps : -steps);
		p->fixed[i] = grows ? fmin(v, of->value) : fmax(v, of->value);
	}
	plan_limit_points(p, TRIED);
}

static bool drive(struct trial *t, struct sweep *s, struct worker_controller *w, struct err *e)
{
	while (sweep_state(s) == SWEEP_RUNNING) {
		command_pump_sweep(w, s);
		if (command_interrupted)
			return err_set(e, ST_INTERRUPTED, "interrupted");
		if (sweep_state(s) == SWEEP_RUNNING && worker_controller_state(w) == WORKER_DEAD)
			return err_set(e, ST_FAILED, "%s", worker_controller_crash_text(w));
	}
	return t->points || err_set(e, ST_FAILED, "no point could be measured: %s", sweep_points(s, NULL)->text);
}

static bool make_plan(
	struct plan *p, struct experiment *x, const struct argument_list *words, const char *device, struct err *e)
{
	plan_init_default(p, x, device_can(device, DEVICE_REDUCED_SIZES));
	return plan_apply_words(p, words, e);
}

static bool try_one(
	struct trial *t, const struct argument_list *words, struct worker_controller *w, int steps, struct err *e)
{
	struct plan p;
	bool ok = make_plan(&p, t->b.x, words, worker_controller_device(w), e);
	if (ok)
		make_small(&p, steps);
	t->point_at = now_ms();
	struct sweep *s = ok ? sweep_start(&p, w, on_point, t, e) : NULL;
	ok = s && drive(t, s, w, e);
	sweep_free(s);
	plan_free(&p);
	return ok;
}

/* The first time compiles and loads, and does not count where points are short; another size tells what does not grow
 * with it. */
static bool try_small(struct trial *t, const struct argument_list *words, const char *device, struct err *e)
{
	struct worker_controller *w = command_start_worker(device, e);
	if (!w)
		return false;
	bool ok = try_one(t, words, w, 0, e);
	if (ok && t->used_ms < ENOUGH_MS) {
		t->b.cost_count = 0;
		ok = try_one(t, words, w, 0, e) && try_one(t, words, w, STEPS, e);
	}
	worker_controller_close(w);
	return ok;
}

static void tell(const struct trial *t, const struct plan *p)
{
	char text[120];
	double seconds;
	estimate_format_plan(&t->b, p, &seconds, text, sizeof text);
	printf("%s: %s (%d point%s tried in %.1f s)\n", t->b.x->id, text, t->points, t->points == 1 ? "" : "s",
		(double)t->used_ms / 1000);
}

static int estimate(struct experiment *x, const struct argument_list *words, const char *device)
{
	struct err e = {0};
	struct plan whole = {0};
	struct trial t = {0};
	struct overlay o;
	lab_init(&t.b, x, true);
	overlay_load(&o, x);
	t.b.published = o.rows;
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	bool ok = make_plan(&whole, x, words, device, &e) && try_small(&t, words, device, &e);
	if (ok)
		tell(&t, &whole);
	plan_free(&whole);
	t.b.published = (struct validation){0};
	overlay_free(&o);
	lab_free(&t.b);
	return ok ? ST_OK : command_report_failure(&e);
}

int command_estimate(const struct argument_list *words, const char *device)
{
	struct err e = {0};
	struct catalog c = {0};
	if (!device_name_check(device, &e) || !command_open_catalog(&c, &e))
		return command_report_failure(&e);
	struct experiment *x = catalog_find(&c, words->list[0], &e);
	int status = x ? estimate(x, words, device) : command_report_failure(&e);
	catalog_free(&c);
	return status;
}
