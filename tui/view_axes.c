/* The plot's axes with their ticks, and what stands on them: points that have no value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/bench.h"
#include "tui/view_plot.h"

enum { TICKS_MAX = 40 };

static void y_axis(const struct plot_drawing *d, enum axis axis)
{
	const struct plot_model *m = d->m;
	const struct area in = d->in, canvas = d->canvas;
	bool ascii = d->a->ascii;
	struct tick ticks[TICKS_MAX];
	bool left = axis == AXIS_LEFT;
	int top = canvas.r.y - in.r.y, x = left ? canvas.r.x - in.r.x - 1 : canvas.r.x - in.r.x + canvas.r.w;
	int role = left ? ROLE_LEFT : ROLE_RIGHT, rows = canvas.r.h;
	for (int y = 0; y < rows; y++)
		area_glyph(in, x, top + y, ROLE_FRAME, glyph(ascii, GLYPH_V));
	if (!m->chart.has_axis[axis])
		return;
	size_t most = rows / 3 < 2 ? 2 : (size_t)(rows / 3), n = scale_ticks(&m->chart.y[axis], "", ticks, most < TICKS_MAX ? most : TICKS_MAX);
	for (size_t i = 0; i < n; i++) {
		int y = top + (int)lround((1 - scale_at(&m->chart.y[axis], ticks[i].value)) * (rows - 1));
		if (y < top || y >= top + rows)
			continue;
		area_glyph(in, x, y, ROLE_FRAME, glyph(ascii, left ? GLYPH_TICK_LEFT : GLYPH_TICK_RIGHT));
		if (left)
			area_right(in, x, y, role, ticks[i].text);
		else
			area_text(in, x + 1, y, role, ticks[i].text);
	}
}

/* A choice's ticks are its names. */
static size_t x_ticks(const struct bench *b, const struct plot_model *m, struct tick *ticks, size_t most)
{
	int axis = b->curve.count ? b->curve.axis : b->axis;
	if (axis < 0 || b->curve.x_metric || b->x->params[axis].kind != STEP_CHOICE)
		return scale_ticks(&m->chart.x, m->chart.x_unit, ticks, most);
	const struct param *p = &b->x->params[axis];
	size_t n = 0;
	for (int i = 0; i < p->choice_count && n < most; i++, n++) {
		ticks[n].value = i;
		snprintf(ticks[n].text, sizeof ticks[n].text, "%.23s", p->choices[i]);
	}
	return n;
}

static void x_axis(const struct plot_drawing *d)
{
	const struct app *a = d->a;
	const struct plot_model *m = d->m;
	const struct area in = d->in, canvas = d->canvas;
	int row = d->axis_row;
	struct tick ticks[TICKS_MAX];
	int left = canvas.r.x - in.r.x, right = left + canvas.r.w, free_from = 0;
	for (int x = left; x < right; x++)
		area_glyph(in, x, row, ROLE_FRAME, glyph(a->ascii, GLYPH_H));
	area_glyph(in, left - 1, row, ROLE_FRAME, glyph(a->ascii, GLYPH_CORNER_LEFT));
	area_glyph(in, right, row, ROLE_FRAME, glyph(a->ascii, GLYPH_CORNER_RIGHT));
	size_t most = (size_t)canvas.r.w / 9 + 1, n = x_ticks(d->b, m, ticks, most < TICKS_MAX ? most : TICKS_MAX);
	for (size_t i = 0; i < n; i++) {
		int column = plot_column(&m->chart.x, ticks[i].value, canvas.r.w, canvas_of(a));
		if (column < 0)
			continue;
		area_glyph(in, left + column, row, ROLE_FRAME, glyph(a->ascii, GLYPH_TICK_X));
		int w = text_columns(ticks[i].text), at = left + column - w / 2;
		if (at + w > in.r.w)
			at = in.r.w - w;
		if (at < free_from)
			continue;
		area_text(in, at, row + 1, ROLE_DIM, ticks[i].text);
		free_from = at + w + 1;
	}
}

/* Points without a value stand on the x axis, so that a gap in the curve says why. */
static void failed_points(const struct plot_drawing *d)
{
	const struct curve *c = &d->b->curve;
	for (int i = 0; i < c->count; i++) {
		int column = plot_column(&d->m->chart.x, curve_x(c, i), d->canvas.r.w, canvas_of(d->a));
		if (column >= 0 && c->points[i].status == POINT_FAILED)
			area_glyph(d->in, d->canvas.r.x - d->in.r.x + column, d->axis_row, ROLE_BAD, glyph(d->a->ascii, GLYPH_FAILED));
	}
}

void plot_draw_axes(const struct plot_drawing *d)
{
	int left = d->canvas.r.x - d->in.r.x;
	if (left > 0)
		y_axis(d, AXIS_LEFT);
	if (left > 0 && left + d->canvas.r.w < d->in.r.w)
		y_axis(d, AXIS_RIGHT);
	if (d->axis_row < 0)
		return;
	x_axis(d);
	failed_points(d);
}
