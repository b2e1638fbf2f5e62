/* A point of a sweep when it ends: its record with metrics, verdict and the reasons to doubt it. Private to
 * experiments/. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_POINT_H
#define EXPERIMENTS_SWEEP_SWEEP_POINT_H

#include "experiments/sweep/sweep.h"

/* Takes what the worker reported: a copy of the record, completed as a session has it; `index` is the point's in the
 * plan. */
void point_finish(struct point *p, struct experiment *x, int index, const json_t *record);
/* The point fails without a record of a worker's. */
void point_fail(struct point *p, const struct experiment *x, int index, int job, const struct err *why);

#endif
