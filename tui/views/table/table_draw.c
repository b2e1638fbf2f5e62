/* Draws the table view: rows and columns; below them the statistics and samples of the selected point. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/lab/lab.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/text_page.h"
#include "tui/views/table/sample_histogram.h"
#include "tui/views/table/table_view.h"
#include "gpu/protocol/point_record.h"

enum { CELL = 11, HEADS = 2, MARK = 2, POINT_ROWS = 9, ROWS_LEAST = 7, STATISTICS_WIDTH = 59, REMARK_LEAST = 12 };

struct table_drawing {
	const struct app *a;
	const struct lab *b;
	const struct table_view *v;
	struct point_table t;
	struct area in;
	int first, shown; /* columns after the first one, which is always shown */
};

/* --- rows and columns --- */
/* The first column is fixed; the others scroll with the cursor. */
static void choose_shown_columns(struct table_drawing *d)
{
	int room = (d->in.r.w - MARK) / CELL - 1, rest = d->t.column_count - 1;
	d->shown = room < 0 ? 0 : room < rest ? room : rest;
	d->first = d->v->column - d->shown < 0 ? 1 : d->v->column - d->shown + 1;
	d->first = d->v->column <= d->shown ? 1 : d->first;
}

/* The column's place; -1: not shown. */
static int column_place(const struct table_drawing *d, int column)
{
	int place = !column ? 0 : column - d->first + 1;
	return !column || (place >= 1 && place <= d->shown) ? MARK + place * CELL : -1;
}

static void draw_column_head(const struct table_drawing *d, int column, int x)
{
	bool here = column == d->v->column, sorted = column == d->v->sort;
	char text[64], head[64];
	snprintf(text, sizeof text, "%s%s",
		text_shorten(d->t.columns[column].head, CELL - 2, d->a->ascii, head, sizeof head),
		sorted ? glyph_text(d->a->ascii, d->v->descending ? GLYPH_DOWN : GLYPH_UP) : "");
	area_draw_right(d->in, x + CELL - 1, 0, here ? ROLE_SELECTED : sorted ? ROLE_KEY : ROLE_DIM, text);
	text_shorten(point_table_unit(&d->t, column, d->a->ascii), CELL - 1, d->a->ascii, text, sizeof text);
	area_draw_right(d->in, x + CELL - 1, 1, ROLE_DIM, text);
	struct mouse_region hit = {.click = "table-sort"};
	snprintf(hit.argument, sizeof hit.argument, "%s", d->t.columns[column].head);
	area_add_hit(d->in, x, 0, CELL, HEADS, hit);
}

static void draw_table_row(const struct table_drawing *d, int row, int y)
{
	int point = d->t.order[row], end = MARK + (d->shown + 1) * CELL;
	bool here = point == d->b->cursor;
	const struct point *p = &d->b->curve.points[point];
	int role = here ? ROLE_SELECTED : p->status == POINT_OK ? ROLE_TEXT : ROLE_DIM;
	char text[64];
	for (int x = 0; here && x < d->in.r.w; x++)
		area_draw_text(d->in, x, y, role, " ");
	area_draw_text(d->in, 0, y, role, here ? glyph_text(d->a->ascii, GLYPH_SELECT) : " ");
	for (int k = 0; k < d->t.column_count; k++) {
		int x = column_place(d, k);
		if (x < 0)
			continue;
		point_table_format(&d->t, d->b, row, k, text, sizeof text);
		if (text_width(text) >= CELL)
			area_draw_fitted(d->in, x + 1, y, CELL - 2, role, text);
		else
			area_draw_right(d->in, x + CELL - 1, y, role, text);
	}
	if (d->in.r.w - end >= REMARK_LEAST)
		area_draw_fitted(d->in, end + 1, y, d->in.r.w - end - 1, here ? role : ROLE_WARN,
			point_table_remark(d->b, point));
}

static void draw_table(struct table_drawing *d, struct area at)
{
	char right[120];
	int row = point_table_find_row(&d->t, d->b->cursor);
	snprintf(right, sizeof right, "%s%s%s%d of %d points", d->v->sort < 0 ? "as measured" : "by ",
		d->v->sort < 0 ? "" : d->t.columns[d->v->sort].head, ", ", row + 1, d->t.rows);
	area_draw_frame(at, true, d->b->x->title, right);
	d->in = area_inner(at);
	choose_shown_columns(d);
	for (int k = 0; k < d->t.column_count; k++)
		if (column_place(d, k) >= 0)
			draw_column_head(d, k, column_place(d, k));
	int rows = d->in.r.h - HEADS, first = list_first_visible_row(row, rows, d->t.rows);
	for (int i = 0; i < rows && first + i < d->t.rows; i++)
		draw_table_row(d, first + i, HEADS + i);
	if (!d->t.rows)
		area_draw_text(d->in, 1, HEADS, ROLE_DIM, "no points yet; Space in the workbench measures the sweep");
}

/* --- the selected point --- */
enum { STATISTICS = 5, NAME_WIDTH = 16, VALUE_CELL = 8 };

static void draw_statistics_row(
	struct area in, int y, const char *name, const char *unit, const double v[STATISTICS], int count, bool ascii)
{
	char text[48];
	snprintf(text, sizeof text, "%s%s%s", name, *unit ? ", " : "", unit_display(unit, ascii));
	area_draw_fitted(in, 1, y, NAME_WIDTH, ROLE_TEXT, text);
	for (int k = 0; k < STATISTICS; k++) {
		number_format_digits(text, sizeof text, v[k]);
		if (count > 1 || k == STATISTICS / 2)
			area_draw_right(in, NAME_WIDTH + (k + 1) * VALUE_CELL, y,
				k == STATISTICS / 2 ? ROLE_TITLE : ROLE_TEXT, text);
	}
}

static void sort_statistics(double v[STATISTICS])
{
	if (v[0] <= v[STATISTICS - 1])
		return;
	for (int k = 0; k < STATISTICS / 2; k++) { /* a rate decreases as the time increases */
		double swap = v[k];
		v[k] = v[STATISTICS - 1 - k];
		v[STATISTICS - 1 - k] = swap;
	}
}

/* The metrics at the minimum, the quartiles, the median and the maximum of the times. */
static void eval_statistics(const struct lab *b, const struct point *p, struct reading out[STATISTICS][METRICS_MAX])
{
	const double times[STATISTICS] = {
		p->seconds.min, p->seconds.q1, p->seconds.median, p->seconds.q3, p->seconds.max};
	if (p->seconds.count > 1 && p->record) {
		experiment_eval_metrics_at(b->x, p->values, p->record, times, STATISTICS, out, NULL);
		memcpy(out[STATISTICS / 2], p->metrics, sizeof p->metrics);
	} else {
		for (int k = 0; k < STATISTICS; k++)
			memcpy(out[k], p->metrics, sizeof p->metrics);
	}
}

/* One metric of these; false if it is not available. */
static bool metric_statistics(struct reading all[STATISTICS][METRICS_MAX], int metric, double v[STATISTICS])
{
	for (int k = 0; k < STATISTICS; k++) {
		if (!all[k][metric].valid)
			return false;
		v[k] = all[k][metric].value;
	}
	sort_statistics(v);
	return true;
}

static void draw_statistics(const struct table_drawing *d, struct area in, const struct point *p)
{
	static const char *const heads[STATISTICS] = {"min", "q1", "median", "q3", "max"};
	const struct stats *s = &p->seconds;
	const double f = d->t.time_factor;
	struct reading all[STATISTICS][METRICS_MAX];
	double v[STATISTICS] = {s->min * f, s->q1 * f, s->median * f, s->q3 * f, s->max * f};
	int y = 1;
	for (int k = 0; k < STATISTICS; k++)
		area_draw_right(in, NAME_WIDTH + (k + 1) * VALUE_CELL, 0, ROLE_DIM, heads[k]);
	if (s->count)
		draw_statistics_row(in, y++, "time", d->t.time_unit, v, s->count, d->a->ascii);
	eval_statistics(d->b, p, all);
	for (int k = 0; k < d->b->x->metric_count && y < in.r.h; k++)
		if (metric_statistics(all, k, v))
			draw_statistics_row(
				in, y++, d->b->x->metrics[k].id, d->b->x->metrics[k].unit, v, s->count, d->a->ascii);
}

/* A bar for each class, in eighths of a row. */
static void draw_histogram_bars(const struct app *a, struct area in, const struct sample_histogram *h, int width)
{
	enum { EIGHTHS = 8 };
	for (int i = 0; i < h->classes; i++) {
		int height = (int)lround((double)h->counts[i] / h->largest * in.r.h * EIGHTHS);
		height = h->counts[i] && !height ? 1 : height;
		for (int y = in.r.h - 1; height > 0; y--, height -= EIGHTHS)
			for (int x = 0; x < width; x++)
				area_draw_glyph(in, i * width + x, y, ROLE_STRIP,
					glyph_text(a->ascii,
						(enum glyph)(GLYPH_LEVEL0 + (height < EIGHTHS ? height - 1 : 7))));
	}
}

static void draw_histogram(const struct app *a, struct area in, const struct point *p)
{
	struct sample_histogram h;
	char low[32], high[32], text[64];
	histogram_make(point_get_samples(p->record), in.r.w, &h);
	if (h.samples < 2) {
		struct text_page page = {.in = in};
		text_page_add(&page, ROLE_DIM, "", 0, ROLE_DIM,
			h.samples ? "One sample. The times of a software GPU do not vary, so one is enough."
				  : "No samples.");
		return;
	}
	seconds_format(h.low, a->ascii, low, sizeof low);
	seconds_format(h.high, a->ascii, high, sizeof high);
	snprintf(text, sizeof text, "%d samples, at most %d in a class", h.samples, h.largest);
	area_draw_fitted(in, 0, 0, in.r.w, ROLE_DIM, text);
	int width = in.r.w / h.classes < 4 ? in.r.w / h.classes : 4;
	draw_histogram_bars(a, area_sub(in, 0, 1, in.r.w, in.r.h - 2), &h, width);
	area_draw_text(in, 0, in.r.h - 1, ROLE_TEXT, low);
	int end = h.classes * width > text_width(low) + text_width(high) + 2 ? h.classes * width
									     : text_width(low) + text_width(high) + 2;
	area_draw_right(in, end, in.r.h - 1, ROLE_TEXT, high);
}

static void draw_point(const struct table_drawing *d, struct area at)
{
	const struct point *p = lab_cursor_point(d->b);
	char value[64] = "", title[120];
	if (d->b->curve.axis >= 0 && p)
		param_format(&d->b->x->params[d->b->curve.axis], p->values[d->b->curve.axis], value, sizeof value);
	snprintf(title, sizeof title, "Point%s%s%s%s", *value ? ", " : "",
		*value ? d->b->x->params[d->b->curve.axis].id : "", *value ? " " : "", value);
	area_draw_frame(at, false, title, "");
	struct area in = area_inner(at);
	if (!p || p->status != POINT_OK) {
		area_draw_fitted(in, 1, 0, in.r.w - 2, ROLE_DIM, p ? point_table_remark(d->b, d->b->cursor) : "");
		return;
	}
	draw_statistics(d, in, p);
	if (in.r.w > STATISTICS_WIDTH + 10)
		draw_histogram(d->a, area_sub(in, STATISTICS_WIDTH, 0, in.r.w - STATISTICS_WIDTH - 1, in.r.h), p);
}

void table_view_draw(const struct app *a, struct area at)
{
	struct table_drawing d = {.a = a, .b = app_current_lab(a), .v = table_view_of(a)};
	if (!d.b || !d.v)
		return;
	table_view_make(a, &d.t);
	int lower = at.r.h - POINT_ROWS >= ROWS_LEAST ? POINT_ROWS : 0;
	draw_table(&d, area_sub(at, 0, 0, at.r.w, at.r.h - lower));
	if (lower)
		draw_point(&d, area_sub(at, 0, at.r.h - lower, at.r.w, lower));
	point_table_free(&d.t);
}
