/* A chart with its axes in an area of the grid, for views that draw charts of their own. */
#ifndef TUI_TOOLKIT_CHART_AREA_H
#define TUI_TOOLKIT_CHART_AREA_H

#include "plot/chart.h"
#include "tui/shell/app.h"
#include "tui/toolkit/grid.h"

/* Draws the canvas, the y axes with their units above them where there is room, the x axis. `choices`: the x axis'
 * parameter where its values have names, else NULL. Returns the canvas' area; empty when there is no room for one. */
struct area chart_area(const struct app *a, const struct chart *c, const struct param *choices, struct area in);
/* Column and row of a value in that canvas; false outside. */
bool chart_cell(const struct app *a, const struct chart *c, struct area canvas, enum axis axis, double x, double y,
	int *column, int *row);
/* The axes alone, around a canvas inside `in` that leaves them room; the x axis in `axis_row` of `in`, -1: none. An
 * axis that has no room is left out. */
void chart_axes(const struct app *a, const struct chart *c, const struct param *choices, struct area in,
	struct area canvas, int axis_row);
int chart_role(const struct series *s); /* enum role */

#endif
