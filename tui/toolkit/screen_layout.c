#include "tui/toolkit/screen_layout.h"

/* Least sizes at which a pane gets its room. Rows are those of the screen, columns too. */
enum {
	ROWS_STATUS = 3,
	ROWS_KEYS = 5,
	ROWS_HEADER = 7,
	ROWS_VALUE = 9,
	ROWS_WHY = 11,
	ROWS_WHY_TWICE = 30,
	ROWS_PARAMS = 13, /* and COLUMNS_LEFT */
	ROWS_LIST = 18,   /* list above the parameters */
	ROWS_CLOCKS = 20,
	COLUMNS_LEFT = 70,
	COLUMNS_CLOCKS = 44,
	CLOCK_ROWS = 6, /* four readings in a frame */
};

static struct rect rect(int x, int y, int w, int h)
{
	return (struct rect){x, y, w, h};
}

bool layout_has_pane(const struct layout *l, enum pane p)
{
	return l->pane[p].w > 0 && l->pane[p].h > 0;
}

static int left_width(int w)
{
	return w >= 180 ? 48 : w >= 110 ? 36 : w >= 80 ? 29 : 27; /* 29: "x rangesize 1 KiB..256 MiB" in its frame */
}

/* Single lines at the upper and lower end; what is left over is the body. */
static struct rect take_lines(struct layout *l, int w, int h, bool page)
{
	int top = 0, bottom = h;
	if (h >= ROWS_KEYS)
		l->pane[PANE_KEYS] = rect(0, --bottom, w, 1);
	if (h >= ROWS_STATUS)
		l->pane[PANE_STATUS] = rect(0, --bottom, w, 1);
	int why = page || h < ROWS_WHY ? 0 : h >= ROWS_WHY_TWICE ? 2 : 1;
	if (why)
		l->pane[PANE_EXPLANATION] = rect(0, bottom -= why, w, why);
	if (!page && h >= ROWS_VALUE)
		l->pane[PANE_VALUE] = rect(0, --bottom, w, 1);
	if (h >= ROWS_HEADER)
		l->pane[PANE_HEADER] = rect(0, top++, w, 1);
	return rect(0, top, w, bottom - top);
}

/* The list takes two fifths, so that the experiments of a chapter are seen together, and the parameters the rest. */
static void take_left(struct layout *l, struct rect *body, int h)
{
	int w = left_width(body->w), list = h >= ROWS_LIST ? body->h * 2 / 5 + 1 : 0;
	if (list)
		l->pane[PANE_LIST] = rect(body->x, body->y, w, list);
	l->pane[PANE_PARAMS] = rect(body->x, body->y + list, w, body->h - list);
	body->x += w;
	body->w -= w;
}

struct layout layout_main(int w, int h, bool zoom)
{
	struct layout l = {0};
	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	struct rect body = take_lines(&l, w, h, false);
	bool clocks = h >=
		ROWS_CLOCKS; /* by the screen's columns, so that the order of leaving holds with and without zoom */
	if (!zoom && w >= COLUMNS_LEFT && h >= ROWS_PARAMS)
		take_left(&l, &body, h);
	if (clocks && w >= COLUMNS_LEFT && body.w >= COLUMNS_CLOCKS - 1) {
		body.h -= CLOCK_ROWS;
		l.pane[PANE_CLOCKS] = rect(body.x, body.y + body.h, body.w, CLOCK_ROWS);
	}
	l.pane[PANE_PLOT] = body;
	return l;
}

struct layout layout_single_pane(int w, int h)
{
	struct layout l = {0};
	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	l.pane[PANE_PLOT] = take_lines(&l, w, h, true);
	return l;
}
