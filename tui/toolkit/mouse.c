#include "tui/toolkit/mouse.h"

#include <stdio.h>
#include <string.h>

#include "tui/shell/keymap.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/shell/screen_draw.h"

enum { WHEEL_ROWS = 3 };

bool mouse_button_parse(const char *name, enum mouse_button *out)
{
	static const char *const names[] = {[MOUSE_LEFT] = "left", [MOUSE_UP] = "up", [MOUSE_DOWN] = "down"};
	for (int i = 0; i < MOUSE_OTHER; i++)
		if (!strcmp(name, names[i])) {
			*out = (enum mouse_button)i;
			return true;
		}
	return false;
}

static bool within(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static const char *meaning(const struct mouse_region *h, enum mouse_button button)
{
	return button == MOUSE_LEFT ? h->click : button == MOUSE_UP ? h->up : button == MOUSE_DOWN ? h->down : NULL;
}

static const struct mouse_region *hit_at(const struct grid *g, struct mouse m)
{
	for (int i = g->hit_count; i--;)
		if (within(g->hits[i].r, m.x, m.y))
			return meaning(&g->hits[i], m.button) ? &g->hits[i] : NULL;
	return NULL;
}

static void run(struct app *a, struct mouse_region h, struct mouse m)
{
	const char *name = meaning(&h, m.button);
	const struct action *k = action_by_name(name);
	struct err e;
	if (h.part && m.button == MOUSE_LEFT) {
		size_t n = strlen(h.argument);
		double part = h.r.w > 1 ? (double)(m.x - h.r.x) / (h.r.w - 1) : 0;
		snprintf(h.argument + n, sizeof h.argument - n, "%s%.4f", n ? " " : "", part);
	}
	if (k)
		app_focus_scope(a, k->where);
	if (!app_run_action(a, name, h.argument[0] ? h.argument : NULL, &e))
		app_show_message(a, ROLE_DIM, "%s", e.text);
}

/* The pane of the workbench below the pointer gets the keys. */
static void focus_below(struct app *a, struct mouse m)
{
	static const struct {
		enum pane pane;
		enum focus focus;
	} panes[] = {
		{PANE_LIST, FOCUS_LIST},
		{PANE_PARAMS, FOCUS_PARAMS},
		{PANE_PLOT, FOCUS_PLOT},
		{PANE_CLOCKS, FOCUS_PLOT},
	};
	struct layout l = layout_main(a->width, a->height, a->zoom);
	for (size_t i = 0; a->view == VIEW_MAIN && i < sizeof panes / sizeof *panes; i++)
		if (within(l.pane[panes[i].pane], m.x, m.y))
			a->focus = panes[i].focus;
}

/* The plot's columns stand for the x axis: a click moves the cursor, the wheel zooms where that can be done. */
static bool plot_part(const struct app *a, struct mouse m, struct mouse_region *out)
{
	struct layout l = layout_main(a->width, a->height, a->zoom);
	struct rect pane = l.pane[PANE_PLOT];
	if (a->view != VIEW_MAIN || !within(pane, m.x, m.y))
		return false;
	int frame = pane.w >= 20 && pane.h >= 6; /* as plot_pane.c has it */
	struct plot_column_span c = plot_split_columns(pane.w - 2 * frame);
	*out = (struct mouse_region){
		.r = {pane.x + frame + c.left, pane.y, c.width, pane.h}, .click = "cursor-at", .part = true};
	if (action_by_name("window-in") && action_by_name("window-out")) {
		out->up = "window-in";
		out->down = "window-out";
	}
	return within(out->r, m.x, m.y) && meaning(out, m.button);
}

static void turn(struct app *a, bool up)
{
	bool plot = a->view == VIEW_MAIN && app_focused_pane(a) == FOCUS_PLOT;
	int key = plot ? (up ? TK_LEFT : TK_RIGHT) : up ? TK_UP : TK_DOWN;
	for (int i = 0; i < (a->view == VIEW_MAIN ? 1 : WHEEL_ROWS); i++)
		app_handle_key(a, key);
}

void mouse_handle_event(struct app *a, const struct grid *g, struct mouse m)
{
	const struct mouse_region *h = hit_at(g, m);
	app_request_redraw(a);
	if (a->entry.kind != ENTRY_NONE) /* what is being typed is finished first */
		return;
	if (a->palette) {
		if (h || m.button != MOUSE_LEFT)
			h && !strcmp(meaning(h, m.button), "palette") ? run(a, *h, m) : turn(a, m.button == MOUSE_UP);
		else
			app_handle_key(a, TK_ESC);
		return;
	}
	focus_below(a, m);
	struct mouse_region plot;
	if (h)
		run(a, *h, m);
	else if (plot_part(a, m, &plot))
		run(a, plot, m);
	else if (m.button == MOUSE_UP || m.button == MOUSE_DOWN)
		turn(a, m.button == MOUSE_UP);
}
