/* A chart as SVG elements, without the surrounding document. Colors and strokes are attributes, which every viewer
 * shows; a style sheet can override them through the classes frame, grid, tick, series, s0... (color), mark, bar,
 * suspect, failed and strip. data-* attributes contain the values, so that a script can redraw the chart with other
 * scales. */
#ifndef PLOT_CHART_SVG_H
#define PLOT_CHART_SVG_H

#include "base/buf.h"
#include "plot/plot_frame.h"

enum { SVG_TEXT = 12 /* height of a line of text */ };

/* Appends text between tags or in an attribute: escaped, and without characters that XML forbids. */
void svg_append_escaped(struct buf *out, const char *text);
/* Draws the chart without its title at (0, y). */
void svg_draw_chart(struct buf *out, const struct chart *c, const struct plot_frame *f, double y);
/* Draws the legend in rows of at most `width`; returns its height. */
double svg_draw_legend(struct buf *out, const struct chart *c, double x, double y, double width);

/* A reading over the same x axis with its own scale, drawn as one line below the chart: a clock, temperature, power. */
struct chart_strip {
	const char *label, *unit;
	const struct chart_point *points;
	size_t count;
};
enum { STRIP_HEIGHT = 30 };
void svg_draw_strip(
	struct buf *out, const struct chart *c, const struct plot_frame *f, const struct chart_strip *s, double y);

#endif
