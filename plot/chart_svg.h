/* A chart as SVG elements, without the surrounding document. Colors and strokes are attributes, which every viewer
 * shows; a style sheet can override them through the classes frame, grid, tick, series, s0... (color), mark, bar,
 * suspect, failed and strip. data-* attributes contain the values, so that a script can redraw the chart with other
 * scales. */
#ifndef PLOT_CHART_SVG_H
#define PLOT_CHART_SVG_H

#include "base/buf.h"
#include "plot/plot_frame.h"

enum {
	SVG_TEXT = 12,       /* height of a line of text */
	SVG_MARKS_MAX = 2000 /* more marks would only be a black band in a file of many megabytes */
};

/* Appends text between tags or in an attribute: escaped, and without characters that XML forbids. */
void svg_append_escaped(struct buf *out, const char *text);
void svg_draw_text(struct buf *out, double x, double y, const char *anchor, const char *class, const char *text);
/* "stride, words"; only the label where the unit is the same word, or in the tick labels, as for bytes. The caller
 * frees it. */
char *svg_format_axis_label(const char *label, const char *unit);
/* Appends the attribute data-NAME. */
void svg_append_number(struct buf *out, const char *name, double v);
/* Draws the chart without its title at (0, y). */
void svg_draw_chart(struct buf *out, const struct chart *c, const struct plot_frame *f, double y);
/* Draws the legend in rows of at most `width`; returns its height. */
double svg_draw_legend(struct buf *out, const struct chart *c, double x, double y, double width);

#endif
