#include "tui/views/lessons/lesson_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "sessions/export/session_chart.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab_measure.h"

/* --- measured points --- */
static void free_points(struct lesson_curve *c)
{
	point_list_free(&c->points);
}

void lesson_curve_free(struct lesson_curve *c)
{
	free_points(c);
	json_decref(c->header);
	*c = (struct lesson_curve){0};
}

void lesson_curve_start(struct lesson_view *v, const struct lesson_step *s, const char *device)
{
	lesson_curve_free(&v->before);
	if (v->now.x == s->x && v->now.header)
		v->before = v->now;
	else
		lesson_curve_free(&v->now);
	v->now = (struct lesson_curve){
		.x = s->x, .axis = s->plan.axis_count ? s->plan.axes[s->plan.axis_count - 1].param : -1};
	snprintf(v->now.device, sizeof v->now.device, "%.95s", device);
}

void lesson_curve_copy_points(struct lesson_curve *c, const struct background_job *s)
{
	const struct sweep *sweep = background_job_sweep(s);
	int count;
	if (!sweep)
		return;
	const struct point *points = sweep_points(sweep, &count);
	if (!c->header && background_job_device_record(s))
		c->header = sweep_build_header(sweep, background_job_device_record(s));
	free_points(c);
	for (int i = 0; i < count; i++)
		point_list_add_record(&c->points, points[i].status == POINT_OK ? points[i].record : NULL);
}

/* --- comparison with the prediction --- */
static bool same_group(const struct plan *p, const struct point *a, const struct point *b)
{
	for (int i = 0; i + 1 < p->axis_count; i++)
		if (a->values[p->axes[i].param] != b->values[p->axes[i].param])
			return false;
	return true;
}

double lesson_curve_prediction_error(const struct lesson_view *v, int *compared)
{
	const struct sweep *s = background_job_sweep(v->job);
	int count = 0;
	*compared = 0;
	if (!s || !prediction_point_count(&v->prediction) || v->metric < 0 || v->measured != v->predicted_number)
		return NAN;
	const struct point *points = sweep_points(s, &count);
	const struct plan *p = sweep_plan(s);
	double *x = xcalloc((size_t)count + 1, sizeof *x), *y = xcalloc((size_t)count + 1, sizeof *y);
	for (int i = 0; i < count; i++)
		if (points[i].status == POINT_OK && points[i].metrics[v->metric].valid &&
			same_group(p, &points[i], &points[0])) {
			x[*compared] = points[i].values[v->now.axis];
			y[(*compared)++] = points[i].metrics[v->metric].value;
		}
	double distance = prediction_mean_error(&v->prediction, x, y, *compared);
	free(x);
	free(y);
	return distance;
}

/* --- the chart --- */
static size_t add_lesson_series(struct lesson_chart *out, size_t n, const struct session_chart *from, bool before)
{
	const struct chart *c = from ? session_chart_of(from) : NULL;
	for (size_t i = 0; c && i < c->series_count; i++) {
		out->series[n] = c->series[i];
		if (before) {
			out->series[n].role = SERIES_PREVIOUS;
			out->series[n].mark = '.';
		}
		n++;
	}
	return n;
}

/* The points of the prediction. The chart joins them by straight lines; the first and last value extend to the
 * ends of the x range. */
static size_t add_drawn(struct lesson_chart *out, size_t n, const struct lesson_view *v)
{
	const struct prediction *p = &v->prediction;
	size_t used = 0;
	if (!prediction_point_count(p) || v->metric < 0)
		return n;
	out->drawn = xcalloc(PREDICTION_COLUMNS_MAX, sizeof *out->drawn);
	for (int i = 0; i < p->columns; i++) {
		double y = p->level[i] >= 0 ? prediction_row_value(p, p->level[i]) : prediction_value_at(p, p->x[i]);
		if (p->level[i] >= 0 || i == 0 || i == p->columns - 1)
			out->drawn[used++] =
				(struct chart_point){.x = p->x[i], .y = y, .valid = true, .low = y, .high = y};
	}
	const struct metric *m = &v->predicted.x->metrics[v->metric];
	out->series[n] = (struct series){.label = "predicted",
		.unit = m->unit,
		.axis = m->axis == 1 ? AXIS_RIGHT : AXIS_LEFT,
		.role = SERIES_PINNED,
		.mark = '@',
		.points = out->drawn,
		.count = used};
	return n + 1;
}

/* Before the measurement: the x range is known, the y range is that of the drawing. */
static void open_scales(const struct lesson_view *v, struct chart *c)
{
	const struct prediction *p = &v->prediction;
	const struct param *param =
		&v->predicted.x->params[v->predicted.plan.axes[v->predicted.plan.axis_count - 1].param];
	const struct metric *m = &v->predicted.x->metrics[v->metric];
	int axis = m->axis == 1 ? AXIS_RIGHT : AXIS_LEFT;
	c->x_label = param->id;
	c->x_unit = param->unit;
	c->x = (struct scale){p->x[0], p->x[p->columns - 1], p->log};
	c->y[0] = c->y[1] = (struct scale){0, p->top, false};
	c->has_axis[axis] = true;
	c->has_axis[!axis] = false;
}

static bool drawn_over(const struct lesson_view *v)
{
	return v->stage == STAGE_PREDICT || v->measured == v->predicted_number;
}

bool lesson_chart_make(const struct lesson_view *v, bool log_y, struct lesson_chart *out)
{
	const struct lesson_curve *now = &v->now, *before = &v->before;
	*out = (struct lesson_chart){0};
	if (v->stage == STAGE_PREDICT && !v->prediction.columns)
		return false;
	bool measured = v->stage != STAGE_PREDICT && now->header;
	if (measured)
		session_extras_make(&out->extras, now->header, &now->points, NULL);
	out->now = measured ? session_chart_new(now->header, &now->points, &out->extras.chart) : NULL;
	out->before = measured && before->header && before->axis == now->axis
		? session_chart_new(before->header, &before->points, NULL)
		: NULL;
	size_t most = 1 + (out->now ? session_chart_of(out->now)->series_count : 0) +
		(out->before ? session_chart_of(out->before)->series_count : 0);
	out->series = xcalloc(most, sizeof *out->series);
	if (out->now)
		out->chart = *session_chart_of(out->now);
	size_t n = add_lesson_series(out, add_lesson_series(out, 0, out->now, false), out->before, true);
	if (drawn_over(v))
		n = add_drawn(out, n, v);
	out->chart.series = out->series;
	out->chart.series_count = n;
	if (out->now)
		chart_fit_scales(&out->chart, out->chart.x.log2, log_y != out->chart.y[AXIS_LEFT].log2);
	else if (v->prediction.columns && drawn_over(v))
		open_scales(v, &out->chart);
	if (out->now && now->axis >= 0 && experiment_find_x_metric(now->x) < 0)
		out->chart.x_label = now->x->params[now->axis].id; /* choices have their names at the ticks */
	return out->now || (v->prediction.columns && drawn_over(v));
}

void lesson_chart_free(struct lesson_chart *c)
{
	if (c->now)
		session_chart_free(c->now);
	if (c->before)
		session_chart_free(c->before);
	session_extras_free(&c->extras);
	free(c->series);
	free(c->drawn);
	*c = (struct lesson_chart){0};
}

/* --- in the workbench --- */
/* The workbench would measure the same points: they are copied instead. */
static void hand_over(struct app *a, struct lab *b, const struct lesson_view *v, const struct plan *p)
{
	const struct sweep *s = background_job_sweep(v->job);
	int count = 0;
	const struct point *points = s ? sweep_points(s, &count) : NULL;
	measured_curve_start(&b->curve, p);
	for (int i = 0; i < count; i++)
		measured_curve_set_point(&b->curve, i, &points[i]);
	if (!lab_curve_is_complete(b, &b->curve, a->soft))
		measure_start_after(a, 0);
}

static void set_up(struct app *a, int lab, const struct lesson_step *s)
{
	struct lesson_view *v = lessons_view_of(a);
	struct lab *b = &a->labs[lab];
	if (measure_is_running(a))
		measure_cancel(a);
	a->current = lab;
	a->measure_at = 0;
	lab_apply_plan(b, &s->plan);
	b->cursor = 0;
	if (s->device && strcmp(s->device, a->device)) {
		app_switch_device(a, s->device);
		return;
	}
	if (b->curve.ended)
		measured_curve_move(&b->previous, &b->curve);
	if (v->running.x == s->x && v->measured == v->step && s->plan.axis_count < 2 &&
		background_job_state(v->job) == BACKGROUND_DONE && !strcmp(v->now.device, a->device))
		hand_over(a, b, v, &s->plan);
	else
		measure_start_after(a, 0);
}

void lesson_jump(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_page(a);
	const struct lesson_block *step = l ? lesson_find_step(l, v->step) : NULL;
	struct lesson_step s;
	struct err e = {0};
	int i = 0;
	if (!step)
		return;
	if (v->stage != STAGE_REVEALED)
		return app_show_message(a, ROLE_WARN,
			"lock in a prediction first, or press x to skip it; the workbench would show the curve");
	if (!lesson_step_read(step, &a->catalog, a->soft, &s, &e))
		return app_show_message(a, ROLE_BAD, "step %d: %s", v->step, e.text);
	while (i < a->lab_count && a->labs[i].x != s.x)
		i++;
	if (i < a->lab_count) {
		a->view = views[0];
		set_up(a, i, &s);
		app_show_message(
			a, ROLE_OK, "set up as in step %d of '%s'; L returns to the lesson", v->step, l->title);
	} else
		app_show_message(a, ROLE_BAD, "%s is not in the catalog", s.x->id);
	lesson_step_free(&s);
}
