/* Points that an experiment takes from another one (`measures` in its definition): which point that is.
 * Private to experiments/definition. */
#ifndef EXPERIMENTS_DEFINITION_DELEGATED_POINT_H
#define EXPERIMENTS_DEFINITION_DELEGATED_POINT_H

#include "experiments/definition/experiment.h"

struct delegated_point {
	struct experiment *target; /* the catalog's */
	double values[PARAMS_MAX]; /* of the target */
};

/* The target and its parameters for a point of `x`: the target's defaults for such a device (default_values.h), with
 * the parameters that `x` sets. False with an error. */
bool delegated_point_resolve(struct experiment *x, const double *values, bool soft, const char *arch,
	struct delegated_point *out, struct err *e);
/* What the target's functions compute for such a point, from its record. NULL with an error; the caller owns it. */
json_t *delegated_values(const struct experiment *x, const json_t *point, struct err *e);

#endif
