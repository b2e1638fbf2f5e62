/* Where a chart's parts stand on a page, in points of the page (1 is a pixel of a screen): the frame inside its tick
 * labels, and places within it. The ticks are the screen's (scale_make_ticks). */
#ifndef PLOT_PLOT_FRAME_H
#define PLOT_PLOT_FRAME_H

#include "plot/chart.h"

enum { AXIS_TICKS = 24 };

struct axis_ticks {
	struct axis_tick list[AXIS_TICKS];
	size_t count;
};

struct plot_frame {
	double page;                     /* width of the whole */
	double left, top, width, height; /* the rectangle that the curves are drawn in */
	struct axis_ticks x, y[AXIS_COUNT];
};

/* The frame of a chart that fills so much of a page; `text` is the height of a line of text. */
struct plot_frame frame_layout(const struct chart *c, double width, double height, double text);
double frame_map_x(const struct plot_frame *f, const struct scale *s, double v); /* may lie outside */
double frame_map_y(const struct plot_frame *f, const struct scale *s, double v);
/* The unit of what stands on an axis; "" when nothing does or it has none. */
const char *chart_axis_unit(const struct chart *c, enum axis axis);

#endif
