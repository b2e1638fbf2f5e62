#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text_width.h"
#include "base/units.h"
#include "plot/plot_frame.h"
#include "plot/chart.h"
#include "plot/chart_columns.h"
#include "plot/series_mark.h"

enum { TICKS_MAX = 32, LABEL_MAX = 96 };

/* --- a page of cells --- */

struct page {
	int width, height;
	char (*cell)[5];
};

static void page_char(struct page *p, int x, int y, const char *utf8, int bytes)
{
	if (x < 0 || y < 0 || x >= p->width || y >= p->height || bytes > 4)
		return;
	memcpy(p->cell[y * p->width + x], utf8, (size_t)bytes);
	p->cell[y * p->width + x][bytes] = 0;
}

static int page_text(struct page *p, int x, int y, const char *text)
{
	while (*text) {
		const char *from = text;
		unsigned code = text_decode(&text);
		if (code < ' ' || code == '?')
			page_char(p, x++, y, code == '?' ? "?" : " ", 1);
		else
			page_char(p, x++, y, from, (int)(text - from));
	}
	return x;
}

/* Writes the label only if all of it fits, with a space after it and `before` spaces in front. */
static bool page_label_after(struct page *p, int x, int y, const char *text, int before)
{
	int n = text_width(text);
	if (y < 0 || y >= p->height || x < 0 || x + n > p->width)
		return false;
	for (int i = x > before ? x - before : 0; i < x + n + 1 && i < p->width; i++)
		if (p->cell[y * p->width + i][0])
			return false;
	page_text(p, x, y, text);
	return true;
}

static bool page_label(struct page *p, int x, int y, const char *text)
{
	return page_label_after(p, x, y, text, 1);
}

static char *page_join(struct page *p)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int y = 0; y < p->height; y++) {
		int end = p->width;
		while (end && !p->cell[y * p->width + end - 1][0])
			end--;
		for (int x = 0; x < end; x++)
			buf_puts(&b, p->cell[y * p->width + x][0] ? p->cell[y * p->width + x] : " ");
		buf_puts(&b, "\n");
	}
	return b.data;
}

/* --- layout: depends only on the size; the less important parts are dropped first, the plot last --- */

struct layout {
	int title, captions, axis, labels, x_caption, legend, legend_rows; /* row numbers; -1: dropped */
	int label_rows;                                                    /* names may take two */
	int top, rows;                                                     /* of the plot */
	int left, columns;
	bool y_labels[AXIS_COUNT];
};

struct y_axis_ticks {
	struct axis_tick ticks[TICKS_MAX];
	size_t count;
	int width;
};

static void make_y_ticks(const struct chart *c, enum axis axis, int rows, struct y_axis_ticks *out)
{
	int max = rows / 3 + 1;
	out->count = scale_make_ticks(&c->y[axis], chart_axis_unit(c, axis), out->ticks,
		(size_t)(max > TICKS_MAX  ? TICKS_MAX
				: max < 2 ? 2
					  : max));
	out->width = 0;
	for (size_t i = 0; i < out->count; i++)
		if (text_width(out->ticks[i].text) > out->width)
			out->width = text_width(out->ticks[i].text);
}

static int take_rows(int *spare, int wanted)
{
	int got = wanted <= *spare ? wanted : 0;
	*spare -= got;
	return got;
}

static int count_text_label_rows(const struct chart *c, int width)
{
	struct axis_tick ticks[TICKS_MAX];
	size_t n = c->x_name_count ? chart_make_x_ticks(c, ticks, TICKS_MAX) : 0;
	return chart_count_label_rows(ticks, n, width * 0.8, 1);
}

static struct layout lay_out_page(const struct chart *c, int width, int height, struct y_axis_ticks y[AXIS_COUNT])
{
	struct layout l = {-1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, width, {false, false}};
	int spare = height - 3; /* the plot has at least three rows */
	int wanted = count_text_label_rows(c, width);
	int axis = take_rows(&spare, 1), labels = axis ? take_rows(&spare, wanted) : 0, captions = take_rows(&spare, 1),
	    title = take_rows(&spare, c->title && *c->title ? 1 : 0);
	int x_caption = take_rows(&spare, c->x_label && *c->x_label ? 1 : 0);
	l.legend_rows = (int)c->series_count;
	if (l.legend_rows > spare / 2)
		l.legend_rows = spare / 2 > 0 ? spare / 2 : 0;
	int row = 0;
	if (title)
		l.title = row++;
	if (captions)
		l.captions = row++;
	l.top = row;
	l.rows = height - title - captions - axis - labels - x_caption - l.legend_rows;
	row += l.rows;
	if (axis)
		l.axis = row++;
	l.label_rows = labels;
	if (labels)
		l.labels = row;
	row += labels;
	if (x_caption)
		l.x_caption = row++;
	if (l.legend_rows)
		l.legend = row;
	for (int a = 0; a < AXIS_COUNT; a++) {
		if (!c->has_axis[a])
			continue;
		make_y_ticks(c, (enum axis)a, l.rows, &y[a]);
		int need = y[a].width + 3;
		if (l.columns - need < 12)
			continue;
		l.y_labels[a] = true;
		l.columns -= need;
		if (a == AXIS_LEFT)
			l.left = need;
	}
	return l;
}

/* --- parts --- */

/* "* latency, cycles": the current series of an axis with their marks, and the unit. */
static void format_axis_caption(const struct chart *c, enum axis axis, bool ascii, char *out, size_t size)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (size_t i = 0; i < c->series_count; i++) {
		const struct series *s = &c->series[i];
		bool seen = false;
		for (size_t k = 0; k < i; k++)
			seen = seen || (c->series[k].axis == axis && !strcmp(c->series[k].label, s->label));
		if (s->axis != axis || seen || s->role != SERIES_CURRENT || series_is_area(s))
			continue;
		buf_printf(&b, "%s%s %s", b.len ? "  " : "", series_key_text(s, ascii), s->label);
	}
	const char *unit = unit_display(chart_axis_unit(c, axis), ascii);
	if (*unit)
		buf_printf(&b, "%s%s", b.len ? ", " : "", unit);
	size_t n = b.len < size ? b.len : size - 1;
	while (n < b.len && n && (b.data[n] & 0xc0) == 0x80)
		n--;
	memcpy(out, b.data, n);
	out[n] = 0;
	buf_free(&b);
}

static void draw_axis_captions(struct page *p, const struct layout *l, const struct chart *c, bool ascii)
{
	char text[AXIS_COUNT][LABEL_MAX];
	for (int a = 0; a < AXIS_COUNT; a++) {
		text[a][0] = 0;
		if (c->has_axis[a])
			format_axis_caption(c, (enum axis)a, ascii, text[a], sizeof text[a]);
	}
	const char *right = unit_display(chart_axis_unit(c, AXIS_RIGHT), ascii);
	if (!page_label(p, 0, l->captions, text[AXIS_LEFT]))
		page_label(p, 0, l->captions, unit_display(chart_axis_unit(c, AXIS_LEFT), ascii));
	if (!page_label(p, p->width - text_width(text[AXIS_RIGHT]), l->captions, text[AXIS_RIGHT]))
		page_label(p, p->width - text_width(right), l->captions, right);
}

static void draw_text_y_axis(struct page *p, const struct layout *l, const struct chart *c, enum axis axis,
	const struct y_axis_ticks *y, bool ascii)
{
	if (!l->y_labels[axis])
		return;
	bool left = axis == AXIS_LEFT;
	int line = left ? l->left - 1 : l->left + l->columns;
	for (int r = 0; r < l->rows; r++)
		page_text(p, line, l->top + r, ascii ? "|" : "\u2502");
	for (size_t i = 0; i < y->count; i++) {
		double at = scale_to_fraction(&c->y[axis], y->ticks[i].value);
		int row = l->top + (int)lround((1 - at) * (l->rows - 1));
		int x = left ? line - 1 - text_width(y->ticks[i].text) : line + 2;
		if (at > -0.01 && at < 1.01 && page_label(p, x, row, y->ticks[i].text))
			page_text(p, line, row, ascii ? "+" : left ? "\u2524" : "\u251c");
	}
}

static void draw_text_x_axis(struct page *p, const struct layout *l, const struct chart *c, bool ascii)
{
	if (l->axis < 0)
		return;
	for (int x = 0; x < l->columns; x++)
		page_text(p, l->left + x, l->axis, ascii ? "-" : "\u2500");
	if (l->y_labels[AXIS_LEFT])
		page_text(p, l->left - 1, l->axis, ascii ? "+" : "\u2514");
	if (l->y_labels[AXIS_RIGHT])
		page_text(p, l->left + l->columns, l->axis, ascii ? "+" : "\u2518");
	struct axis_tick ticks[TICKS_MAX];
	int max = l->columns / 9;
	size_t n = chart_make_x_ticks(c, ticks,
		c->x_name_count || max > TICKS_MAX ? TICKS_MAX
			: max < 2                  ? 2
						   : (size_t)max);
	for (size_t i = 0; i < n; i++) {
		int x = l->left + (int)lround(scale_to_fraction(&c->x, ticks[i].value) * (l->columns - 1));
		int wide = text_width(ticks[i].text), at = x - wide / 2;
		if (at + wide > p->width)
			at = p->width - wide;
		if (x < l->left || x >= l->left + l->columns)
			continue;
		int row = l->labels + (l->label_rows > 1 ? (int)(i % 2) : 0);
		if (l->labels < 0 || page_label(p, at < 0 ? 0 : at, row, ticks[i].text))
			page_text(p, x, l->axis, ascii ? "+" : "\u2534");
	}
}

static void draw_text_canvas(struct page *p, const struct layout *l, const struct chart *c, bool ascii)
{
	if (l->columns <= 0 || l->rows <= 0)
		return;
	struct canvas_cell *cells = xcalloc((size_t)l->columns * (size_t)l->rows, sizeof *cells);
	chart_render_cells(c, ascii ? CANVAS_ASCII : CANVAS_BRAILLE, l->columns, l->rows, cells);
	for (int y = 0; y < l->rows; y++)
		for (int x = 0; x < l->columns; x++) {
			const struct canvas_cell *cell = &cells[y * l->columns + x];
			if (cell->set)
				page_text(p, l->left + x, l->top + y, cell->utf8);
		}
	free(cells);
}

static void draw_ruler_labels(struct page *p, const struct layout *l, const struct chart *c)
{
	for (size_t i = 0; i < c->ruler_count; i++) {
		double at = scale_to_fraction(&c->x, c->rulers[i].x);
		if (c->rulers[i].label && at >= 0 && at <= 1)
			page_label_after(
				p, l->left + (int)lround(at * (l->columns - 1)) + 1, l->top, c->rulers[i].label, 0);
	}
}

/* Labels go to the right of the mark or, if that place is taken, to its left. */
static void draw_point_labels(struct page *p, const struct layout *l, const struct chart *c)
{
	for (size_t i = 0; i < c->series_count; i++)
		for (size_t k = 0; k < c->series[i].count; k++) {
			const struct chart_point *at = &c->series[i].points[k];
			if (!at->label || !at->valid)
				continue;
			double x = scale_to_fraction(&c->x, at->x),
			       y = scale_to_fraction(&c->y[c->series[i].axis], at->y);
			if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
				continue;
			int column = l->left + (int)lround(x * (l->columns - 1)),
			    row = l->top + (int)lround((1 - y) * (l->rows - 1));
			if (!page_label_after(p, column + 2, row, at->label, 0))
				page_label_after(p, column - 1 - text_width(at->label), row, at->label, 0);
		}
}

static void draw_text_legend(struct page *p, const struct layout *l, const struct chart *c, bool ascii)
{
	static const char *const roles[] = {"", " (previous)", " (pinned)", " (published)"};
	for (int i = 0; i < l->legend_rows; i++) {
		const struct series *s = &c->series[i];
		char *line;
		int more = (int)c->series_count - i;
		if (i + 1 == l->legend_rows && more > 1)
			line = xasprintf("  and %d more series", more);
		else
			line = xasprintf("  %s %s%s%s%s, %s axis", series_key_text(s, ascii), s->label,
				s->unit && *s->unit ? ", " : "", s->unit ? unit_display(s->unit, ascii) : "",
				roles[s->role], s->axis == AXIS_LEFT ? "left" : "right");
		page_text(p, 0, l->legend + i, line);
		free(line);
	}
}

char *chart_render_text(const struct chart *c, int width, int height, bool ascii)
{
	if (width <= 0 || height <= 0)
		return xstrdup("");
	struct page p = {width, height, xcalloc((size_t)width * (size_t)height, 5)};
	struct y_axis_ticks y[AXIS_COUNT] = {0};
	struct layout l = lay_out_page(c, width, height, y);
	if (l.title >= 0)
		page_text(&p, 0, l.title, c->title);
	if (l.captions >= 0)
		draw_axis_captions(&p, &l, c, ascii);
	draw_text_y_axis(&p, &l, c, AXIS_LEFT, &y[AXIS_LEFT], ascii);
	draw_text_y_axis(&p, &l, c, AXIS_RIGHT, &y[AXIS_RIGHT], ascii);
	draw_text_x_axis(&p, &l, c, ascii);
	draw_text_canvas(&p, &l, c, ascii);
	draw_ruler_labels(&p, &l, c);
	draw_point_labels(&p, &l, c);
	if (l.x_caption >= 0) {
		char *text = c->x_unit && *c->x_unit && strcmp(c->x_unit, c->x_label)
			? xasprintf("%s, %s", c->x_label, unit_display(c->x_unit, ascii))
			: xstrdup(c->x_label);
		int n = text_width(text);
		page_text(&p, n < l.columns ? l.left + (l.columns - n) / 2 : 0, l.x_caption, text);
		free(text);
	}
	if (l.legend >= 0)
		draw_text_legend(&p, &l, c, ascii);
	char *out = page_join(&p);
	free(p.cell);
	return out;
}
