/* The layout of a chart on a page: the frame inside its tick labels, and coordinates within it. Units are CSS pixels.
 */
#ifndef PLOT_PLOT_FRAME_H
#define PLOT_PLOT_FRAME_H

#include "plot/chart.h"

enum { AXIS_TICKS = 32 };

struct axis_ticks {
	struct axis_tick list[AXIS_TICKS];
	size_t count;
};

struct plot_frame {
	double page;                     /* width of the page */
	double left, top, width, height; /* the rectangle of the curves */
	struct axis_ticks x, y[AXIS_COUNT];
	int x_rows; /* of the labels of the x axis, which take turns; 1 or 2 */
};

/* Lays out a chart of that size; `text` is the height of a line of text. */
struct plot_frame frame_layout(const struct chart *c, double width, double height, double text);
double frame_map_x(const struct plot_frame *f, const struct scale *s, double v); /* may be outside the frame */
double frame_map_y(const struct plot_frame *f, const struct scale *s, double v);
/* The unit of the first series on an axis; "" if there is no series or no unit. */
const char *chart_axis_unit(const struct chart *c, enum axis axis);

#endif
