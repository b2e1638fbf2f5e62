#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "plot/chart_svg.h"
#include "plot/heatmap.h"

enum {
	LEFT = 90,
	RIGHT = 110,
	CELL_HEIGHT = 22,
	CELL_HEIGHT_LEAST = 8,
	HEIGHT_MOST = 440,
	KEY_STEPS = 24,
	KEY_WIDTH = 16,
	LEAST_FRAMED = 3 /* pixels: white frames would cover narrower cells */
};

struct heat_picture {
	struct buf *out;
	const struct heatmap *h;
	double top, cell_width, cell_height;
	int step; /* columns that share a cell: of more columns than pixels, several do */
};

/* --- colors --- */
struct heat_color {
	double red, green, blue;
};

static struct heat_color color_at(double part)
{
	static const struct heat_color stops[] = {
		{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
	enum { LAST = sizeof stops / sizeof *stops - 1 };
	int i = (int)(part * LAST);
	i = i < LAST ? i : LAST - 1;
	double t = part * LAST - i;
	const struct heat_color *a = &stops[i], *b = &stops[i + 1];
	return (struct heat_color){a->red + t * (b->red - a->red), a->green + t * (b->green - a->green),
		a->blue + t * (b->blue - a->blue)};
}

static void append_color(struct buf *out, struct heat_color c)
{
	buf_printf(out, "#%02x%02x%02x", (int)lround(c.red), (int)lround(c.green), (int)lround(c.blue));
}

/* --- text --- */
static void append_heat_text(
	struct buf *out, double x, double y, const char *anchor, const char *fill, const char *text)
{
	buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s%s%s>", x, y, anchor,
		*fill ? " style=\"fill:" : "", fill, *fill ? "\"" : "");
	svg_append_escaped(out, text);
	buf_puts(out, "</text>\n");
}

/* What the colors mean. */
static void append_heat_title(const struct heat_picture *p, double x, double y)
{
	struct buf *out = p->out;
	char *text = svg_format_axis_label(p->h->label, p->h->unit);
	buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" style=\"font-weight:bold\">", x, y);
	svg_append_escaped(out, text);
	if (p->step > 1)
		buf_printf(out, ": the largest of each %d", p->step);
	buf_puts(out, "</text>\n");
	free(text);
}

static void append_label(struct buf *out, double x, double y, const char *anchor, const char *label, const char *unit)
{
	char *text = svg_format_axis_label(label, unit);
	append_heat_text(out, x, y, anchor, "", text);
	free(text);
}

/* --- cells --- */
static void append_cell_title(struct buf *out, const struct heatmap *h, int column, int row)
{
	const struct heat_cell *c = heatmap_cell(h, column, row);
	char value[40];
	buf_puts(out, "<title>");
	svg_append_escaped(out, h->x_label);
	buf_puts(out, " ");
	svg_append_escaped(out, h->x_names[column]);
	buf_puts(out, ", ");
	svg_append_escaped(out, h->y_label);
	buf_puts(out, " ");
	svg_append_escaped(out, h->y_names[row]);
	buf_puts(out, ": ");
	svg_append_escaped(out,
		c->valid              ? units_format(value, sizeof value, c->value, h->unit, 4)
			: c->measured ? "failed"
				      : "not measured");
	buf_puts(out, c->suspect ? ", not trusted</title>" : "</title>");
}

/* Of the columns that share a cell, the one with the largest value; else the first. */
static int choose_column(const struct heat_picture *p, int first, int row)
{
	int chosen = first;
	for (int i = first; i < first + p->step && i < p->h->columns; i++) {
		const struct heat_cell *best = heatmap_cell(p->h, chosen, row), *c = heatmap_cell(p->h, i, row);
		if (c->valid && (!best->valid || c->value > best->value))
			chosen = i;
	}
	return chosen;
}

static void append_cell(struct heat_picture *p, int first, int row)
{
	const struct heatmap *h = p->h;
	int column = choose_column(p, first, row), shared = first + p->step < h->columns ? p->step : h->columns - first;
	const struct heat_cell *c = heatmap_cell(h, column, row);
	double x = LEFT + first * p->cell_width, width = shared * p->cell_width,
	       y = p->top + (h->rows - 1 - row) * p->cell_height, part = c->valid ? heatmap_fraction(h, c->value) : 0;
	char value[40];
	buf_printf(p->out, "<g class=\"cell\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"", x, y,
		width, p->cell_height);
	if (c->valid)
		append_color(p->out, color_at(part));
	else
		buf_puts(p->out, "none");
	buf_puts(p->out, p->cell_width < LEAST_FRAMED ? "\">" : "\" stroke=\"#ffffff\" stroke-width=\"0.5\">");
	append_cell_title(p->out, h, column, row);
	buf_puts(p->out, "</rect>\n");
	if (c->valid)
		units_format(value, sizeof value, c->value, "", 3);
	else
		snprintf(value, sizeof value, "%s", c->measured ? "\xc3\x97" : "");
	double need = 7.0 * (double)(strlen(value) + (size_t)c->suspect);
	if (*value && need < width && p->cell_height >= SVG_TEXT + 2) {
		char *text = xasprintf("%s%s", value, c->suspect ? "!" : "");
		append_heat_text(p->out, x + width / 2, y + p->cell_height / 2 + 0.35 * SVG_TEXT, "middle",
			!c->valid             ? "#b00020"
				: part < 0.55 ? "#ffffff"
					      : "#000000",
			text);
		free(text);
	}
	buf_puts(p->out, "</g>\n");
}

/* As many names as fit; of more, every second, third, ... */
static void append_axis_names(struct heat_picture *p, double bottom)
{
	const struct heatmap *h = p->h;
	size_t longest = 1;
	for (int i = 0; i < h->columns; i++)
		longest = strlen(h->x_names[i]) > longest ? strlen(h->x_names[i]) : longest;
	int step = (int)ceil((7.0 * (double)longest + 6) / p->cell_width),
	    step_y = (int)ceil((SVG_TEXT + 2) / p->cell_height);
	for (int i = 0; i < h->columns; i += step)
		append_heat_text(
			p->out, LEFT + (i + 0.5) * p->cell_width, bottom + 1.4 * SVG_TEXT, "middle", "", h->x_names[i]);
	for (int i = 0; i < h->rows; i += step_y)
		append_heat_text(p->out, LEFT - 6, bottom - (i + 0.5) * p->cell_height + 0.35 * SVG_TEXT, "end", "",
			h->y_names[i]);
}

static void append_color_key(struct heat_picture *p, double x, double height)
{
	char value[40];
	for (int i = 0; i < KEY_STEPS; i++) {
		buf_printf(p->out, "<rect x=\"%.1f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" stroke=\"none\" fill=\"",
			x, p->top + (KEY_STEPS - 1 - i) * height / KEY_STEPS, KEY_WIDTH, height / KEY_STEPS + 0.5);
		append_color(p->out, color_at((i + 0.5) / KEY_STEPS));
		buf_puts(p->out, "\"/>\n");
	}
	append_heat_text(p->out, x + KEY_WIDTH + 4, p->top + SVG_TEXT, "start", "",
		units_format(value, sizeof value, p->h->high, "", 3));
	append_heat_text(p->out, x + KEY_WIDTH + 4, p->top + height, "start", "",
		units_format(value, sizeof value, p->h->low, "", 3));
}

double svg_draw_heatmap(struct buf *out, const struct heatmap *h, double y, double width)
{
	double fit = (double)HEIGHT_MOST / h->rows;
	struct heat_picture p = {out, h, y + 3.8 * SVG_TEXT, (width - LEFT - RIGHT) / h->columns,
		fit < CELL_HEIGHT_LEAST     ? CELL_HEIGHT_LEAST
			: fit < CELL_HEIGHT ? fit
					    : CELL_HEIGHT,
		1};
	p.step = (int)ceil(1 / p.cell_width);
	double height = p.cell_height * h->rows, bottom = p.top + height;
	buf_puts(out, "<g class=\"heatmap\">\n");
	append_heat_title(&p, LEFT, y + 1.2 * SVG_TEXT);
	append_label(out, LEFT - 6, y + 3.2 * SVG_TEXT, "end", h->y_label, h->y_unit);
	for (int row = 0; row < h->rows; row++)
		for (int column = 0; column < h->columns; column += p.step)
			append_cell(&p, column, row);
	append_axis_names(&p, bottom);
	append_label(out, LEFT + (width - LEFT - RIGHT) / 2, bottom + 2.8 * SVG_TEXT, "middle", h->x_label, h->x_unit);
	if (h->least >= 0)
		append_color_key(&p, width - RIGHT + 14, height);
	buf_puts(out, "</g>\n");
	return bottom + 3.4 * SVG_TEXT - y;
}
