/* Completes a point when it ends: its record with metrics and verdict, and the reason if it is suspect. Private to
 * experiments/. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_POINT_H
#define EXPERIMENTS_SWEEP_SWEEP_POINT_H

#include "experiments/sweep/sweep.h"

/* Takes the worker's record and completes a copy of it for the session; `index` is the point's index in the plan. What
 * is the same in the record `before` (NULL: none) is shared with it. */
void point_finish(struct point *p, struct experiment *x, int index, const json_t *record, const json_t *before);
/* Marks the point as failed, or as canceled if `why` is ST_INTERRUPTED, with a record that no worker sent. */
void point_fail(struct point *p, const struct experiment *x, int index, int job, const struct err *why);

#endif
