#include "tui/views/lessons/lesson_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/course/lesson_axes.h"
#include "sessions/export/session_chart.h"

/* --- measured points --- */
void lesson_curve_free(struct lesson_curve *c)
{
	point_list_free(&c->points);
	json_decref(c->header);
	*c = (struct lesson_curve){0};
}

void lesson_curve_copy_points(struct lesson_curve *c, const char *metric, const struct background_job *job)
{
	const struct sweep *sweep = background_job_sweep(job);
	int count;
	if (!sweep)
		return;
	const struct point *points = sweep_points(sweep, &count);
	if (!c->header && background_job_device_record(job)) {
		c->header = sweep_build_header(sweep, background_job_device_record(job));
		header_keep_metric(c->header, metric);
	}
	point_list_free(&c->points);
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

double lesson_curve_prediction_error(const struct step_state *s, const struct sweep *sweep, int *compared)
{
	int count = 0;
	*compared = 0;
	if (!sweep || !prediction_point_count(&s->prediction) || s->metric < 0)
		return NAN;
	const struct point *points = sweep_points(sweep, &count);
	const struct plan *p = sweep_plan(sweep);
	int axis = p->axes[p->axis_count - 1].param;
	double *x = xcalloc((size_t)count + 1, sizeof *x), *y = xcalloc((size_t)count + 1, sizeof *y);
	for (int i = 0; i < count; i++)
		if (points[i].status == POINT_OK && points[i].metrics[s->metric].valid &&
			same_group(p, &points[i], &points[0])) {
			x[*compared] = points[i].values[axis];
			y[(*compared)++] = points[i].metrics[s->metric].value;
		}
	double distance = prediction_mean_error(&s->prediction, x, y, *compared);
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
			if (out->series[n].style == STYLE_COLUMN)
				out->series[n].style = STYLE_LEVEL;
		}
		n++;
	}
	return n;
}

/* The points of the prediction. The chart joins them by straight lines; the first and last value extend to the
 * ends of the x range. */
static size_t add_drawn_points(struct lesson_chart *out, size_t n, const struct step_state *s)
{
	const struct prediction *p = &s->prediction;
	size_t used = 0;
	if (!prediction_point_count(p) || s->metric < 0)
		return n;
	out->drawn = xcalloc(PREDICTION_COLUMNS_MAX, sizeof *out->drawn);
	for (int i = 0; i < p->columns; i++) {
		double y = p->level[i] >= 0 ? prediction_row_value(p, p->level[i]) : prediction_value_at(p, p->x[i]);
		if (p->level[i] >= 0 || i == 0 || i == p->columns - 1)
			out->drawn[used++] =
				(struct chart_point){.x = p->x[i], .y = y, .valid = true, .low = y, .high = y};
	}
	out->series[n] = (struct series){.label = "predicted",
		.unit = metric_unit(&s->command.x->metrics[s->metric]),
		.axis = AXIS_LEFT,
		.role = SERIES_PINNED,
		.mark = '@',
		.points = out->drawn,
		.count = used,
		.style = out->chart.x_name_count ? STYLE_LEVEL : STYLE_CURVE};
	return n + 1;
}

/* A choice's values have names. */
static void set_open_names(const struct step_state *s, struct lesson_chart *out)
{
	const struct plan *plan = &s->command.plan;
	const struct param *p =
		s->command.x && plan->axis_count ? &s->command.x->params[plan->axes[plan->axis_count - 1].param] : NULL;
	if (!p || p->kind != PARAM_STEP_CHOICE || experiment_find_x_metric(s->command.x) >= 0)
		return;
	for (int i = 0; i < p->choice_count; i++)
		out->x_names[i] = p->choices[i];
	out->chart.x_names = out->x_names;
	out->chart.x_name_count = (size_t)p->choice_count;
}

/* Before the measurement: the x range is known, the y range is that of the drawing. */
static void set_open_scales(const struct step_state *s, struct chart *c)
{
	const struct prediction *p = &s->prediction;
	const struct plan *plan = &s->command.plan;
	const struct param *param = &s->command.x->params[plan->axes[plan->axis_count - 1].param];
	c->x_label = param->id;
	c->x_unit = param_unit(param);
	c->x = (struct scale){p->x[0], p->x[p->columns - 1], p->log};
	if (c->x_name_count)
		c->x = (struct scale){p->x[0] - 0.5, p->x[p->columns - 1] + 0.5, false};
	c->y[0] = c->y[1] = (struct scale){0, p->top, false};
	c->has_axis[AXIS_LEFT] = true;
	c->has_axis[AXIS_RIGHT] = false;
}

/* A prediction is compared on the y axis on which it was drawn, if the curve fits there. */
static void keep_drawn_range(const struct step_state *s, struct lesson_chart *out)
{
	struct scale *y = &out->chart.y[AXIS_LEFT];
	if (out->drawn && !y->log2 && y->low >= 0 && y->high < s->prediction.first_top)
		y->high = s->prediction.first_top;
}

/* The measured curve of the step before this one, if it has the same axes. */
static const struct lesson_curve *find_curve_before(const struct lesson_view *v, int step)
{
	const struct step_state *s = &v->steps[step - 1], *before = step > 1 ? s - 1 : NULL;
	return before && before->stage == STAGE_REVEALED && before->curve.header && before->command.x == s->command.x &&
			before->metric == s->metric && before->command.plan.axis_count == s->command.plan.axis_count &&
			!strcmp(lesson_command_x(&before->command), lesson_command_x(&s->command))
		? &before->curve
		: NULL;
}

static struct session_chart *chart_of_curve(const struct lesson_curve *c, const struct chart_extras *extras)
{
	return c ? session_chart_new(c->header, &c->points, extras) : NULL;
}

static size_t count_chart_series(const struct session_chart *c)
{
	return c ? session_chart_of(c)->series_count : 0;
}

/* A parameter's choices have their names at the ticks, so that its id alone is the label. */
static void set_x_label(const struct step_state *s, struct chart *c)
{
	const struct plan *p = &s->command.plan;
	if (experiment_find_x_metric(s->command.x) < 0)
		c->x_label = s->command.x->params[p->axes[p->axis_count - 1].param].id;
}

bool lesson_chart_make(const struct lesson_view *v, int step, bool log_y, struct lesson_chart *out)
{
	const struct step_state *s = &v->steps[step - 1];
	*out = (struct lesson_chart){0};
	set_open_names(s, out);
	bool measured = s->stage != STAGE_ASKED && s->curve.header;
	if (!measured && !s->prediction.columns)
		return false;
	if (measured) {
		session_extras_make(&out->extras, s->curve.header, &s->curve.points, NULL);
		out->now = chart_of_curve(&s->curve, &out->extras.chart);
		out->before = chart_of_curve(find_curve_before(v, step), NULL);
	}
	out->series = xcalloc(1 + count_chart_series(out->now) + count_chart_series(out->before), sizeof *out->series);
	if (out->now)
		out->chart = *session_chart_of(out->now);
	size_t n = add_lesson_series(out, add_lesson_series(out, 0, out->now, false), out->before, true);
	n = add_drawn_points(out, n, s);
	out->chart.series = out->series;
	out->chart.series_count = n;
	if (out->now) {
		chart_fit_scales(&out->chart, out->chart.x.log2, log_y != out->chart.y[AXIS_LEFT].log2);
		/* The curve of the step before is shown where the question asks. */
		chart_set_x_window(&out->chart, session_chart_of(out->now)->x.low, session_chart_of(out->now)->x.high);
		keep_drawn_range(s, out);
		set_x_label(s, &out->chart);
	} else if (s->prediction.columns)
		set_open_scales(s, &out->chart);
	return out->now || s->prediction.columns;
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
