/* Published rows held against what a device measures: which points they need, and how far each row is off.
 *
 * Several rows of one point are measured once. On a software GPU a row may be measured at a smaller size (`at` of the
 * row): the time is then multiplied by the ratio of its `work` between the two sizes, and the metric taken of the
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
	int point;                       /* measured there, of the validation's points */
	double scale;                    /* the measured time is multiplied by it; 1: measured at the published size */
	bool compared;                   /* the three below are there */
	double unrounded, measured;      /* the metric; as the source would have printed it */
	double error;                    /* a part of the published value, never negative */
	char text[256];                  /* why it was not compared */
};

struct validation_point {
	struct experiment *x;
	double values[PARAMS_MAX];
};

struct validation {
	struct validation_row *rows; /* by experiment, in the catalog's order */
	int row_count;
	struct validation_point *points; /* in the order of their first rows */
	int point_count;
	bool soft;
	const char *arch; /* the device's target; NULL: rows of all */
};

/* The rows of the catalog's experiments, or of those named, that are for the target. Borrows the rows, the experiments
 * and the target's name. False with a line about a name or a row that is wrong, or when there is none. */
bool validation_make(const struct published *set, struct catalog *c, const char *const *only, int only_count,
	const char *arch, bool soft, struct validation *out, struct err *e);
/* The rows of one experiment; none is no error. */
bool validation_make_for(
	const struct published *set, struct experiment *x, bool soft, struct validation *out, struct err *e);
void validation_free(struct validation *v);
/* How much there is to do at these values, as the row's `work` says: a parameter, or a metric that needs no
 * measurement. */
bool published_eval_work(
	struct experiment *x, const struct published_row *row, const double *values, double *out, struct err *e);

/* The plan that measures one point; the caller frees it. */
void validation_make_plan(const struct validation *v, int point, struct plan *out);
/* Compares the rows of a point that has ended. */
void validation_compare_point(struct validation *v, int point, const struct point *ended);
/* The rows of a point that there will be no measurement of. */
void validation_skip_point(struct validation *v, int point, const char *why);

struct validation_summary {
	int rows, count;                  /* all, and those compared */
	double median, worst;             /* of the errors */
	double within_5;                  /* part of the compared rows with an error of at most 0.05 */
	int worst_row;                    /* -1 when none was compared */
	int uncalibrated;                 /* experiments with compared rows that no constant was fixed on */
	double worst_uncalibrated_median; /* over those, of each one's worst such row */
};
struct validation_summary validation_summarize(const struct validation *v);

/* {rows: [...], summary: {...}}, as `wavedeck validate --json` prints it. */
json_t *validation_json(const struct validation *v);

#endif
