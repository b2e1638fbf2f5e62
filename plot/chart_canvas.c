#include <math.h>
#include <string.h>

#include "plot/chart_canvas.h"
#include "plot/series_mark.h"

struct canvas_cell *canvas_cell_at(const struct canvas *v, int x, int y)
{
	return x < 0 || y < 0 || x >= v->width || y >= v->height ? NULL
								 : &v->cells[(size_t)y * (size_t)v->width + (size_t)x];
}

void canvas_set_cell(struct canvas_cell *c, const char *utf8, unsigned series)
{
	memset(c->utf8, 0, sizeof c->utf8);
	strncpy(c->utf8, utf8, sizeof c->utf8 - 1);
	c->series = (unsigned char)series;
	c->set = true;
}

/* Braille is U+2800 plus a bit per dot (The Unicode Standard, chapter 21); the bits are decoded from the cell. */
static unsigned braille_bits(const struct canvas_cell *c)
{
	const unsigned char *u = (const unsigned char *)c->utf8;
	return u[0] == 0xe2 && (u[1] & 0xfc) == 0xa0 ? (unsigned)(u[1] & 3) << 6 | (u[2] & 0x3f) : 0;
}

static void draw_braille_dot(struct canvas_cell *c, int x, int y, unsigned series)
{
	static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	unsigned bits = (c->set && c->series == series ? braille_bits(c) : 0) | bit[y][x];
	char text[4] = {(char)0xe2, (char)(0xa0 | bits >> 6), (char)(0x80 | (bits & 0x3f)), 0};
	canvas_set_cell(c, text, series);
}

static void draw_block_dot(struct canvas_cell *c, int y, unsigned series)
{
	static const char *const text[] = {"", "\u2580", "\u2584", "\u2588"};
	unsigned bits = 0;
	for (unsigned i = 1; i < 4; i++)
		if (c->set && c->series == series && !strcmp(c->utf8, text[i]))
			bits = i;
	canvas_set_cell(c, text[bits | (y ? 2u : 1u)], series);
}

bool series_is_area(const struct series *s)
{
	return s->style == STYLE_BAND || s->style == STYLE_BAR;
}

bool canvas_cell_is_background(const struct canvas *v, const struct canvas_cell *c)
{
	return !c->set || c->series == CANVAS_RULER || series_is_area(&v->chart->series[c->series]) ||
		v->chart->series[c->series].style == STYLE_COLUMN;
}

/* Draws a dot of a line. Lines never cover marks. */
static void draw_dot(const struct canvas *v, int x, int y, unsigned series)
{
	struct canvas_cell *c = canvas_cell_at(v, x < 0 ? -1 : x / v->dots_x, y < 0 ? -1 : y / v->dots_y);
	if (!c || (!canvas_cell_is_background(v, c) && text_is_mark(c->utf8)))
		return;
	switch (v->kind) {
	case CANVAS_BRAILLE: draw_braille_dot(c, x % v->dots_x, y % v->dots_y, series); break;
	case CANVAS_BLOCK: draw_block_dot(c, y % v->dots_y, series); break;
	case CANVAS_ASCII:
		if (canvas_cell_is_background(v, c))
			canvas_set_cell(c, ".", series);
		break;
	}
}

/* --- from values to dots --- */

/* Limits values far outside the canvas, so that integers do not overflow. */
static double clip_fraction(double v)
{
	return fmin(fmax(v, -1e6), 1e6);
}

double canvas_dot_x(const struct canvas *v, double x)
{
	return clip_fraction(scale_to_fraction(&v->chart->x, x)) * (v->width * v->dots_x - 1);
}

double canvas_dot_y(const struct canvas *v, enum axis axis, double y)
{
	return (1 - clip_fraction(scale_to_fraction(&v->chart->y[axis], y))) * (v->height * v->dots_y - 1);
}

bool chart_point_is_drawn(const struct chart_point *p)
{
	return p->valid && isfinite(p->x) && isfinite(p->y);
}

/* Lines of the right axis are dashed, and previous or pinned curves are dotted: they differ without color. */
static bool dash_is_drawn(const struct series *s, int step)
{
	if (s->role == SERIES_PINNED)
		return s->axis == AXIS_LEFT ? step % 2 == 0 : step % 6 < 2;
	if (s->role != SERIES_CURRENT)
		return step % 4 == 0;
	return s->axis == AXIS_LEFT || step % 4 < 2;
}

static void draw_vertical_line(const struct canvas *v, int x, double from, double to, unsigned series)
{
	int limit = v->height * v->dots_y - 1;
	int a = (int)lround(fmin(from, to)), b = (int)lround(fmax(from, to));
	for (int y = a < 0 ? 0 : a; y <= b && y <= limit; y++)
		draw_dot(v, x, y, series);
}

/* Draws column by column, each joined to the previous one, so that the work is bounded by the canvas. */
static void draw_segment(
	const struct canvas *v, const struct series *s, unsigned index, double x0, double y0, double x1, double y1)
{
	if (x1 < x0) {
		draw_segment(v, s, index, x1, y1, x0, y0);
		return;
	}
	int last = v->width * v->dots_x - 1;
	int from = (int)fmax(0, lround(x0)), to = (int)fmin(last, lround(x1));
	double before = y0;
	for (int x = from; x <= to; x++) {
		double at = x1 > x0 ? fmin(1, fmax(0, (x - x0) / (x1 - x0))) : 1;
		double y = x == to && lround(x1) <= last ? y1 : y0 + at * (y1 - y0);
		if (x == from)
			before = from == lround(x0) ? y0 : y;
		if (dash_is_drawn(s, x))
			draw_vertical_line(v, x, before, y, index);
		before = y;
	}
}

bool series_is_joined(const struct series *s)
{
	return s->role != SERIES_PUBLISHED && s->style != STYLE_POINTS && s->style != STYLE_TOP &&
		s->style != STYLE_COLUMN && !series_is_area(s);
}

static void draw_levels(const struct canvas *v, const struct series *s, unsigned index)
{
	int last = v->width * v->dots_x - 1;
	for (size_t i = 0; i < s->count; i++) {
		if (!chart_point_is_drawn(&s->points[i]))
			continue;
		double at = canvas_dot_x(v, s->points[i].x), half = fmax(canvas_bar_half_width(v, s, i), 1);
		int from = (int)fmax(0, ceil(at - half)), to = (int)fmin(last, floor(at + half));
		int y = (int)lround(canvas_dot_y(v, s->axis, s->points[i].y));
		for (int x = from; x <= to; x++)
			draw_dot(v, x, y, index);
	}
}

static void draw_series_lines(const struct canvas *v, const struct chart *c, unsigned index)
{
	const struct series *s = &c->series[index];
	if (s->style == STYLE_LEVEL) {
		draw_levels(v, s, index);
		return;
	}
	for (size_t i = 0; series_is_joined(s) && i + 1 < s->count; i++) {
		const struct chart_point *a = &s->points[i], *b = a + 1;
		if (chart_point_is_drawn(a) && chart_point_is_drawn(b) && !a->wrong && !b->wrong)
			draw_segment(v, s, index, canvas_dot_x(v, a->x), canvas_dot_y(v, s->axis, a->y),
				canvas_dot_x(v, b->x), canvas_dot_y(v, s->axis, b->y));
	}
}

static void draw_quartiles(const struct canvas *v, const struct chart *c, unsigned index)
{
	const struct series *s = &c->series[index];
	for (size_t i = 0; i < s->count; i++) {
		const struct chart_point *p = &s->points[i];
		if (chart_point_is_drawn(p) && s->style != STYLE_TOP && s->style != STYLE_COLUMN &&
			!series_is_area(s) && p->low < p->high && isfinite(p->low) && isfinite(p->high))
			draw_vertical_line(v, (int)lround(canvas_dot_x(v, p->x)), canvas_dot_y(v, s->axis, p->high),
				canvas_dot_y(v, s->axis, p->low), index);
	}
}

static void draw_ruler_lines(const struct canvas *v, const struct chart *c)
{
	for (size_t i = 0; i < c->ruler_count; i++) {
		double at = canvas_dot_x(v, c->rulers[i].x);
		if (!isfinite(at) || at < 0)
			continue;
		for (int y = 0; y < v->height; y++) {
			struct canvas_cell *cell = canvas_cell_at(v, (int)lround(at) / v->dots_x, y);
			if (cell) /* on an area, the line replaces the pattern only */
				canvas_set_cell(cell, v->kind == CANVAS_ASCII ? ":" : "\u250a",
					cell->set ? cell->series : CANVAS_RULER);
		}
	}
}

void chart_render_cells(const struct chart *c, enum canvas_kind kind, int width, int height, struct canvas_cell *cells)
{
	if (width <= 0 || height <= 0)
		return;
	memset(cells, 0, (size_t)width * (size_t)height * sizeof *cells);
	struct canvas v = {kind, width, height, kind == CANVAS_BRAILLE ? 2 : 1,
		kind == CANVAS_BRAILLE         ? 4
			: kind == CANVAS_BLOCK ? 2
					       : 1,
		cells, c};
	canvas_draw_areas(&v);
	canvas_draw_columns(&v);
	draw_ruler_lines(&v, c);
	/* Current series come last, on top of all others; marks are drawn over lines and quartiles. */
	for (int current = 0; current < 2; current++)
		for (unsigned i = 0; i < c->series_count && i < CANVAS_RULER; i++) {
			if ((c->series[i].role == SERIES_CURRENT) != current)
				continue;
			draw_series_lines(&v, c, i);
			draw_quartiles(&v, c, i);
			canvas_draw_fixed_marks(&v, i);
		}
	canvas_draw_curve_marks(&v);
}
