/* The plot's axes with ticks, and marks on the x axis for points that failed. */
#include "tui/lab/lab.h"
#include "tui/lab/plot/curve_buckets.h"
#include "tui/toolkit/chart_area.h"
#include "tui/shell/plot/plot_pane.h"

static void draw_failed_point(const struct plot_drawing *d, double x)
{
	int column = chart_find_column(&d->m->chart.x, x, d->canvas.r.w, app_canvas_kind(d->a));
	if (column >= 0)
		area_draw_glyph(d->in, d->canvas.r.x - d->in.r.x + column, d->axis_row, ROLE_BAD,
			glyph_text(d->a->ascii, GLYPH_FAILED));
}

/* Failed points are marked on the x axis, to explain the gap in the curve. */
static void draw_failed_points(const struct plot_drawing *d)
{
	const struct measured_curve *c = &d->b->curve;
	const struct curve_buckets *s =
		curve_buckets_update(c, d->b->x, d->m->x_is_log, d->m->window_low, d->m->window_high);
	double x;
	for (int i = 0; s && i < BUCKETS_ALL; i++)
		if (curve_bucket_has_failed(s, i, &x))
			draw_failed_point(d, x);
	for (int i = 0; !s && i < c->count; i++)
		if (c->points[i].status == POINT_FAILED)
			draw_failed_point(d, measured_curve_x(c, i));
}

void plot_draw_axes(const struct plot_drawing *d)
{
	struct chart_look look = app_chart_look(d->a);
	chart_draw_axes(&look, &d->m->chart, d->in, d->canvas, d->axis_row);
	if (d->axis_row >= 0)
		draw_failed_points(d);
}
