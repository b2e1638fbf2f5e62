/* Profiles the point at the cursor again when its record has no profile. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "experiments/analysis/code_advice.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "tui/lab/lab.h"
#include "tui/views/code/code_view.h"
#include "tui/lab/lab_measure.h"

struct profile_probe {
	struct sweep *sweep;
	struct app *app;
	struct lab *lab;
	double values[PARAMS_MAX];
};

/* Every point of the curve with these values gets the profile, so that it is measured only once. */
static void store_probe_profile(struct profile_probe *p, json_t *profile)
{
	struct measured_curve *c = &p->lab->curve;
	for (int i = 0; i < c->count; i++)
		if (c->points[i].record && !memcmp(c->points[i].values, p->values, sizeof p->values))
			json_object_set(c->points[i].record, "profile", profile);
}

static void take_probe_point(void *ctx, const struct sweep *s, int point)
{
	struct profile_probe *p = ctx;
	int count;
	const struct point *points = sweep_points(s, &count);
	json_t *profile = point < count && points[point].record ? point_get_profile(points[point].record) : NULL;
	if (profile) {
		json_object_set(profile, "counters", point_get_counters(points[point].record));
		store_probe_profile(p, profile);
		code_profile_free(code_view_of(p->app)->profile);
		code_view_of(p->app)->profile = NULL; /* attached again, with the counters */
	} else if (point < count && points[point].text[0])
		log_printf(LOG_ERROR, "cannot profile the point: %s", points[point].text);
	code_view_of(p->app)->probed = true;
	app_request_redraw(p->app);
}

static bool free_to_measure(const struct app *a)
{
	return a->workers && worker_pool_state(a->workers) == WORKER_READY && !measure_is_running(a) && !a->measure_at;
}

/* A profile from the sweep has no counters, which the advice uses. */
static bool has_counted_profile(const struct code_view *v)
{
	return v->profile && point_get_counters(v->profile->record);
}

/* Only a measured point of the curve is profiled. */
static bool needs_profile(const struct app *a)
{
	const struct code_view *v = code_view_of(a);
	const struct point *p = code_view_cursor_point(a);
	return p && p->status == POINT_OK && p->record && !has_counted_profile(v) && !v->probed && v->shown.model &&
		!v->shown.wanted && !v->why[0] && !v->choosing && a->soft && device_can(a->device, DEVICE_STALLS) &&
		p->seconds.count;
}

static void start_probe(struct app *a)
{
	struct err e = {0};
	struct profile_probe *p = xcalloc(1, sizeof *p);
	struct plan plan = {.x = app_current_lab(a)->x,
		.soft_defaults = a->soft,
		.profile = true,
		.counters = code_advice_counters};
	p->app = a;
	p->lab = app_current_lab(a);
	memcpy(p->values, code_view_cursor_point(a)->values, sizeof p->values);
	memcpy(plan.fixed, p->values, sizeof plan.fixed);
	memcpy(plan.arch, a->arch, sizeof plan.arch);
	p->sweep = sweep_start(&plan, a->workers, take_probe_point, p, &e);
	code_view_of(a)->probe = p;
	if (!p->sweep) {
		log_printf(LOG_ERROR, "%s", e.text);
		code_view_of(a)->probed = true;
		profile_probe_cancel(code_view_of(a));
	}
	app_request_redraw(a);
}

void profile_probe_update(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (v->probe && sweep_state(v->probe->sweep) != SWEEP_RUNNING) {
		v->probed = true;
		profile_probe_cancel(v);
	}
	if (!v->probe && needs_profile(a) && free_to_measure(a))
		start_probe(a);
}

void profile_probe_cancel(struct code_view *v)
{
	struct profile_probe *p = v->probe;
	if (!p)
		return;
	if (p->sweep && sweep_state(p->sweep) == SWEEP_RUNNING)
		sweep_cancel(p->sweep);
	if (p->sweep)
		sweep_free(p->sweep);
	free(p);
	v->probe = NULL;
}

void code_view_handle_record(struct app *a, const json_t *r)
{
	if (code_view_of(a) && code_view_of(a)->probe)
		sweep_handle_record(code_view_of(a)->probe->sweep, r);
}

void code_view_worker_died(struct app *a, const char *why)
{
	if (!code_view_of(a) || !code_view_of(a)->probe)
		return;
	sweep_pool_died(code_view_of(a)->probe->sweep, why);
	code_view_of(a)->probed = true;
	profile_probe_cancel(code_view_of(a));
}
