/* The plot's axes with ticks, and marks on the x axis for points that failed. */
#include "tui/lab/lab.h"
#include "tui/toolkit/chart_area.h"
#include "tui/shell/plot/plot_pane.h"

/* Failed points are marked on the x axis, to explain the gap in the curve. */
static void draw_failed_points(const struct plot_drawing *d)
{
	const struct measured_curve *c = &d->b->curve;
	for (int i = 0; i < c->count; i++) {
		int column =
			chart_find_column(&d->m->chart.x, measured_curve_x(c, i), d->canvas.r.w, app_canvas_kind(d->a));
		if (column >= 0 && c->points[i].status == POINT_FAILED)
			area_draw_glyph(d->in, d->canvas.r.x - d->in.r.x + column, d->axis_row, ROLE_BAD,
				glyph_text(d->a->ascii, GLYPH_FAILED));
	}
}

void plot_draw_axes(const struct plot_drawing *d)
{
	struct chart_look look = app_chart_look(d->a);
	chart_draw_axes(&look, &d->m->chart, d->in, d->canvas, d->axis_row);
	if (d->axis_row >= 0)
		draw_failed_points(d);
}
