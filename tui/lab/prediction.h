/* A curve drawn by a person before it is measured: points on a grid whose columns are the sweep's own x values and
 * whose rows are steps of the y axis. Between the points it runs straight on the plot, so on a doubling x axis straight
 * in log2 x; beyond the outer ones it stays level. */
#ifndef TUI_LAB_PREDICTION_H
#define TUI_LAB_PREDICTION_H

#include <stdbool.h>

enum { PREDICTION_COLUMNS_MAX = 64, PREDICTION_ROWS = 40 };

struct prediction {
	double x[PREDICTION_COLUMNS_MAX];  /* ascending */
	int level[PREDICTION_COLUMNS_MAX]; /* row from the bottom, 0 .. PREDICTION_ROWS; -1: no point there */
	int columns;                       /* 0: this sweep has no curve to draw */
	bool log;                          /* the x axis doubles */
	double top;                        /* of the y axis, in the metric's unit */
	int column, row;                   /* where the pen is */
};

/* `x` need not be sorted; of more than PREDICTION_COLUMNS_MAX values so many are taken, spread evenly, the ends among
 * them. */
void prediction_init(struct prediction *p, const double *x, int count, bool log);
void prediction_move_cursor(struct prediction *p, int columns, int rows);
void prediction_toggle_point(struct prediction *p); /* a point; where one is already at this height, it goes */
void prediction_erase_point(struct prediction *p);  /* the point of this column; without one, the nearest to the left */
void prediction_scale_y(struct prediction *p,
	bool up); /* the y axis twice or half as high; the points keep their values as far as the grid has them */
int prediction_point_count(const struct prediction *p);
double prediction_row_value(const struct prediction *p, int row); /* in the metric's unit */
double prediction_value_at(const struct prediction *p, double x); /* of the curve; NAN without points */
/* Mean of |drawn - measured| / |measured| over the measured points, as a fraction; NAN without a point to compare. */
double prediction_mean_error(const struct prediction *p, const double *x, const double *y, int count);

#endif
