/* The marks and colours of series in SVG: each series differs by its mark as well as by its colour (print in black and
 * white, colour blindness). */
#ifndef PLOT_CHART_SVG_MARK_H
#define PLOT_CHART_SVG_MARK_H

#include <stdbool.h>

#include "base/buf.h"

enum { SVG_COLOURS = 7 };
const char *svg_series_colour(
	size_t series); /* "#0072b2": Okabe and Ito's palette, which the colour blind can tell apart */
/* The shape for the ASCII mark (plot/series_mark.h), around (x, y). `open`: its outline only. */
void svg_draw_mark(struct buf *out, char mark, double x, double y, const char *colour, bool open);

#endif
