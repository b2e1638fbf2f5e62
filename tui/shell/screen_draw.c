#include "tui/shell/screen_draw.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/toolkit/screenshot.h"
#include "tui/toolkit/terminal.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/status_line.h"
#include "tui/shell/tour/tour.h"

static void draw_pane(const struct app *a, struct grid *g, const struct layout *l, enum pane p,
	void (*draw)(const struct app *, struct area))
{
	if (layout_has_pane(l, p))
		draw(a, area_of_grid(g, l->pane[p]));
}

static void draw_status(const struct app *a, struct grid *g, const struct layout *l)
{
	struct rect r = l->pane[PANE_STATUS];
	if (layout_has_pane(l, PANE_HEADER)) { /* a lower screen has no row to spare for a long message */
		r.y--;
		r.h++;
	}
	if (r.h)
		status_line_draw(a, area_of_grid(g, r));
}

void screen_draw(const struct app *a, struct grid *g)
{
	struct layout l = layout_single_pane(g->w, g->h);
	g->ascii = a->ascii;
	grid_clear(g);
	draw_pane(a, g, &l, PANE_HEADER, view_draw_header);
	draw_pane(a, g, &l, PANE_PLOT, a->view->draw);
	draw_status(a, g, &l);
	draw_pane(a, g, &l, PANE_KEYS, view_draw_keys);
	tour_draw(a, g);
	if (a->palette)
		palette_draw(a, g);
}

bool screen_write_picture(const struct app *a, const char *path, struct err *e)
{
	struct grid g = {0};
	grid_resize(&g, a->width, a->height);
	screen_draw(a, &g);
	bool ok = screenshot_write(&g, term_color_count(), path, e);
	grid_free(&g);
	return ok;
}

/* --- charts --- */
enum canvas_kind app_canvas_kind(const struct app *a)
{
	return a->ascii ? CANVAS_ASCII : a->canvas;
}

struct chart_look app_chart_look(const struct app *a)
{
	return (struct chart_look){.ascii = a->ascii, .canvas = app_canvas_kind(a)};
}

/* --- texts --- */
char *reading_format(struct reading r, const char *unit, char *out, size_t size)
{
	if (!r.valid)
		snprintf(out, size, "--%s%s", *unit ? " " : "", unit);
	else
		units_format(out, size, fabs(r.value) >= 1000 ? round(r.value) : r.value, unit, 4);
	return out;
}

char *seconds_format(double seconds, bool ascii, char *out, size_t size)
{
	static const struct {
		double least, factor;
		const char *unit;
	} steps[] = {
		{1, 1, "s"},
		{1e-3, 1e3, "ms"},
		{1e-6, 1e6, "us"},
		{0, 1e9, "ns"},
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (seconds >= steps[i].least)
			return units_format(
				out, size, seconds * steps[i].factor, unit_display(steps[i].unit, ascii), 4);
	snprintf(out, size, "--");
	return out;
}

int list_first_visible_row(int selected, int rows, int count)
{
	int first = selected - rows / 2;
	if (first > count - rows)
		first = count - rows;
	return first < 0 ? 0 : first;
}
