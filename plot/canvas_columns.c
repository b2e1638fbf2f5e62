/* Bars of the canvas. */
#include <math.h>

#include "plot/chart_canvas.h"
#include "plot/chart_columns.h"

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
