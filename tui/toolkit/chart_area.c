#include "tui/toolkit/chart_area.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/plot_frame.h"
#include "tui/toolkit/theme.h"

enum { TICKS_MAX = 40, HEADED_ROWS = 7, LEFT_COLUMNS = 8, RIGHT_COLUMNS = 8, BARE_WIDTH = 30, TWO_LABEL_ROWS = 10 };

int pinned_curve_role(int pin)
{
	return pin > 0 && pin <= ROLE_PINNED4 - ROLE_PINNED ? ROLE_PINNED + pin : ROLE_PINNED;
}

int chart_series_role(const struct series *s)
{
	switch (s->role) {
	case SERIES_PREVIOUS: return ROLE_PREVIOUS;
	case SERIES_PINNED: return pinned_curve_role(s->mark - '1');
	case SERIES_PUBLISHED: return ROLE_PUBLISHED;
	default: return s->axis == AXIS_LEFT ? ROLE_LEFT : ROLE_RIGHT;
	}
}

static void draw_chart_canvas(const struct chart_look *look, const struct chart *c, struct area at)
{
	struct canvas_cell *cells = xcalloc((size_t)at.r.w * (size_t)at.r.h, sizeof *cells);
	chart_render_cells(c, look->canvas, at.r.w, at.r.h, cells);
	for (int i = 0; i < at.r.w * at.r.h; i++) {
		int role =
			cells[i].series < c->series_count ? chart_series_role(&c->series[cells[i].series]) : ROLE_RULER;
		if (cells[i].set)
			area_draw_glyph(
				at, i % at.r.w, i / at.r.w, cells[i].utf8[0] == '!' ? ROLE_WARN : role, cells[i].utf8);
	}
	free(cells);
}

static int chart_row_of(const struct scale *y, double value, int rows)
{
	return (int)lround((1 - scale_to_fraction(y, value)) * (rows - 1));
}

static void draw_chart_y_axis(
	const struct chart_look *look, const struct chart *c, enum axis axis, struct area in, struct area canvas)
{
	struct axis_tick ticks[TICKS_MAX];
	bool left = axis == AXIS_LEFT;
	int top = canvas.r.y - in.r.y, rows = canvas.r.h,
	    x = left ? canvas.r.x - in.r.x - 1 : canvas.r.x - in.r.x + canvas.r.w;
	for (int y = 0; y < rows; y++)
		area_draw_glyph(in, x, top + y, ROLE_FRAME, glyph_text(look->ascii, GLYPH_V));
	if (!c->has_axis[axis])
		return;
	size_t most = rows / 3 < 2 ? 2 : (size_t)(rows / 3),
	       n = scale_make_ticks(&c->y[axis], "", ticks, most < TICKS_MAX ? most : TICKS_MAX);
	for (size_t i = 0; i < n; i++) {
		int y = chart_row_of(&c->y[axis], ticks[i].value, rows);
		if (y < 0 || y >= rows)
			continue;
		area_draw_glyph(
			in, x, top + y, ROLE_FRAME, glyph_text(look->ascii, left ? GLYPH_TICK_LEFT : GLYPH_TICK_RIGHT));
		if (left)
			area_draw_right(in, x, top + y, ROLE_LEFT, ticks[i].text);
		else
			area_draw_text(in, x + 1, top + y, ROLE_RIGHT, ticks[i].text);
	}
}

int chart_find_column(const struct scale *x, double value, int width, enum canvas_kind kind)
{
	int dots = kind == CANVAS_BRAILLE ? 2 : 1; /* as chart_render_cells rounds */
	double at = scale_to_fraction(x, value);
	if (!(at >= -1e-9 && at <= 1 + 1e-9))
		return -1;
	int column = (int)lround(at * (width * dots - 1)) / dots;
	return column < 0 || column >= width ? -1 : column;
}

int chart_x_label_rows(const struct chart *c, int width, int height)
{
	struct axis_tick ticks[TICKS_MAX];
	size_t n = c->x_name_count ? chart_make_x_ticks(c, ticks, TICKS_MAX) : 0;
	return height >= TWO_LABEL_ROWS ? chart_count_label_rows(ticks, n, width, 1) : 1;
}

enum { LEAST_NAME = 4 /* columns for the beginning of a name */ };

/* The columns that a label may take, and the width that each has at least. */
struct label_span {
	int from, to, share;
	bool is_name; /* a number is left out instead of cut or moved */
};

/* A name that is too long for its share of the row takes what the names next to it leave, and is moved for that. Else
 * it is cut with a mark. */
static void draw_x_label(const struct chart_look *look, const struct axis_tick *tick, struct area in, int middle,
	int row, struct label_span span, int *free_from)
{
	char text[sizeof tick->text];
	int left = span.to - span.from, room = left > span.share ? left : span.share;
	if (span.is_name && left >= LEAST_NAME)
		room = left;
	text_shorten(tick->text, room, look->ascii, text, sizeof text);
	int w = text_width(text), at = middle - w / 2;
	if (span.is_name && w <= left)
		at = at < span.from ? span.from : at + w > span.to ? span.to - w : at;
	at = at + w > in.r.w ? in.r.w - w : at < 0 ? 0 : at;
	if (at < *free_from)
		return;
	area_draw_text(in, at, row, ROLE_DIM, text);
	*free_from = at + w + 1;
}

/* Where the label begins if it is no wider than its share. */
static int find_label_start(const struct axis_tick *tick, int middle, int share)
{
	int w = text_width(tick->text);
	return middle - (w < share ? w : share) / 2;
}

static void draw_chart_x_axis(
	const struct chart_look *look, const struct chart *c, struct area in, struct area canvas, int row)
{
	struct axis_tick ticks[TICKS_MAX];
	int left = canvas.r.x - in.r.x, right = left + canvas.r.w, free_from[2] = {0, 0};
	int rows = in.r.h - row - 1;
	for (int x = left; x < right; x++)
		area_draw_glyph(in, x, row, ROLE_FRAME, glyph_text(look->ascii, GLYPH_H));
	area_draw_glyph(in, left - 1, row, ROLE_FRAME, glyph_text(look->ascii, GLYPH_CORNER_LEFT));
	area_draw_glyph(in, right, row, ROLE_FRAME, glyph_text(look->ascii, GLYPH_CORNER_RIGHT));
	size_t most = c->x_name_count ? TICKS_MAX : (size_t)canvas.r.w / 9 + 1,
	       n = chart_make_x_ticks(c, ticks, most < TICKS_MAX ? most : TICKS_MAX);
	rows = rows > 1 && c->x_name_count ? 2 : 1;
	int room = c->x_name_count && n ? canvas.r.w * rows / (int)n - 1 : canvas.r.w;
	for (size_t i = 0; i < n; i++) {
		int column = chart_find_column(&c->x, ticks[i].value, canvas.r.w, look->canvas), at = (int)i % rows;
		if (column < 0)
			continue;
		area_draw_glyph(in, left + column, row, ROLE_FRAME, glyph_text(look->ascii, GLYPH_TICK_X));
		struct label_span span = {free_from[at], in.r.w, room, c->x_name_count > 0};
		int next = i + (size_t)rows < n
			? chart_find_column(&c->x, ticks[i + (size_t)rows].value, canvas.r.w, look->canvas)
			: -1;
		if (next >= 0)
			span.to = find_label_start(&ticks[i + (size_t)rows], left + next, room) - 1;
		draw_x_label(look, &ticks[i], in, left + column, row + 1 + at, span, &free_from[at]);
	}
}

void chart_draw_axes(
	const struct chart_look *look, const struct chart *c, struct area in, struct area canvas, int axis_row)
{
	int left = canvas.r.x - in.r.x;
	if (left > 0)
		draw_chart_y_axis(look, c, AXIS_LEFT, in, canvas);
	if (left > 0 && left + canvas.r.w < in.r.w)
		draw_chart_y_axis(look, c, AXIS_RIGHT, in, canvas);
	if (axis_row >= 0)
		draw_chart_x_axis(look, c, in, canvas, axis_row);
}

struct area chart_draw(const struct chart_look *look, const struct chart *c, struct area in)
{
	bool bare = in.r.w < BARE_WIDTH, right = c->has_axis[AXIS_RIGHT] && !bare;
	int top = in.r.h >= HEADED_ROWS, left = bare ? 0 : LEFT_COLUMNS,
	    width = in.r.w - left -
		(right                 ? RIGHT_COLUMNS
				: bare ? 0
				       : 2),
	    axis_row = in.r.h >= 4 ? in.r.h - 1 - chart_x_label_rows(c, width, in.r.h) : -1;
	struct area canvas = area_sub(in, left, top, width, (axis_row < 0 ? in.r.h : axis_row) - top);
	if (canvas.r.w <= 0 || canvas.r.h <= 0)
		return canvas;
	if (top) {
		area_draw_text(in, 0, 0, ROLE_LEFT, unit_display(chart_axis_unit(c, AXIS_LEFT), look->ascii));
		area_draw_right(in, in.r.w, 0, ROLE_RIGHT,
			right ? unit_display(chart_axis_unit(c, AXIS_RIGHT), look->ascii) : "");
	}
	chart_draw_axes(look, c, in, canvas, axis_row);
	draw_chart_canvas(look, c, canvas);
	return canvas;
}

bool chart_find_cell(const struct chart_look *look, const struct chart *c, struct area canvas, enum axis axis, double x,
	double y, int *column, int *row)
{
	*column = chart_find_column(&c->x, x, canvas.r.w, look->canvas);
	*row = chart_row_of(&c->y[axis], y, canvas.r.h);
	return *column >= 0 && *row >= 0 && *row < canvas.r.h;
}
