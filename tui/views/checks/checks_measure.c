/* Checks the points of a sweep, and collects what is found. */
#include <stdlib.h>
#include <string.h>

#include "base/host_clock.h"
#include "base/settings.h"
#include "checks/check_journal_reader.h"
#include "checks/check_suppressions.h"
#include "experiments/definition/kernel_copy.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/views/checks/checks_view.h"

/* --- what was found --- */
void checks_forget(struct checks_view *v)
{
	check_places_free(&v->places);
	check_journals_free(&v->journals);
	source_text_free(v->sources);
	host_modules_free(v->modules);
	if (v->x)
		plan_free(&v->plan);
	free(v->taken);
	v->sources = NULL;
	v->modules = NULL;
	v->taken = NULL;
	v->x = NULL;
	v->count = v->ended = v->collected = v->failed = v->selected = 0;
	v->collect_at = 0;
	v->seconds = 0;
	v->why[0] = 0;
}

/* Between points, it takes a small part of the time. */
static void collect_places(struct checks_view *v)
{
	long long start = now_ms();
	if (start < v->collect_at && background_job_is_busy(v->job))
		return;
	check_places_free(&v->places);
	check_places_collect(&v->journals, NULL, &v->places);
	check_places_suppress(&v->places, NULL, v->sources);
	v->collected = v->ended;
	v->collect_at = now_ms() + 10 * (now_ms() - start);
}

static void take_point(struct checks_view *v, int i, const struct point *p)
{
	char name[200];
	const json_t *found = point_get_found(p->record);
	v->taken[i] = true;
	v->ended++;
	v->failed += p->status == POINT_FAILED;
	if (!found)
		return;
	char *source = kernel_source_path(v->x, p->values, NULL);
	plan_format_point(&v->plan, i, name, sizeof name);
	check_journals_add_point(&v->journals, found, &(struct checked_point){name, source, i});
	free(source);
}

static void take_ended_points(struct checks_view *v)
{
	int count;
	const struct sweep *s = background_job_sweep(v->job);
	const struct point *list = s ? sweep_points(s, &count) : NULL;
	for (int i = 0; list && i < count && i < v->count; i++)
		if (!v->taken[i] && list[i].status > POINT_RUNNING && list[i].record)
			take_point(v, i, &list[i]);
	if (v->ended > v->collected)
		collect_places(v);
}

/* A check that started by itself only speaks up about faults. */
static void report_check(struct app *a, const struct checks_view *v)
{
	size_t places = v->places.count - check_places_count_suppressed(&v->places);
	if (places)
		app_show_message(a, ROLE_BAD, "%s: %zu place%s in the kernel %s wrong; ! shows %s", v->x->id, places,
			places == 1 ? "" : "s", places == 1 ? "is" : "are", places == 1 ? "it" : "them");
	else if (v->asked && !v->failed)
		app_show_message(
			a, ROLE_OK, "%s: no faults found in %d point%s", v->x->id, v->ended, v->ended == 1 ? "" : "s");
}

static void take_check_record(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	struct checks_view *v = checks_view_of(a);
	if (record && strcmp(record_get_type(record), "point"))
		return;
	take_ended_points(v);
	app_request_redraw(a);
	if (record || background_job_is_busy(s) || v->seconds > 0)
		return;
	const struct sweep *sweep = background_job_sweep(s);
	v->seconds = sweep ? sweep_elapsed(sweep) : 0;
	if (background_job_state(s) == BACKGROUND_FAILED)
		snprintf(v->why, sizeof v->why, "%s", background_job_status_text(s));
	else if (background_job_state(s) == BACKGROUND_CANCELLED)
		snprintf(v->why, sizeof v->why, "stopped after %d of %d points; r checks again", v->ended, v->count);
	else
		report_check(a, v);
}

/* --- starting --- */
/* Why the kernel of this experiment cannot be checked; NULL: it can. */
static const char *why_not_checked(const struct app *a, const struct experiment *x)
{
	if (!device_can(a->device, DEVICE_INSPECTOR))
		return "only a software GPU checks kernels; open one such as soft:mi25";
	return experiment_why_no_launch(x);
}

static bool prepare_check(struct app *a, struct checks_view *v, struct lab *b, bool asked)
{
	struct err e = {0};
	struct plan p;
	background_job_cancel(v->job);
	checks_forget(v);
	const char *why = why_not_checked(a, b->x);
	if (why || !lab_build_plan(b, a->soft, &p, &e)) {
		snprintf(v->why, sizeof v->why, "%s: %s", b->x->id, why ? why : e.text);
		return false;
	}
	if (!asked && plan_point_count(&p) > AUTOMATIC_POINTS_MAX)
		plan_limit_points(&p, AUTOMATIC_POINTS_MAX);
	p.verify = p.profile = false;
	p.counters = NULL;
	p.checks = v->checks;
	v->x = b->x;
	v->plan = p;
	v->count = plan_point_count(&p);
	v->taken = xcalloc((size_t)v->count, sizeof *v->taken);
	v->sources = source_text_new(0);
	v->modules = host_modules_new();
	v->journals.processes = 1;
	v->asked = asked;
	snprintf(v->device, sizeof v->device, "%s", a->device);
	return true;
}

void checks_start(struct app *a, struct lab *b, bool asked)
{
	struct err e = {0};
	struct checks_view *v = checks_view_get(a);
	if (!v->checks)
		v->checks = check_names_choose("", &e);
	if (!v->job)
		v->job = background_job_create(a, "check", take_check_record, a);
	if (!v->job) {
		app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
		return;
	}
	if (prepare_check(a, v, b, asked))
		background_job_measure(v->job, v->device, &v->plan);
	app_request_redraw(a);
}

/* --- by itself --- */
static bool is_users_own(const struct lab *b)
{
	return b->original || !strcmp(b->x->chapter, "own") || !strcmp(b->x->chapter, CAPTURED_CHAPTER);
}

static bool is_check_wanted(const struct lab *b)
{
	return setting_equals(SETTING_CHECK, "all") || (setting_equals(SETTING_CHECK, "own") && is_users_own(b));
}

static bool is_curve_complete(const struct app *a, const struct lab *b)
{
	return b && b->curve.header && b->curve.count && b->curve.ended == b->curve.count && !measure_is_running(a) &&
		!a->measure_at && lab_curve_is_complete(b, &b->curve, a->soft);
}

/* Each curve is considered once, when it is complete. */
void checks_pump(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct checks_view *v = checks_view_of(a);
	if (!is_curve_complete(a, b) || (v && v->seen == b->curve.header) || !is_check_wanted(b) ||
		why_not_checked(a, b->x))
		return;
	v = checks_view_get(a);
	json_decref(v->seen);
	v->seen = json_incref(b->curve.header);
	checks_start(a, b, false);
}
