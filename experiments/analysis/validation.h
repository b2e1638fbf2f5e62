/* Compares a device with published measurements: which points they need, and the error of each row.
 *
 * Rows of the same point share one measurement. On a software GPU a row may be measured at a smaller size (the row's
 * `at`): the time is then multiplied by the ratio of `work` between the two sizes, and the metric is computed for the
 * published point with that time. */
#ifndef EXPERIMENTS_ANALYSIS_VALIDATION_H
#define EXPERIMENTS_ANALYSIS_VALIDATION_H

#include "experiments/sweep/sweep.h"
#include "sessions/compare/published_rows.h"

struct validation_row {
	const struct published_row *row;
	struct experiment *x;
	int metric;
	double published_at[PARAMS_MAX]; /* the row's own point */
	int point;                       /* index of the point that is measured for it */
	double scale;                    /* factor on the measured time; 1: measured at the published size */
	bool compared;                   /* the values below are valid */
	double unrounded, measured;      /* the metric; rounded like the source */
	double error;                    /* published_relative_error, at least 0 */
	double signed_error;             /* the same, below 0 if the measured value is too small */
	char text[256];                  /* why it was not compared */
};

struct validation_point {
	struct experiment *x;
	double values[PARAMS_MAX];
	double seconds; /* of this machine, for a point that has ended: the worker's time without the compiler's; else 0
	                 */
};

struct validation {
	struct validation_row *rows; /* by experiment, in the catalog's order */
	int row_count;
	struct validation_point *points; /* in the order of their first rows */
	int point_count;
	bool soft;
	const char *arch; /* the device's target; NULL: rows for all targets */
};

/* Rows for the target, of all experiments of the catalog or of those named. Borrows the rows, the experiments and the
 * name of the target. False with an error if a name or a row is wrong, or if no row is left. validation_free. */
bool validation_make(const struct published *set, struct catalog *c, const char *const *only, int only_count,
	const char *arch, bool soft, struct validation *out, struct err *e);
/* The rows of one experiment; there may be none. */
bool validation_make_for(
	const struct published *set, struct experiment *x, bool soft, struct validation *out, struct err *e);
void validation_free(struct validation *v);
/* The amount of work at these values: the row's `work` names a parameter, or a metric that needs no measurement. */
bool published_eval_work(
	struct experiment *x, const struct published_row *row, const double *values, double *out, struct err *e);

/* The plan that measures one point; the caller frees it. */
void validation_make_plan(const struct validation *v, int point, struct plan *out);
/* Compares the rows of a measured point. */
void validation_compare_point(struct validation *v, int point, const struct point *ended);
/* Marks the rows of a point that will not be measured. */
void validation_skip_point(struct validation *v, int point, const char *why);

struct validation_summary {
	int rows, count;                  /* all, and those compared */
	double median, worst;             /* of the errors */
	double within_5;                  /* fraction of the compared rows with an error of at most 0.05 */
	int worst_row;                    /* -1 when none was compared */
	int uncalibrated;                 /* experiments with compared rows that were not used for calibration */
	double worst_uncalibrated_median; /* median over those experiments of the worst such row */
};
struct validation_summary validation_summarize(const struct validation *v);

/* {rows: [...], summary: {...}}, as `wavedeck validate --json` prints it. */
json_t *validation_json(const struct validation *v);

#endif
