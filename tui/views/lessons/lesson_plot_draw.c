/* Draws the plot of a step: what was asked about, over what it was asked over. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/course/lesson_axes.h"
#include "plot/chart_columns.h"
#include "plot/series_mark.h"
#include "sessions/load/session_columns.h"
#include "tui/shell/screen_draw.h"
#include "tui/toolkit/chart_area.h"
#include "tui/toolkit/curve_legend.h"
#include "tui/views/lessons/lesson_curve.h"
#include "gpu/protocol/point_record.h"

static const struct param *swept_param(const struct step_state *s)
{
	const struct plan *p = &s->command.plan;
	return s->command.x && p->axis_count ? &s->command.x->params[p->axes[p->axis_count - 1].param] : NULL;
}

static void draw_prediction_cursor(const struct app *a, const struct step_state *s, const struct chart_look *look,
	const struct chart *c, struct area canvas)
{
	int column, row;
	if (!lessons_view_of(a)->drawing ||
		!chart_find_cell(look, c, canvas, AXIS_LEFT, s->prediction.x[s->prediction.column],
			prediction_row_value(&s->prediction, s->prediction.row), &column, &row))
		return;
	for (int y = 0; y < canvas.r.h; y++)
		if (canvas.g->cells[(canvas.r.y + y) * canvas.g->w + canvas.r.x + column].utf8[0] == ' ')
			area_draw_glyph(canvas, column, y, ROLE_RULER, glyph_text(a->ascii, GLYPH_CURSOR));
	area_draw_glyph(canvas, column, row, ROLE_CURSOR, "X");
	area_add_attr(canvas, column, row, 1, ATTR_REVERSE);
}

/* --- the value line --- */
static const char *display_step_unit(const struct app *a, const struct step_state *s)
{
	return unit_display(metric_unit(&s->command.x->metrics[s->metric]), a->ascii);
}

/* "512 B: latency 240 cycles", where the prediction is drawn. */
static void draw_drawn_value(const struct app *a, const struct step_state *s, struct area at)
{
	char value[64], height[64];
	struct reading r = {true, prediction_row_value(&s->prediction, s->prediction.row)};
	param_format(swept_param(s), s->prediction.x[s->prediction.column], value, sizeof value);
	area_printf(at, 1, 0, ROLE_CURSOR, "%s: %s %s", value, s->command.x->metrics[s->metric].id,
		reading_format(r, display_step_unit(a, s), height, sizeof height));
}

static void add_swept_values(const struct step_state *s, const json_t *point, struct buf *b)
{
	const struct plan *p = &s->command.plan;
	char text[64];
	for (int i = 0; i < p->axis_count; i++) {
		const struct param *param = &p->x->params[p->axes[i].param];
		double value;
		if (param_from_json(param, json_object_get(record_get_params(point), param->id), &value, NULL))
			buf_printf(b, "%s%s %s", b->len ? ", " : "", param->id,
				param_format(param, value, text, sizeof text));
	}
}

/* The values at the cursor: what is drawn, and requested counters. */
static void draw_measured_value(const struct app *a, const struct step_state *s, struct area at)
{
	const json_t *point =
		s->cursor < (int)s->curve.points.count ? point_list_get(&s->curve.points, s->cursor) : NULL;
	struct session_columns columns;
	struct buf b = {0};
	char text[64];
	if (!point)
		return;
	columns_read(s->curve.header, &columns);
	add_swept_values(s, point, &b);
	for (int i = 0; i < columns.metric_count; i++) {
		const struct column *m = &columns.metrics[i];
		struct reading r = column_metric(m, point);
		if (m->axis >= 0 && r.valid)
			buf_printf(&b, "  %s %s", m->id,
				reading_format(r, unit_display(m->unit, a->ascii), text, sizeof text));
	}
	for (int i = 0; i < columns.counter_count; i++)
		buf_printf(&b, "  %s %s", columns.counters[i].id,
			reading_format(column_counter(&columns.counters[i], point), columns.counters[i].unit, text,
				sizeof text));
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_CURSOR, b.data ? b.data : "");
	buf_free(&b);
}

static void draw_value_line(const struct app *a, const struct step_state *s, struct area at)
{
	if (lessons_view_of(a)->drawing && s->metric >= 0)
		draw_drawn_value(a, s, at);
	else if (s->stage != STAGE_ASKED && s->curve.header)
		draw_measured_value(a, s, at);
}

/* --- legend and title --- */
/* Marks and names of the series; `names` is the length of each name, which is cut with a mark. */
static void make_curve_legend(const struct app *a, const struct lesson_chart *c, int names, struct curve_legend *out)
{
	char text[80];
	bool before = false;
	out->count = 0;
	for (size_t i = 0; i < c->chart.series_count; i++) {
		const struct series *s = &c->chart.series[i];
		if (s->role == SERIES_CURRENT && s->mark != '-')
			curve_legend_add(out, series_key_text(s, a->ascii), chart_series_role(s),
				text_shorten(s->label, names, a->ascii, text, sizeof text));
		before |= s->role == SERIES_PREVIOUS;
	}
	if (before)
		curve_legend_add(
			out, ".", ROLE_PREVIOUS, text_shorten("question before", names, a->ascii, text, sizeof text));
	if (c->drawn)
		curve_legend_add(out, mark_text('@', a->ascii), ROLE_PINNED,
			text_shorten("predicted", names, a->ascii, text, sizeof text));
}

/* The longest form that fits. */
static void fit_curve_legend(const struct app *a, const struct lesson_chart *c, int room, struct curve_legend *out)
{
	for (int names = 40; names > 2; names = names * 2 / 3) {
		make_curve_legend(a, c, names, out);
		if (curve_legend_width(out) <= room)
			return;
	}
	out->count = 0;
}

static void format_plot_title(const struct app *a, const struct step_state *s, char *out, size_t size)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct lesson_step *step = &lessons_view_lesson(a)->steps[v->page - 1];
	bool busy = v->measured == v->page && background_job_is_busy(v->job);
	if (busy)
		snprintf(out, size, "%s", background_job_status_text(v->job));
	else
		snprintf(out, size, "%s%s, by %s%s%s", s->stage == STAGE_ASKED ? v->drawing ? "Draw: " : "Asked: " : "",
			step->metric_words, step->x_words, s->command.device ? ", " : "",
			s->command.device ? s->command.device : "");
}

/* --- the plot --- */
static void draw_chart_of_step(const struct app *a, const struct step_state *s, struct lesson_chart *c, struct area in)
{
	struct chart_look look = app_chart_look(a);
	struct area canvas = chart_draw(&look, &c->chart, in);
	if (s->stage == STAGE_ASKED && canvas.r.h > 0)
		draw_prediction_cursor(a, s, &look, &c->chart, canvas);
}

static const char *missing_curve_text(const struct app *a)
{
	const struct lesson_view *v = lessons_view_of(a);
	return v->measured == v->page ? background_job_status_text(v->job) : "not measured; r measures the curve";
}

void lesson_plot_draw(const struct app *a, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	struct lesson_chart c;
	char title[240], label[120];
	struct curve_legend legend;
	bool any = lesson_chart_make(v, v->page, a->log_y, &c);
	format_plot_title(a, s, title, sizeof title);
	fit_curve_legend(a, &c, at.r.w - 9 - text_width(title), &legend);
	area_draw_frame(at, v->drawing, title, "");
	curve_legend_draw(&legend, at, at.r.w - 2);
	struct area in = area_inner(at);
	bool line = in.r.h >= 6;
	if (line)
		draw_value_line(a, s, area_sub(in, 0, in.r.h - 1, in.r.w, 1));
	in = area_sub(in, 0, 0, in.r.w, in.r.h - line);
	if (any) {
		draw_chart_of_step(a, s, &c, in);
		snprintf(label, sizeof label, " x: %s ", lessons_view_lesson(a)->steps[v->page - 1].x_words);
		if (*c.chart.x_label && in.r.w > 30)
			area_draw_right(at, at.r.w - 2, at.r.h - 1, ROLE_DIM, label);
	} else
		area_draw_fitted(in, 1, in.r.h / 2, in.r.w - 2,
			background_job_state(v->job) == BACKGROUND_FAILED ? ROLE_BAD : ROLE_DIM, missing_curve_text(a));
	lesson_chart_free(&c);
}
