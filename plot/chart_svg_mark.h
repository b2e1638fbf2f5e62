/* Marks and colors of series in SVG. Series differ by mark as well as by color, for print in black and white and for
 * color-blind readers. */
#ifndef PLOT_CHART_SVG_MARK_H
#define PLOT_CHART_SVG_MARK_H

#include <stdbool.h>

#include "base/buf.h"

enum { SVG_COLORS = 7 };
/* "#0072b2": from the palette of Okabe and Ito, which color-blind readers can distinguish. */
const char *svg_series_color(size_t series);
/* Draws the shape of an ASCII mark (plot/series_mark.h) at (x, y). `open`: only its outline. */
void svg_draw_mark(struct buf *out, char mark, double x, double y, const char *color, bool open);

#endif
