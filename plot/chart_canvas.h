/* The parts of the canvas (chart_render_cells in chart.h): lines, marks and areas draw into the same cells. */
#ifndef PLOT_CHART_CANVAS_H
#define PLOT_CHART_CANVAS_H

#include "plot/chart.h"

enum { CANVAS_RULER = 0xff /* instead of a series */ };

/* A grid of dots over the cells. Dots of one series share a cell; a later series replaces the cell. */
struct canvas {
	enum canvas_kind kind;
	int width, height;  /* cells */
	int dots_x, dots_y; /* in a cell */
	struct canvas_cell *cells;
	const struct chart *chart;
};

struct canvas_cell *canvas_cell_at(const struct canvas *v, int x, int y); /* NULL outside */
void canvas_set_cell(struct canvas_cell *c, const char *utf8, unsigned series);
/* True if a line may cover the cell: it is empty, or part of a ruler or area. */
bool canvas_cell_is_background(const struct canvas *v, const struct canvas_cell *c);
double canvas_dot_x(const struct canvas *v, double x);
double canvas_dot_y(const struct canvas *v, enum axis axis, double y);
bool chart_point_is_drawn(const struct chart_point *p);
/* Published values are not joined: the curve between them is unknown. */
bool series_is_joined(const struct series *s);

/* --- canvas_marks.c --- */
/* Draws all marks of a series that is neither current nor pinned. */
void canvas_draw_fixed_marks(const struct canvas *v, unsigned index);
/* Draws the marks of the current and the pinned curves: first those of the extremes, then others as far as there is
 * room, so that curves that coincide share it. */
void canvas_draw_curve_marks(const struct canvas *v);

/* --- canvas_areas.c --- */
void canvas_draw_areas(const struct canvas *v);
/* How far the bar of a point reaches, in dots: a part of the way to the nearer neighbor. */
double canvas_bar_half_width(const struct canvas *v, const struct series *s, size_t i);
void canvas_draw_columns(const struct canvas *v);

#endif
