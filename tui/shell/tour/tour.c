#include "tui/shell/tour/tour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "gpu/backends/backend.h"
#include "tui/shell/bindings.h"
#include "tui/shell/keymap.h"
#include "tui/shell/text_page.h"
#include "tui/toolkit/key_codes.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/toolkit/theme.h"

enum tour_side { TOUR_MIDDLE, TOUR_LEFT, TOUR_RIGHT };

static const struct {
	const char *title;
	enum tour_side side;
	const char *text;
} panels[] = {
#define PANEL(title, side, text) {title, side, text},
#include "tui/shell/tour/tour_panels.def"
#undef PANEL
};
enum { PANELS = sizeof panels / sizeof *panels, WIDTH_MOST = 64, EDGE_ROWS = 4, LEFT_LEAST = 27 };

/* --- text --- */
static void append_placeholder(const struct app *a, const char *name, size_t n, struct buf *out)
{
	char action[48], key[40];
	snprintf(action, sizeof action, "%.*s", (int)n, name);
	const struct action *k = action_by_name(action);
	if (!strcmp(action, "device"))
		buf_puts(out, a->device);
	else if (k)
		buf_puts(out, *binding_format_keys(k, k->where, 1, key, sizeof key) ? key : action);
}

static char *expand_panel_text(const struct app *a, const char *text)
{
	struct buf out = {0};
	for (; *text; text++) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;
		if (end) {
			append_placeholder(a, text + 1, (size_t)(end - text - 1), &out);
			text = end;
		} else
			buf_add(&out, text, 1);
	}
	return out.data;
}

/* Adds the paragraphs, with an empty row between them. */
static void add_paragraphs(struct text_page *page, const char *text)
{
	while (*text) {
		char *one = xasprintf("%.*s", (int)strcspn(text, "|"), text);
		if (page->count)
			text_page_add(page, ROLE_TEXT, "", 1, ROLE_TEXT, "");
		text_page_add(page, ROLE_TEXT, "", 1, ROLE_TEXT, one);
		free(one);
		text += strcspn(text, "|");
		text += *text == '|';
	}
}

/* --- drawing --- */
static struct rect place_panel(const struct grid *g, enum tour_side side, int rows)
{
	struct layout l = layout_main(g->w, g->h, false, CLOCK_ROWS_MAX);
	int left = layout_has_pane(&l, PANE_PARAMS) ? l.pane[PANE_PARAMS].w : 0, from = side == TOUR_RIGHT ? left : 0,
	    room = side == TOUR_LEFT && left >= LEFT_LEAST ? left : g->w - from,
	    w = room - 2 > WIDTH_MOST ? WIDTH_MOST : room - 2, h = rows + EDGE_ROWS;
	if (w < 1)
		w = room;
	if (h > g->h)
		h = g->h;
	return (struct rect){from + (room - w) / 2, (g->h - h) / 2, w, h};
}

static int panel_text_rows(const char *text, int width)
{
	struct grid none = {0};
	struct text_page counter = text_page_counter((struct area){&none, {0, 0, width, 0}}, NULL);
	add_paragraphs(&counter, text);
	return counter.count;
}

static void draw_panel_keys(const struct app *a, struct area in)
{
	const char *text = a->tour < PANELS ? "Enter next   Left back   Esc skip" : "Enter start   Left back";
	area_draw_fitted(in, 1, in.r.h - 1, in.r.w - 2, ROLE_KEY, text);
}

void tour_draw(const struct app *a, struct grid *g)
{
	if (!a->tour)
		return;
	int i = a->tour - 1;
	char place[40], *text = expand_panel_text(a, panels[i].text);
	struct rect r = place_panel(g, panels[i].side, 0);
	r = place_panel(g, panels[i].side, panel_text_rows(text, r.w - 2));
	struct area at = area_of_grid(g, r), in = area_inner(at);
	area_clear(at);
	snprintf(place, sizeof place, "%d of %d", a->tour, PANELS);
	area_draw_frame(at, true, panels[i].title, place);
	struct text_page page = {.in = area_sub(in, 0, 0, in.r.w, in.r.h - 1)};
	add_paragraphs(&page, text);
	draw_panel_keys(a, in);
	free(text);
}

/* --- keys --- */
void tour_start(struct app *a)
{
	a->tour = 1;
	app_request_redraw(a);
}

bool tour_handle_key(struct app *a, int key)
{
	if (!a->tour)
		return false;
	switch (key) {
	case TK_ENTER:
	case TK_SPACE:
	case TK_RIGHT: a->tour = a->tour < PANELS ? a->tour + 1 : 0; return true;
	case TK_LEFT:
	case TK_BACKSPACE: a->tour -= a->tour > 1; return true;
	case TK_ESC: a->tour = 0; return true;
	default: a->tour = 0; return false;
	}
}

/* --- the first start --- */
/* False if the file exists or cannot be written. */
static bool note_tour_shown(void)
{
	char *path = path_user_data("tour-shown"), *folder = path_user_data("");
	struct err e = {0};
	FILE *file = path && path_make_directories(folder, &e) ? fopen(path, "wxe") : NULL;
	bool first = file && !fclose(file);
	free(folder);
	free(path);
	return first;
}

void tour_start_first(struct app *a)
{
	if (!device_can(a->device, DEVICE_RECORDING) && note_tour_shown())
		tour_start(a);
}
