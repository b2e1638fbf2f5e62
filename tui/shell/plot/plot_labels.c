/* Names of the knees, next to their points, and of the vertical lines, at the top of the plot. */
#include <math.h>

#include "tui/lab/lab.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/toolkit/chart_area.h"

/* Only over blanks and rulers (with `over_areas` also over areas), with a blank on either side; inside the canvas. */
static bool put_label(const struct plot_drawing *d, int x, int y, bool over_areas, int role, const char *text)
{
	const struct area at = d->canvas;
	int w = text_width(text);
	if (y < 0 || y >= at.r.h || x < 0 || x + w > at.r.w)
		return false;
	for (int i = x > 0 ? x - 1 : 0; i <= x + w && i < at.r.w; i++) {
		const struct cell *c = &at.g->cells[(at.r.y + y) * at.g->w + at.r.x + i];
		if (c->utf8[0] != ' ' && c->role != ROLE_RULER && !(over_areas && role_is_of_stall_reason(c->role)))
			return false;
	}
	area_draw_text(at, x, y, role, text);
	return true;
}

static void knee_labels(const struct plot_drawing *d)
{
	static const struct {
		int side, dx, dy;
	} places[] = {{0, 2, 1}, {0, 2, 0}, {-1, -1, -1}, {-1, 0, -2}, {0, 2, 2}, {0, 2, -1}};
	const struct scale *s = &d->m->chart.y[AXIS_LEFT];
	for (int i = 0; i < d->m->knee_count; i++) {
		const char *text = d->m->knee_texts[i];
		int x = chart_find_column(&d->m->chart.x, measured_curve_x(&d->b->curve, d->m->knees[i].last),
			d->canvas.r.w, app_canvas_kind(d->a));
		int y = (int)lround((1 - scale_to_fraction(s, d->m->knees[i].from)) * (d->canvas.r.h - 1));
		for (size_t k = 0; x >= 0 && k < sizeof places / sizeof *places; k++)
			if (put_label(d, x + places[k].dx + places[k].side * text_width(text), y + places[k].dy, false,
				    ROLE_KNEE, text))
				break;
	}
}

/* Right of its line; left of it where the next ruler is too close. */
static void ruler_names(const struct plot_drawing *d)
{
	for (size_t i = 0; i < d->m->chart.ruler_count; i++) {
		const struct chart_ruler *r = &d->m->chart.rulers[i];
		int x = chart_find_column(&d->m->chart.x, r->x, d->canvas.r.w, app_canvas_kind(d->a)),
		    w = text_width(r->label);
		for (int y = 0; x >= 0 && y < 6; y++) /* first over blanks, then over the areas */
			if (put_label(d, x + 1, y % 3, y >= 3, ROLE_RULER_NAME, r->label) ||
				put_label(d, x - w, y % 3, y >= 3, ROLE_RULER_NAME, r->label))
				break;
	}
}

void plot_draw_labels(const struct plot_drawing *d)
{
	ruler_names(d);
	knee_labels(d);
}
