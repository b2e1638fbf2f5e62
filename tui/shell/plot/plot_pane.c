/* The plot: two y axes, the current, previous and pinned curves, the cursor. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/toolkit/chart_area.h"
#include "tui/shell/plot/plot_pane.h"

enum { BREAKDOWN_ROWS = 3, BREAKDOWN_SHARE = 5 /* the names of stall reasons take at most a fifth of the rows */ };

struct plot_column_span plot_split_columns(int w)
{
	/* The left columns hold "sclk  1536 " or a tick, the right ones a clock with its unit. */
	if (w >= 40)
		return (struct plot_column_span){10, w - 19};
	return w >= 24 ? (struct plot_column_span){8, w - 8} : (struct plot_column_span){0, w};
}

static int series_role(const struct plot_model *m, unsigned i)
{
	const struct series *s = &m->series[i];
	return series_is_area(s) ? stall_reason_role(m->causes[i]) : chart_series_role(s);
}

/* --- canvas --- */
static void draw_plot_canvas(const struct app *a, const struct plot_model *m, struct area at)
{
	struct canvas_cell *cells = xcalloc((size_t)at.r.w * (size_t)at.r.h, sizeof *cells);
	chart_render_cells(&m->chart, app_canvas_kind(a), at.r.w, at.r.h, cells);
	for (int y = 0; y < at.r.h; y++)
		for (int x = 0; x < at.r.w; x++) {
			const struct canvas_cell *c = &cells[y * at.r.w + x];
			if (!c->set)
				continue;
			int role = c->series < m->chart.series_count ? series_role(m, c->series) : ROLE_RULER;
			area_draw_glyph(at, x, y, c->utf8[0] == '!' && !c->utf8[1] ? ROLE_WARN : role, c->utf8);
			if (role_is_of_stall_reason(role))
				area_add_attr(at, x, y, 1, ATTR_REVERSE); /* the cell is filled, whatever its pattern */
		}
	free(cells);
}

/* The cursor's column: a line over blanks; cells of a curve are reversed, and those of an area no longer. */
static void draw_plot_cursor(const struct plot_drawing *d)
{
	const struct area canvas = d->canvas;
	if (!lab_cursor_point(d->b))
		return;
	int x = chart_find_column(
		&d->m->chart.x, measured_curve_x(&d->b->curve, d->b->cursor), canvas.r.w, app_canvas_kind(d->a));
	for (int y = 0; x >= 0 && y < canvas.r.h; y++) {
		const struct cell *c = &canvas.g->cells[(canvas.r.y + y) * canvas.g->w + canvas.r.x + x];
		if (role_is_of_stall_reason(c->role))
			area_draw_glyph(canvas, x, y, c->role, c->utf8);
		else if (c->utf8[0] == ' ' || c->role == ROLE_RULER)
			area_draw_glyph(canvas, x, y, ROLE_RULER, glyph_text(d->a->ascii, GLYPH_CURSOR));
		else
			area_add_attr(canvas, x, y, 1, ATTR_REVERSE);
	}
	if (x >= 0 && d->axis_row >= 0)
		area_draw_glyph(d->in, canvas.r.x - d->in.r.x + x, d->axis_row, ROLE_CURSOR,
			glyph_text(d->a->ascii, GLYPH_CURSOR_X));
}

void plot_pane_draw(const struct app *a, struct area at, bool focused)
{
	const struct lab *b = app_current_lab(a);
	struct plot_model m;
	if (!b)
		return;
	plot_model_build(a, b, &m);
	struct plot_drawing d = {.a = a, .b = b, .m = &m};
	d.in = plot_draw_frame(&d, at, focused);
	struct plot_column_span c = plot_split_columns(d.in.r.w);
	bool headed = d.in.r.h >= HEADED_ROWS;
	int most = d.in.r.h / BREAKDOWN_SHARE < BREAKDOWN_ROWS ? d.in.r.h / BREAKDOWN_SHARE : BREAKDOWN_ROWS,
	    breakdown_rows = m.bands && headed ? plot_breakdown_rows(&d, d.in.r.w, most) : 0,
	    pin_rows = plot_has_frame(at) ? plot_pin_rows(b, d.in.r.h) : 0, top = headed + breakdown_rows + pin_rows;
	d.axis_row = d.in.r.h >= 4 ? d.in.r.h - 1 - chart_x_label_rows(&m.chart, c.width, d.in.r.h) : -1;
	d.canvas = area_sub(d.in, c.left, top, c.width, (d.axis_row < 0 ? d.in.r.h : d.axis_row) - top);
	if (headed)
		plot_draw_headings(&d);
	if (breakdown_rows)
		plot_draw_breakdown(&d, 1, breakdown_rows);
	plot_draw_pins(&d, headed + breakdown_rows, pin_rows);
	plot_draw_axes(&d);
	if (d.canvas.r.w > 0 && d.canvas.r.h > 0) {
		draw_plot_canvas(a, &m, d.canvas);
		plot_draw_labels(&d);
	}
	draw_plot_cursor(&d);
	plot_model_free(&m);
}
