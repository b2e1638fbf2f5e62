/* How long a plan will take on this machine, estimated from points that were measured before. */
#ifndef EXPERIMENTS_ANALYSIS_SWEEP_ESTIMATE_H
#define EXPERIMENTS_ANALYSIS_SWEEP_ESTIMATE_H

#include <stdint.h>

#include "experiments/analysis/validation.h"
#include "experiments/sweep/sweep.h"

struct point_cost {
	double values[PARAMS_MAX];
	double seconds; /* host time of its worker, without compiling */
	double compile; /* host time for its kernel before that; nearly 0 if it was compiled before */
	double work;    /* amount of work in a unit of the experiment's own; 0: unknown */
	uint64_t device;
};

/* Measured points of one experiment, newest last. Zero-initialize it; free with point_costs_clear. */
struct point_costs {
	struct point_cost *list; /* owned */
	int count;
	uint64_t device; /* of the points that are added and estimated now; those of others are kept */
	int workers;     /* that measure at the same time; 0 counts as 1 */
};

/* `published` (may be NULL) holds the experiment's published rows; they name the unit of work if `x` does not. */
void point_costs_add(struct point_costs *c, struct experiment *x, const struct validation *published,
	const double *values, double seconds, double compile);
void point_costs_clear(struct point_costs *c);
/* Writes "19 points, ~3 s" or "19 points, time unknown", with c->workers; false if the time is unknown. */
bool point_costs_estimate(const struct point_costs *c, const struct validation *published, const struct plan *p,
	double *seconds, char *out, size_t size);
/* How long workers take that measure at the same time: each takes the next point of the plan when it is free. At most
 * WORKERS_MAX. False if the time is unknown. */
bool point_costs_estimate_shared(const struct point_costs *c, const struct validation *published, const struct plan *p,
	int workers, double *seconds);
/* How long the points of a sweep still take that have not ended, of which all were measured before; false if one was
 * not. */
bool point_costs_estimate_left(const struct point_costs *c, const struct sweep *s, double *seconds);
char *estimate_format_time(double seconds, char *out, size_t size); /* "~12 s", "less than 1 s" */
/* Writes "~12 s left" for a sweep of which a part of 0..1 took `elapsed` seconds; "" while that says nothing yet. */
char *estimate_format_left(double fraction, double elapsed, char *out, size_t size);
/* The same; if all of its points were measured before, by their times. */
char *estimate_format_sweep_left(const struct point_costs *c, const struct sweep *s, char *out, size_t size);
/* Off: texts contain only the number of points, so that they do not depend on the host. On by default. */
void estimate_show_times(bool on);
bool estimate_times_are_shown(void);

#endif
