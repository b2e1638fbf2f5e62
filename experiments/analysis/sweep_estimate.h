/* How long a plan will take on this machine, estimated from points that were measured before. */
#ifndef EXPERIMENTS_ANALYSIS_SWEEP_ESTIMATE_H
#define EXPERIMENTS_ANALYSIS_SWEEP_ESTIMATE_H

#include "experiments/analysis/validation.h"

struct point_cost {
	double values[PARAMS_MAX];
	double seconds; /* host time from the end of the previous point */
	double work;    /* amount of work in a unit of the experiment's own; 0: unknown */
};

/* Measured points of one experiment, newest last. Zero-initialize it; free with point_costs_clear. */
struct point_costs {
	struct point_cost *list; /* owned */
	int count;
};

/* `published` (may be NULL) holds the experiment's published rows; they name the unit of work if `x` does not. */
void point_costs_add(struct point_costs *c, struct experiment *x, const struct validation *published,
	const double *values, double seconds);
void point_costs_clear(struct point_costs *c);
/* Writes "19 points, ~3 s" or "19 points, time unknown"; false if the time is unknown. */
bool point_costs_estimate(const struct point_costs *c, const struct validation *published, const struct plan *p,
	double *seconds, char *out, size_t size);
/* How long workers take that measure at the same time: each takes the next point of the plan when it is free. At most
 * WORKERS_MAX. False if the time is unknown. */
bool point_costs_estimate_shared(const struct point_costs *c, const struct validation *published, const struct plan *p,
	int workers, double *seconds);
char *estimate_format_time(double seconds, char *out, size_t size); /* "~12 s", "less than 1 s" */
/* Writes "~12 s left" for a sweep of which a part of 0..1 took `elapsed` seconds; "" while that says nothing yet. */
char *estimate_format_left(double fraction, double elapsed, char *out, size_t size);
/* Off: texts contain only the number of points, so that they do not depend on the host. On by default. */
void estimate_show_times(bool on);

#endif
