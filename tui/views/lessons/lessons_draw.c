/* Draws the lesson view: the course with its results, or a lesson with its plot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "tui/toolkit/chart_area.h"
#include "sessions/export/session_chart.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/views/lessons/lesson_rows.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/lessons/class_mode_draw.h"
#include "plot/series_mark.h"

/* --- the course --- */
/* "right, curve off 12 %", "read", "". */
static void result_text(const struct lesson_result *r, char *out, size_t size)
{
	*out = 0;
	if (!r->done)
		return;
	if (r->skipped)
		snprintf(out, size, "read");
	else if (r->choice)
		snprintf(out, size, "%s", r->right ? "right" : "wrong");
	if (!isnan(r->curve))
		snprintf(
			out + strlen(out), size - strlen(out), "%scurve off %.0f %%", *out ? ", " : "", 100 * r->curve);
	if (!*out)
		snprintf(out, size, "done");
}

static void course_row(const struct app *a, struct area in, int y, int i)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_page_at(a, i);
	struct lesson_result r = course_progress_get(&v->progress, l->id);
	char result[64];
	bool chosen = i == v->chosen;
	int at = in.r.w >= 70 ? in.r.w - 24 : in.r.w - 8;
	result_text(&r, result, sizeof result);
	area_draw_text(in, 0, y, ROLE_SELECTED, chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
	area_printf(in, 2, y, ROLE_DIM, "%2d", i + 1);
	area_draw_fitted(in, 5, y, at - 6, chosen ? ROLE_SELECTED : ROLE_TEXT, l->title);
	area_draw_fitted(in, at, y, in.r.w - at,
		r.right          ? ROLE_OK
			: r.done ? ROLE_WARN
				 : ROLE_DIM,
		*result ? result : "--");
	/* A click selects; on the selected row it acts as Enter. */
	struct mouse_region hit = {.click = chosen ? "lesson-enter" : "lesson-down"};
	if (!chosen)
		snprintf(hit.argument, sizeof hit.argument, "%d", i - v->chosen);
	area_add_hit(in, 0, y, in.r.w, 1, hit);
}

static void format_totals(const struct lesson_view *v, char *out, size_t size)
{
	int done = 0, right = 0, chosen = 0;
	for (int i = 0; i < v->course.count; i++) {
		struct lesson_result r = course_progress_get(&v->progress, v->course.list[i]->id);
		done += r.done;
		right += r.right;
		chosen += r.choice > 0;
	}
	snprintf(out, size, "%d of %d done, %d of %d choices right", done, v->course.count, right, chosen);
}

static void view_course(const struct app *a, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	char text[80];
	format_totals(v, text, sizeof text);
	area_draw_frame(at, true, "Lessons", text);
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	int bad = v->bad_count < in.r.h / 3 ? v->bad_count : in.r.h / 3, rows = in.r.h - bad,
	    first = list_first_visible_row(v->chosen, rows, v->course.count);
	for (int i = 0; i < rows && first + i < v->course.count; i++)
		course_row(a, in, i, first + i);
	for (int i = 0; i < bad; i++)
		area_printf(in, 0, rows + i, ROLE_BAD, "%s skipped: %s", glyph_text(a->ascii, GLYPH_FAILED), v->bad[i]);
}

/* --- the lesson's text --- */
static const char *const section_names[PAGE_SECTIONS] = {
	[PAGE_PREDICT] = "Predict",
	[PAGE_RUN] = "Run",
	[PAGE_CURVE] = "What the curve shows",
	[PAGE_WHY] = "Why",
	[PAGE_OTHERS] = "On other GPUs",
	[PAGE_EXERCISES] = "Exercises",
};

static void prompt_predict(const struct lesson_view *v, char *out, size_t size)
{
	char lock[80] = "choose a letter";
	if (v->choice || prediction_point_count(&v->prediction))
		snprintf(lock, sizeof lock, v->choice ? "Enter locks in %c" : "Enter locks in the curve",
			'a' + v->choice - 1);
	if (v->drawing)
		snprintf(out, size, "arrows move  Space point  + - y range  y other metric  %s", lock);
	else
		snprintf(out, size, "%s%s  x skip", lock, v->prediction.columns ? "  Tab draw the curve" : "");
}

/* The next thing to do, in one line. */
static void format_prompt(const struct app *a, char *out, size_t size)
{
	const struct lesson_view *v = lessons_view_of(a);
	bool shown = v->answers >> (v->exercise & 31) & 1;
	if (v->stage == STAGE_PREDICT && v->section == PAGE_PREDICT)
		prompt_predict(v, out, size);
	else if (v->stage == STAGE_LOCKED)
		snprintf(out, size,
			background_job_is_busy(v->job) ? "locked in; measuring the curve, Esc cancels"
						       : "locked in, not measured; r measure, x show the answer");
	else if (v->section == PAGE_RUN)
		snprintf(out, size, "Enter run step %d  j open in the workbench  Right next", v->step);
	else if (v->section == PAGE_EXERCISES)
		snprintf(out, size, "Enter %s the answer of %d  n next lesson", shown ? "hides" : "shows", v->exercise);
	else
		snprintf(out, size, "Right next  Left back  j open in the workbench");
}

static void view_text(const struct app *a, const struct lesson *l, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	struct text_rows r;
	char title[160], place[64], text[120];
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	int rows = in.r.h - 1, most;
	text_rows_add_section(a, l, in.r.w, &r);
	most = r.count > rows ? r.count - rows : 0;
	int first = v->scroll > most ? most : v->scroll;
	snprintf(title, sizeof title, "%d/%d %s", v->chosen + 1, v->course.count, l->title);
	snprintf(place, sizeof place, "%s %d/%d%s", section_names[v->section], (int)v->section + 1, (int)PAGE_SECTIONS,
		most ? first < most ? ", PgDn" : ", PgUp" : "");
	int room = at.r.w - text_width(place) - 8;
	if (text_width(title) > room)
		snprintf(title, sizeof title, "%d %s", v->chosen + 1, l->title);
	if (text_width(title) > room)
		snprintf(title, sizeof title, "%d %.*s%s", v->chosen + 1,
			(int)text_fit_bytes(l->title, room > 6 ? room - 5 : 1), l->title,
			glyph_text(at.g->ascii, GLYPH_ELLIPSIS));
	area_draw_frame(at, !v->drawing, title, place);
	for (int y = 0; y < rows && first + y < r.count; y++)
		area_draw_fitted(in, r.list[first + y].indent, y, in.r.w - r.list[first + y].indent,
			r.list[first + y].role, r.list[first + y].text);
	text_rows_free(&r);
	format_prompt(a, text, sizeof text);
	area_draw_fitted(in, 0, rows, in.r.w, ROLE_KEY, text);
}

/* --- the plot --- */
static void draw_prediction_cursor(
	const struct app *a, const struct chart_look *look, const struct chart *c, struct area canvas)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct metric *m = &v->predicted.x->metrics[v->metric];
	int column, row;
	if (!v->drawing ||
		!chart_find_cell(look, c, canvas, m->axis == 1 ? AXIS_RIGHT : AXIS_LEFT,
			v->prediction.x[v->prediction.column], prediction_row_value(&v->prediction, v->prediction.row),
			&column, &row))
		return;
	for (int y = 0; y < canvas.r.h; y++)
		if (canvas.g->cells[(canvas.r.y + y) * canvas.g->w + canvas.r.x + column].utf8[0] == ' ')
			area_draw_glyph(canvas, column, y, ROLE_RULER, glyph_text(a->ascii, GLYPH_CURSOR));
	area_draw_glyph(canvas, column, row, ROLE_CURSOR, "X");
	area_add_attr(canvas, column, row, 1, ATTR_REVERSE);
}

static const struct param *x_choices(const struct experiment *x, int axis)
{
	return x && axis >= 0 && experiment_find_x_metric(x) < 0 && x->params[axis].kind == PARAM_STEP_CHOICE
		? &x->params[axis]
		: NULL;
}

/* "512 B: 240 cycles" at the x value of the drawing or of the cursor. */
static void draw_cursor_values(const struct app *a, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	char value[64], height[64];
	if (v->stage == STAGE_PREDICT && v->metric >= 0) {
		const struct plan *p = &v->predicted.plan;
		const struct param *x = &v->predicted.x->params[p->axes[p->axis_count - 1].param];
		struct reading r = {true, prediction_row_value(&v->prediction, v->prediction.row)};
		param_format(x, v->prediction.x[v->prediction.column], value, sizeof value);
		reading_format(
			r, unit_display(v->predicted.x->metrics[v->metric].unit, a->ascii), height, sizeof height);
		area_printf(at, 1, 0, ROLE_CURSOR, "%s: %s %s", value, v->predicted.x->metrics[v->metric].id, height);
		return;
	}
	const struct sweep *s = background_job_sweep(v->job);
	int count = 0;
	const struct point *points = s ? sweep_points(s, &count) : NULL;
	if (v->cursor >= count || points[v->cursor].status != POINT_OK)
		return;
	struct buf b = {0};
	const struct point *p = &points[v->cursor];
	const struct plan *plan = sweep_plan(s);
	for (int i = 0; i < plan->axis_count; i++)
		buf_printf(&b, "%s%s", i ? ", " : "",
			param_format(&plan->x->params[plan->axes[i].param], p->values[plan->axes[i].param], value,
				sizeof value));
	for (int k = 0; k < plan->x->metric_count; k++)
		if (p->metrics[k].valid)
			buf_printf(&b, "%s%s %s", b.len ? "  " : "", plan->x->metrics[k].id,
				reading_format(p->metrics[k], unit_display(plan->x->metrics[k].unit, a->ascii), height,
					sizeof height));
	const json_t *units = json_object_get(background_job_device_record(v->job), "counters");
	for (int i = 0; plan->counters && plan->counters[i]; i++)
		buf_printf(&b, "  %s %s", plan->counters[i],
			reading_format(record_get_reading(json_object_get(p->record, "counters"), plan->counters[i]),
				record_get_text(units, plan->counters[i]), height, sizeof height));
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_CURSOR, b.data ? b.data : "");
	buf_free(&b);
}

/* Cut with a mark. */
static void put_name(const struct app *a, const char *mark, const char *name, int most, struct buf *out)
{
	bool cut = text_width(name) > most;
	buf_printf(out, "%s%s %.*s%s", out->len ? "  " : "", mark, most - cut, name,
		cut ? glyph_text(a->ascii, GLYPH_ELLIPSIS) : "");
}

/* Marks and names of the series; `names` is the length of each name. The previous curve and the prediction have
 * fixed names. */
static void put_legend(const struct app *a, const struct lesson_chart *c, int names, struct buf *out)
{
	bool ghost = false;
	for (size_t i = 0; i < c->chart.series_count; i++) {
		const struct series *s = &c->series[i];
		if (s->role == SERIES_CURRENT && s->mark != '-')
			put_name(a, mark_text(s->mark, a->ascii), s->label, names, out);
		ghost |= s->role == SERIES_PREVIOUS;
	}
	if (ghost)
		put_name(a, ".", "previous", names, out);
	if (c->drawn)
		put_name(a, mark_text('@', a->ascii), "predicted", names, out);
}

/* The longest form that fits. */
static void format_curve_legend(const struct app *a, const struct lesson_chart *c, int room, char *out, size_t size)
{
	struct buf b = {0};
	*out = 0;
	for (int names = 40; names > 2; names = names * 2 / 3) {
		buf_clear(&b);
		put_legend(a, c, names, &b);
		if (b.len && text_width(b.data) <= room) {
			snprintf(out, size, "%s", b.data);
			break;
		}
	}
	buf_free(&b);
}

static void plot_title(const struct app *a, char *out, size_t size)
{
	const struct lesson_view *v = lessons_view_of(a);
	if (v->stage == STAGE_PREDICT)
		snprintf(out, size, v->drawing ? "Draw: %s" : "To be measured: %s", v->predicted.x->title);
	else if (background_job_is_busy(v->job))
		snprintf(out, size, "Step %d  %s", v->measured, background_job_status_text(v->job));
	else
		snprintf(out, size, "Step %d  %s", v->measured, v->now.x ? v->now.x->title : "");
}

void lessons_view_draw_plot(const struct app *a, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	struct lesson_chart c;
	char title[120], marks[240] = "";
	bool any = lesson_chart_make(v, a->log_y, &c);
	plot_title(a, title, sizeof title);
	format_curve_legend(a, &c, at.r.w - 8 - text_width(title), marks, sizeof marks);
	area_draw_frame(at, v->drawing, title, text_width(title) + 14 < at.r.w ? marks : "");
	struct area in = area_inner(at);
	bool line = in.r.h >= 6;
	if (line)
		draw_cursor_values(a, area_sub(in, 0, in.r.h - 1, in.r.w, 1));
	in = area_sub(in, 0, 0, in.r.w, in.r.h - line);
	if (any) {
		const struct plan *p = &v->predicted.plan;
		bool open = v->stage == STAGE_PREDICT;
		const struct param *choices = open ? x_choices(v->predicted.x, p->axes[p->axis_count - 1].param)
						   : x_choices(v->now.x, v->now.axis);
		struct chart_look look = app_chart_look_with(a, choices);
		struct area canvas = chart_draw(&look, &c.chart, in);
		if (open && canvas.r.h > 0)
			draw_prediction_cursor(a, &look, &c.chart, canvas);
		char label[80];
		snprintf(label, sizeof label, " x: %s ", c.chart.x_label);
		if (*c.chart.x_label && in.r.w > 30)
			area_draw_right(at, at.r.w - 2, at.r.h - 1, ROLE_DIM, label);
	} else
		area_draw_fitted(in, 1, in.r.h / 2, in.r.w - 2,
			background_job_state(v->job) == BACKGROUND_FAILED ? ROLE_BAD : ROLE_DIM,
			background_job_status_text(v->job));
	lesson_chart_free(&c);
}

void lessons_view_draw(const struct app *a, struct area at)
{
	const struct lesson *l = lessons_view_page(a);
	if (!lessons_view_of(a))
		return;
	if (!l) {
		view_course(a, at);
		return;
	}
	if (lessons_view_of(a)->class_mode) {
		class_view_draw(a, l, at);
		return;
	}
	struct lesson_layout p = lessons_view_layout(a, at.r.w, at.r.h);
	if (p.text.h > 0)
		view_text(a, l, area_sub(at, p.text.x, p.text.y, p.text.w, p.text.h));
	if (p.plot.h > 0 && p.plot.w > 0)
		lessons_view_draw_plot(a, area_sub(at, p.plot.x, p.plot.y, p.plot.w, p.plot.h));
}
