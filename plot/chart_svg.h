/* A chart as SVG elements, without the document around them. Colours and strokes are attributes, so that every program
 * shows them; a page may overrule them by its style sheet through the classes (frame, grid, tick, series, s0.. by
 * colour, mark, bar, suspect, failed, strip).
 *
 * The group of the chart and each point carry their numbers as data-* attributes: a script can move them to other
 * scales. */
#ifndef PLOT_CHART_SVG_H
#define PLOT_CHART_SVG_H

#include "base/buf.h"
#include "plot/plot_frame.h"

enum { SVG_TEXT = 12 /* height of a line of text */ };

/* Text between tags or in an attribute: escaped, and without what XML does not allow. */
void svg_append_escaped(struct buf *out, const char *text);
/* The chart without its title, from (0, y) on. */
void svg_draw_chart(struct buf *out, const struct chart *c, const struct plot_frame *f, double y);
/* What each mark means, in rows of at most `width`; returns their height. */
double svg_draw_legend(struct buf *out, const struct chart *c, double x, double y, double width);

/* A reading over the same x axis, with its own scale, in one line below the chart: clocks, temperature, power. */
struct chart_strip {
	const char *label, *unit;
	const struct chart_point *points;
	size_t count;
};
enum { STRIP_HEIGHT = 30 };
void svg_draw_strip(
	struct buf *out, const struct chart *c, const struct plot_frame *f, const struct chart_strip *s, double y);

#endif
