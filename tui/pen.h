/* A curve drawn by a person before it is measured: points on a grid whose columns are the sweep's own x values and
 * whose rows are steps of the y axis. Between the points it runs straight on the plot, so on a doubling x axis straight
 * in log2 x; beyond the outer ones it stays level. */
#ifndef TUI_PEN_H
#define TUI_PEN_H

#include <stdbool.h>

enum { PEN_COLUMNS_MAX = 64, PEN_ROWS = 40 };

struct pen {
	double x[PEN_COLUMNS_MAX];  /* ascending */
	int level[PEN_COLUMNS_MAX]; /* row from the bottom, 0 .. PEN_ROWS; -1: no point there */
	int columns;                /* 0: this sweep has no curve to draw */
	bool log;                   /* the x axis doubles */
	double top;                 /* of the y axis, in the metric's unit */
	int column, row;            /* where the pen is */
};

/* `x` need not be sorted; of more than PEN_COLUMNS_MAX values so many are taken, spread evenly, the ends among them. */
void pen_init(struct pen *p, const double *x, int count, bool log);
void pen_move(struct pen *p, int columns, int rows);
void pen_drop(struct pen *p); /* a point; where one is already at this height, it goes */
void pen_rub(struct pen *p);  /* the point of this column; without one, the nearest to the left */
void pen_scale(struct pen *p,
	bool up); /* the y axis twice or half as high; the points keep their values as far as the grid has them */
int pen_points(const struct pen *p);
double pen_height(const struct pen *p, int row); /* in the metric's unit */
double pen_value(const struct pen *p, double x); /* of the curve; NAN without points */
/* Mean of |drawn - measured| / |measured| over the measured points, as a fraction; NAN without a point to compare. */
double pen_distance(const struct pen *p, const double *x, const double *y, int count);

#endif
