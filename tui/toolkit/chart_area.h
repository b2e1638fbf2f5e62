/* A chart with its axes in an area of the grid, for views that draw charts of their own. */
#ifndef TUI_TOOLKIT_CHART_AREA_H
#define TUI_TOOLKIT_CHART_AREA_H

#include "plot/chart.h"
#include "tui/toolkit/grid.h"

struct chart_look {
	bool ascii;
	enum canvas_kind canvas;
};

/* Draws the canvas, the y axes with their units above them where there is room, and the x axis. Returns the canvas'
 * area; empty when there is no room for one. */
struct area chart_draw(const struct chart_look *look, const struct chart *c, struct area in);
/* Column and row of a value in that canvas; false outside. */
bool chart_find_cell(const struct chart_look *look, const struct chart *c, struct area canvas, enum axis axis, double x,
	double y, int *column, int *row);
/* Column 0 .. width - 1 of an x value; -1 outside. */
int chart_find_column(const struct scale *x, double value, int width, enum canvas_kind kind);
/* How many rows the labels of the x axis take below an axis of `width`: 1, or 2 for long names where `height` has room
 * for them. */
int chart_x_label_rows(const struct chart *c, int width, int height);
/* The axes alone, around a canvas inside `in` that leaves them room; the x axis in `axis_row` of `in`, -1: none. An
 * axis without room is left out. */
void chart_draw_axes(
	const struct chart_look *look, const struct chart *c, struct area in, struct area canvas, int axis_row);
int chart_series_role(const struct series *s); /* enum role; of a pinned curve by the digit that is its mark */
int pinned_curve_role(int pin);                /* 0..3 */

#endif
