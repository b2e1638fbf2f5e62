/* Measures the points of a validation, several at the same time: each is a sweep of one point, and all are on one pool
 * of workers. */
#ifndef CLI_VALIDATE_VALIDATION_POINTS_H
#define CLI_VALIDATE_VALIDATION_POINTS_H

#include "cli/run/run_limit.h"
#include "experiments/analysis/validation.h"

/* Compares the rows of each point when it ends, and marks those of a point that a limit has ended: all that are left at
 * the end of --limit; without it, a point that took too long since a worker began with it, while the others go on.
 * False with an error if interrupted, or if no worker is left: the rows of points that ended before are compared. */
bool validation_measure_points(
	struct validation *v, struct worker_pool *w, const struct run_limit *limit, struct err *e);

#endif
