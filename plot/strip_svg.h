/* Clocks, temperature and power below a chart in SVG. */
#ifndef PLOT_STRIP_SVG_H
#define PLOT_STRIP_SVG_H

#include "plot/chart_svg.h"

/* A reading over the x axis of the chart. */
struct chart_strip {
	const char *label, *unit;
	const struct chart_point *points;
	size_t count;
};

/* Draws a line of text with the readings that do not move, and a curve on its own scale for each of the others
 * (reading_span.h). Returns the height. */
double svg_draw_strips(struct buf *out, const struct chart *c, const struct plot_frame *f,
	const struct chart_strip *strips, size_t count, double y);

#endif
