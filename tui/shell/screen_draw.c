/* Puts the panes of the present view together, and the texts that several of them share. */
#include "tui/shell/screen_draw.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/toolkit/screenshot.h"
#include "tui/toolkit/terminal.h"
#include "tui/shell/command_palette.h"

static void draw(const struct app *a, struct grid *g, const struct layout *l, enum pane p,
	void (*view)(const struct app *, struct area))
{
	if (layout_has_pane(l, p))
		view(a, area_of_grid(g, l->pane[p]));
}

static void draw_status(const struct app *a, struct grid *g, const struct layout *l)
{
	struct rect r = l->pane[PANE_STATUS];
	if (layout_has_pane(l, PANE_HEADER)) { /* not on screens so low that the row above is all there is to see */
		r.y--;
		r.h++;
	}
	if (r.h)
		view_draw_status(a, area_of_grid(g, r));
}

void screen_draw(const struct app *a, struct grid *g)
{
	static const struct {
		enum pane pane;
		void (*view)(const struct app *, struct area);
	} main_panes[] = {
		{PANE_LIST, view_draw_experiments},
		{PANE_PARAMS, view_draw_params},
		{PANE_PLOT, view_draw_plot},
		{PANE_CLOCKS, view_draw_clocks},
		{PANE_VALUE, view_draw_value},
		{PANE_EXPLANATION, view_draw_explanation},
	};
	view_draw_fn *page = view_get_info(a->view)->draw;
	struct layout l = page ? layout_single_pane(g->w, g->h) : layout_main(g->w, g->h, a->zoom);
	g->ascii = a->ascii;
	grid_clear(g);
	draw(a, g, &l, PANE_HEADER, view_draw_header);
	if (page)
		draw(a, g, &l, PANE_PLOT, page);
	else
		for (size_t i = 0; i < sizeof main_panes / sizeof *main_panes; i++)
			draw(a, g, &l, main_panes[i].pane, main_panes[i].view);
	draw_status(a, g, &l);
	draw(a, g, &l, PANE_KEYS, view_draw_keys);
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

/* --- texts --- */
char *reading_format(struct reading r, const char *unit, char *out, size_t size)
{
	if (!r.valid)
		snprintf(out, size, "--%s%s", *unit ? " " : "", unit);
	else
		units_format(out, size, fabs(r.value) >= 1000 ? round(r.value) : r.value, unit, 4);
	return out;
}

char *seconds_format(double seconds, char *out, size_t size)
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
			return units_format(out, size, seconds * steps[i].factor, steps[i].unit, 4);
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
