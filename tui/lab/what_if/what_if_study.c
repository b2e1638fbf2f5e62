#include "tui/lab/what_if/what_if_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host/usable_cores.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "tui/lab/lab.h"

static void start_next_device(struct what_if_study *s, struct what_if_job *j)
{
	struct err e;
	char name[DEVICE_NAME_MAX];
	if (s->started == WHAT_IF_DEVICES || s->cancelled)
		return;
	j->number = s->started++;
	if (what_if_device(s->device, j->number, name, sizeof name, &e))
		background_job_measure(j->job, name, &s->plan);
	else
		snprintf(s->why, sizeof s->why, "%s", e.text);
}

static bool point_is_studied(const struct what_if_study *s, const struct point *p)
{
	return !memcmp(s->plan.fixed, p->values, sizeof s->plan.fixed[0] * (size_t)s->x->param_count);
}

/* The curve's records, without an earlier one of the same point. Copies of the curve share the old list. */
static json_t *copy_other_costs(const struct measured_curve *c, const json_t *params)
{
	json_t *list = json_array();
	for (size_t i = 0; i < json_array_size(c->what_if); i++)
		if (!json_equal(record_get_params(json_array_get(c->what_if, i)), params))
			json_array_append(list, json_array_get(c->what_if, i));
	return list;
}

/* The curve keeps the costs of its point, for reports and sessions. */
static void keep_costs(struct app *a, const struct what_if_study *s)
{
	struct lab *b = app_current_lab(a);
	struct measured_curve *c = b && b->x == s->x && !strcmp(s->device, a->device) ? &b->curve : NULL;
	int i = 0;
	while (c && i < c->count && !(c->points[i].record && point_is_studied(s, &c->points[i])))
		i++;
	if (!c || i == c->count)
		return;
	const json_t *params = record_get_params(c->points[i].record);
	json_t *list = copy_other_costs(c, params);
	json_array_append_new(list, what_if_make_record(&s->costs, params));
	json_decref(c->what_if);
	c->what_if = list;
	c->saved = false;
}

/* A device has been measured, or cannot be. */
static void end_device(struct app *a, struct what_if_study *s, struct what_if_job *j)
{
	struct what_if_result *r = &s->costs.result[j->number];
	const struct sweep *sweep = background_job_sweep(j->job);
	const struct point *p = sweep ? sweep_points(sweep, NULL) : NULL;
	if (p && p->record && background_job_state(j->job) == BACKGROUND_DONE)
		what_if_take(&s->costs, j->number, p->record);
	else
		snprintf(r->why, sizeof r->why, "%s", background_job_status_text(j->job));
	s->ended++;
	if (s->ended == WHAT_IF_DEVICES && s->costs.result[WHAT_IF_AS_IT_IS].measured)
		keep_costs(a, s);
	start_next_device(s, j);
}

static void take_job_record(void *ctx, struct background_job *job, const json_t *record)
{
	struct what_if_job *j = ctx;
	struct what_if_study *s = j->app->what_if;
	if (record || background_job_is_busy(job) || background_job_state(job) == BACKGROUND_IDLE)
		return;
	if (!s->cancelled && j->number >= 0)
		end_device(j->app, s, j);
	app_request_redraw(j->app);
}

static bool create_jobs(struct app *a, struct what_if_study *s)
{
	const int cores = (int)usable_cores(), wanted = cores < WHAT_IF_JOBS_MAX ? cores : WHAT_IF_JOBS_MAX;
	while (s->job_count < wanted) {
		struct what_if_job *j = &s->jobs[s->job_count];
		*j = (struct what_if_job){.app = a, .number = -1};
		j->job = background_job_create(a, s->job_count ? "" : "what if", take_job_record, j);
		if (!j->job)
			break;
		s->job_count++;
	}
	return s->job_count > 0;
}

static void stop_study(struct what_if_study *s)
{
	s->cancelled = true;
	for (int k = 0; k < s->job_count; k++) {
		s->jobs[k].number = -1;
		background_job_cancel(s->jobs[k].job);
	}
}

/* Why the point cannot be studied; NULL: it can. */
static const char *why_not_studied(const struct app *a, const struct lab *b, char *room, size_t size)
{
	struct err e;
	char name[DEVICE_NAME_MAX];
	if (!b || !b->curve.count)
		return "no point is measured; measure a sweep in the workbench";
	if (experiment_why_no_launch(b->x))
		return experiment_why_no_launch(b->x);
	if (what_if_device(a->device, WHAT_IF_ALL, name, sizeof name, &e))
		return NULL;
	snprintf(room, size, "%s", e.text);
	return room;
}

/* "stride=16 B": what distinguishes the point from the others of its curve; "" if it is the only one. */
static void describe_cursor(const struct lab *b, char *out, size_t size)
{
	char value[80];
	*out = 0;
	if (b->axis >= 0 && b->curve.count > 1)
		snprintf(out, size, "%s=%s", b->x->params[b->axis].id,
			param_format(&b->x->params[b->axis], b->curve.points[b->cursor].values[b->axis], value,
				sizeof value));
}

static void describe_point(struct what_if_study *s, const struct app *a, const struct lab *b)
{
	s->plan = (struct plan){.x = b->x, .soft_defaults = a->soft};
	memcpy(s->plan.fixed, b->curve.points[b->cursor].values, sizeof s->plan.fixed);
	memcpy(s->plan.arch, a->arch, sizeof s->plan.arch);
	what_if_prepare_plan(&s->plan);
	s->x = b->x;
	snprintf(s->device, sizeof s->device, "%s", a->device);
	describe_cursor(b, s->point, sizeof s->point);
}

void what_if_study_start(struct app *a)
{
	if (!a->what_if)
		a->what_if = xcalloc(1, sizeof *a->what_if);
	struct what_if_study *s = a->what_if;
	struct lab *b = app_current_lab(a);
	char room[512];
	stop_study(s);
	const char *why = why_not_studied(a, b, room, sizeof room);
	s->costs = (struct what_if){0};
	s->started = s->ended = 0;
	s->x = NULL;
	s->why[0] = 0;
	if (!why && !create_jobs(a, s))
		why = "too many background measurements; cancel one first";
	if (why) {
		snprintf(s->why, sizeof s->why, "%s", why);
		return;
	}
	describe_point(s, a, b);
	s->cancelled = false;
	for (int k = 0; k < s->job_count; k++)
		start_next_device(s, &s->jobs[k]);
	app_request_redraw(a);
}

/* --- the study --- */
const struct what_if_study *what_if_study_of(const struct app *a)
{
	return a->what_if;
}

void what_if_study_stop(struct app *a)
{
	if (a->what_if)
		stop_study(a->what_if);
}

void what_if_study_close(struct app *a)
{
	for (int k = 0; a->what_if && k < a->what_if->job_count; k++)
		background_job_free(a, a->what_if->jobs[k].job);
	free(a->what_if);
	a->what_if = NULL;
}

bool what_if_study_is_running(const struct what_if_study *s)
{
	return s->x && !s->cancelled && s->ended < WHAT_IF_DEVICES;
}

bool what_if_study_is_current(const struct app *a)
{
	const struct what_if_study *s = a->what_if;
	const struct lab *b = app_current_lab(a);
	return s && s->x && b && b->x == s->x && b->cursor < b->curve.count && !strcmp(s->device, a->device) &&
		point_is_studied(s, &b->curve.points[b->cursor]);
}
