/* A curve that the user draws before it is measured: points on a grid whose columns are the x values of the sweep and
 * whose rows are steps of the y axis. It is a straight line between two points as drawn (in log2 x on a logarithmic x
 * axis) and level outside of the outer points. */
#ifndef TUI_LAB_PREDICTION_H
#define TUI_LAB_PREDICTION_H

#include <stdbool.h>

enum { PREDICTION_COLUMNS_MAX = 64, PREDICTION_ROWS = 100 };

struct prediction {
	double x[PREDICTION_COLUMNS_MAX];  /* ascending */
	int level[PREDICTION_COLUMNS_MAX]; /* row from the bottom, 0 .. PREDICTION_ROWS; -1: no point */
	int columns;                       /* 0: this sweep has no curve */
	bool log;                          /* logarithmic x axis */
	double top;                        /* of the y axis, in the metric's unit */
	double first_top;                  /* before it was scaled */
	int column, row;                   /* of the cursor */
};

/* `x` may be unsorted, `top` 0: not known. Of more than PREDICTION_COLUMNS_MAX values, that many are used: the ends and
 * others evenly spread.
 */
void prediction_init(struct prediction *p, const double *x, int count, bool log, double top);
/* Moves the cursor to another column, to the height of the curve there. */
void prediction_move_cursor(struct prediction *p, int columns);
/* Moves the cursor up, and sets the point of its column there. The y axis doubles if it ends below. */
void prediction_raise_point(struct prediction *p, int rows);
void prediction_toggle_point(struct prediction *p); /* sets the point of the column, or erases it */
void prediction_erase_point(struct prediction *p);  /* the point in this column, else the nearest to the left */
void prediction_scale_y(struct prediction *p,
	bool up); /* doubles or halves the y axis; points keep their values, rounded to the grid */
int prediction_point_count(const struct prediction *p);
double prediction_row_value(const struct prediction *p, int row); /* in the metric's unit */
double prediction_value_at(const struct prediction *p, double x); /* NAN without points */
/* Mean of |drawn - measured| / |measured| over the measured points, as a fraction; NAN when no point can be compared.
 */
double prediction_mean_error(const struct prediction *p, const double *x, const double *y, int count);

#endif
