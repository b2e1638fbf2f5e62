/* Areas of the canvas: each column is filled to the height of the point that it belongs to; and the bars of categories.
 */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "plot/band_pattern.h"
#include "plot/chart_canvas.h"
#include "plot/chart_columns.h"

double canvas_bar_half_width(const struct canvas *v, const struct series *s, size_t i)
{
	double at = canvas_dot_x(v, s->points[i].x), half = v->width * v->dots_x;
	if (v->chart->x_name_count)
		return 0.4 * fabs(canvas_dot_x(v, s->points[i].x + 1) - at);
	for (size_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < s->count; k++)
		if (k != i)
			half = fmin(
				half, (s->style == STYLE_BAR ? 0.4 : 0.5) * fabs(canvas_dot_x(v, s->points[k].x) - at));
	return half;
}

static double stack_top(const struct canvas *v, size_t i)
{
	const struct chart *c = v->chart;
	double top = -INFINITY;
	for (unsigned k = 0; k < c->series_count; k++)
		if (series_is_area(&c->series[k]) && i < c->series[k].count &&
			chart_point_is_drawn(&c->series[k].points[i]))
			top = fmax(top, c->series[k].points[i].high);
	return top;
}

/* The point whose bar a column shows; -1: none. A column with several points shows the highest; one without, the bar
 * that reaches its middle. */
static void find_column_points(const struct canvas *v, const struct series *s, int *owner)
{
	double *tops = xcalloc((size_t)v->width, sizeof *tops), middle = (v->dots_x - 1) / 2.0;
	for (int x = 0; x < v->width; x++)
		owner[x] = -1;
	for (size_t i = 0; i < s->count; i++) {
		double own = floor(round(canvas_dot_x(v, s->points[i].x)) / v->dots_x), top = stack_top(v, i);
		int x = own >= 0 && own < v->width ? (int)own : -1;
		if (x < 0 || !chart_point_is_drawn(&s->points[i]) || (owner[x] >= 0 && top <= tops[x]))
			continue;
		owner[x] = (int)i;
		tops[x] = top;
	}
	free(tops);
	for (size_t i = 0; i < s->count; i++) {
		double at = canvas_dot_x(v, s->points[i].x) - middle, half = canvas_bar_half_width(v, s, i);
		int from = (int)fmax(0, ceil((at - half) / v->dots_x - 1e-6)),
		    to = (int)fmin(v->width - 1, floor((at + half) / v->dots_x + 1e-6));
		for (int x = from; x <= to && chart_point_is_drawn(&s->points[i]); x++)
			if (owner[x] < 0)
				owner[x] = (int)i;
	}
}

/* The areas of a point, from top to bottom in dots. */
struct column_stack {
	unsigned count;
	struct {
		unsigned series;
		double top, bottom;
	} area[CANVAS_RULER];
};

/* The lowest area ends at the edge of the canvas. */
static void find_column_stack(const struct canvas *v, size_t point, struct column_stack *out)
{
	const struct chart *c = v->chart;
	double end = v->height * v->dots_y - 0.5;
	out->count = 0;
	for (unsigned i = 0; i < c->series_count && i < CANVAS_RULER; i++) {
		const struct series *s = &c->series[i];
		if (!series_is_area(s) || point >= s->count || !chart_point_is_drawn(&s->points[point]))
			continue;
		double top = canvas_dot_y(v, s->axis, s->points[point].high),
		       bottom = canvas_dot_y(v, s->axis, s->points[point].low);
		if (bottom > end - 0.5 - 1e-6)
			bottom = end;
		out->area[out->count].series = i;
		out->area[out->count].top = top;
		out->area[out->count++].bottom = bottom;
	}
}

/* A cell that the stack covers by more than half gets the area that has most of it. */
static void fill_stack_cell(const struct canvas *v, const struct column_stack *stack, int column, int row)
{
	double from = row * v->dots_y - 0.5, to = from + v->dots_y, most = 0, all = 0;
	unsigned best = CANVAS_RULER;
	for (unsigned k = 0; k < stack->count; k++) {
		double low = stack->area[k].bottom < to ? stack->area[k].bottom : to,
		       high = stack->area[k].top > from ? stack->area[k].top : from,
		       share = low > high ? (low - high) / v->dots_y : 0;
		all += share;
		if (share > most) {
			most = share;
			best = stack->area[k].series;
		}
	}
	if (best != CANVAS_RULER && all > 0.5 + 1e-9)
		canvas_set_cell(canvas_cell_at(v, column, row),
			band_pattern_text(v->chart->series[best].mark, v->kind == CANVAS_ASCII), best);
}

void canvas_draw_areas(const struct canvas *v)
{
	const struct chart *c = v->chart;
	unsigned first = 0; /* the areas of a chart have the same points */
	while (first < c->series_count && !series_is_area(&c->series[first]))
		first++;
	if (first >= c->series_count || first >= CANVAS_RULER)
		return;
	int *owner = xcalloc((size_t)v->width, sizeof *owner);
	find_column_points(v, &c->series[first], owner);
	struct column_stack stack;
	for (int x = 0; x < v->width; x++) {
		if (owner[x] < 0)
			continue;
		find_column_stack(v, (size_t)owner[x], &stack);
		for (int y = 0; y < v->height; y++)
			fill_stack_cell(v, &stack, x, y);
	}
	free(owner);
}

/* --- bars of categories --- */

enum { EIGHTHS = 8 };

/* The upper end of a bar that fills so many eighths of its cell. */
static const char *column_end_text(char mark, int eighths, bool ascii)
{
	static const char *const ends[] = {
		"", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
	bool filled = mark == '*' && !ascii;
	return filled ? ends[eighths] : eighths * 2 > EIGHTHS ? column_text(mark, ascii) : "";
}

static void draw_column(const struct canvas *v, const struct series *s, unsigned index, const struct chart_point *p)
{
	double left, right, rows = v->height * fmin(fmax(scale_to_fraction(&v->chart->y[s->axis], p->y), 0), 1);
	bool ascii = v->kind == CANVAS_ASCII;
	column_find_span(v->chart, s, p->x, &left, &right);
	int from = (int)fmax(0, round(canvas_dot_x(v, left) / v->dots_x)),
	    to = (int)fmin(v->width, round(canvas_dot_x(v, right) / v->dots_x)), full = (int)rows;
	const char *end = column_end_text(s->mark, (int)lround((rows - full) * EIGHTHS), ascii);
	for (int x = from; x < to || x == from; x++) {
		for (int y = 0; y < full; y++)
			if (canvas_cell_at(v, x, v->height - 1 - y))
				canvas_set_cell(
					canvas_cell_at(v, x, v->height - 1 - y), column_text(s->mark, ascii), index);
		if (*end && canvas_cell_at(v, x, v->height - 1 - full))
			canvas_set_cell(canvas_cell_at(v, x, v->height - 1 - full), end, index);
	}
}

void canvas_draw_columns(const struct canvas *v)
{
	const struct chart *c = v->chart;
	for (unsigned i = 0; i < c->series_count && i < CANVAS_RULER; i++)
		for (size_t k = 0; c->series[i].style == STYLE_COLUMN && k < c->series[i].count; k++)
			if (chart_point_is_drawn(&c->series[i].points[k]))
				draw_column(v, &c->series[i], i, &c->series[i].points[k]);
}
