#include "tui/shell/mouse_dispatch.h"

#include <stdio.h>
#include <string.h>

#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"

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

static bool rect_contains(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static const char *region_action(const struct mouse_region *region, enum mouse_button button)
{
	return button == MOUSE_LEFT    ? region->click
		: button == MOUSE_UP   ? region->up
		: button == MOUSE_DOWN ? region->down
				       : NULL;
}

/* The topmost region with an action for this button. */
static const struct mouse_region *find_mouse_region(const struct grid *g, struct mouse m)
{
	for (int i = g->hit_count; i--;)
		if (rect_contains(g->hits[i].r, m.x, m.y) && region_action(&g->hits[i], m.button))
			return &g->hits[i];
	return NULL;
}

static void run_region(struct app *a, struct mouse_region region, struct mouse m)
{
	const char *name = region_action(&region, m.button);
	const struct action *k = action_by_name_at(name, app_key_scope(a));
	struct err e;
	if (region.part && m.button == MOUSE_LEFT) {
		size_t n = strlen(region.argument);
		double part = region.r.w > 1 ? (double)(m.x - region.r.x) / (region.r.w - 1) : 0;
		snprintf(region.argument + n, sizeof region.argument - n, "%s%.4f", n ? " " : "", part);
	}
	if (k)
		app_focus_scope(a, k->where);
	if (!app_run_action(a, name, region.argument[0] ? region.argument : NULL, &e))
		app_show_message(a, ROLE_DIM, "%s", e.text);
}

static void turn_wheel(struct app *a, bool up)
{
	if (!a->palette && a->view->wheel && a->view->wheel(a, up))
		return;
	for (int i = 0; i < WHEEL_ROWS; i++)
		app_handle_key(a, up ? TK_UP : TK_DOWN);
}

static void palette_handle_mouse(struct app *a, const struct mouse_region *region, struct mouse m)
{
	if (region && !strcmp(region_action(region, m.button), "palette"))
		run_region(a, *region, m);
	else if (region || m.button != MOUSE_LEFT)
		turn_wheel(a, m.button == MOUSE_UP);
	else
		app_handle_key(a, TK_ESC);
}

void mouse_handle_event(struct app *a, const struct grid *g, struct mouse m)
{
	const struct mouse_region *region = find_mouse_region(g, m);
	app_request_redraw(a);
	if (a->input.is_open) /* the line being typed must be finished first */
		return;
	if (a->palette) {
		palette_handle_mouse(a, region, m);
		return;
	}
	if (a->view->click)
		a->view->click(a, m.x, m.y);
	if (region)
		run_region(a, *region, m);
	else if (m.button == MOUSE_UP || m.button == MOUSE_DOWN)
		turn_wheel(a, m.button == MOUSE_UP);
}
