#include "tui/toolkit/screen_layout.h"

/* The smallest screens, in rows and columns, on which each pane is shown. */
enum {
	ROWS_STATUS = 3,
	ROWS_KEYS = 5,
	ROWS_HEADER = 7,
	ROWS_VALUE = 9,
	ROWS_EXPLANATION = 11,
	ROWS_EXPLANATION_TWICE = 30,
	ROWS_PARAMS = 13, /* with COLUMNS_LEFT */
	ROWS_LIST = 18,
	ROWS_CLOCKS = 20,
	COLUMNS_LEFT = 70,
	COLUMNS_CLOCKS = 44,
	PARAM_ROWS = 28,
};

static struct rect make_rect(int x, int y, int w, int h)
{
	return (struct rect){x, y, w, h};
}

bool layout_has_pane(const struct layout *l, enum pane p)
{
	return l->pane[p].w > 0 && l->pane[p].h > 0;
}

static int left_column_width(int w)
{
	return w >= 180 ? 48 : w >= 110 ? 36 : w >= 80 ? 29 : 27; /* 29 fits "x rangesize 1 KiB..256 MiB" in a frame */
}

/* Places the single lines at the top and bottom; returns the body between them. */
static struct rect place_lines(struct layout *l, int w, int h, bool single_pane)
{
	int top = 0, bottom = h;
	if (h >= ROWS_KEYS)
		l->pane[PANE_KEYS] = make_rect(0, --bottom, w, 1);
	if (h >= ROWS_STATUS)
		l->pane[PANE_STATUS] = make_rect(0, --bottom, w, 1);
	int explanation = single_pane || h < ROWS_EXPLANATION ? 0 : h >= ROWS_EXPLANATION_TWICE ? 2 : 1;
	if (explanation)
		l->pane[PANE_EXPLANATION] = make_rect(0, bottom -= explanation, w, explanation);
	if (!single_pane && h >= ROWS_VALUE)
		l->pane[PANE_VALUE] = make_rect(0, --bottom, w, 1);
	if (h >= ROWS_HEADER)
		l->pane[PANE_HEADER] = make_rect(0, top++, w, 1);
	return make_rect(0, top, w, bottom - top);
}

/* The list gets two fifths of the height, enough to see the experiments of a chapter, and on a high screen what the
 * parameters do not need. */
static void place_left_column(struct layout *l, struct rect *body, int h)
{
	int w = left_column_width(body->w), list = h >= ROWS_LIST ? body->h * 2 / 5 + 1 : 0;
	if (list && list < body->h - PARAM_ROWS)
		list = body->h - PARAM_ROWS;
	if (list)
		l->pane[PANE_LIST] = make_rect(body->x, body->y, w, list);
	l->pane[PANE_PARAMS] = make_rect(body->x, body->y + list, w, body->h - list);
	body->x += w;
	body->w -= w;
}

struct layout layout_main(int w, int h, bool zoom, int clock_rows)
{
	struct layout l = {0};
	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	struct rect body = place_lines(&l, w, h, false);
	bool clocks = h >= ROWS_CLOCKS;
	if (!zoom && w >= COLUMNS_LEFT && h >= ROWS_PARAMS)
		place_left_column(&l, &body, h);
	/* Depends on the width of the screen, so that the order of omission is the same with and without zoom. */
	if (clocks && w >= COLUMNS_LEFT && body.w >= COLUMNS_CLOCKS - 1) {
		body.h -= clock_rows;
		l.pane[PANE_CLOCKS] = make_rect(body.x, body.y + body.h, body.w, clock_rows);
	}
	l.pane[PANE_PLOT] = body;
	return l;
}

struct layout layout_single_pane(int w, int h)
{
	struct layout l = {0};
	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	l.pane[PANE_PLOT] = place_lines(&l, w, h, true);
	return l;
}
