/* One launch of a point, or several in a row, and their time. */
#ifndef GPU_WORKER_MEASURE_POINT_LAUNCH_H
#define GPU_WORKER_MEASURE_POINT_LAUNCH_H

#include "gpu/worker/measure/point_run.h"

bool point_is_canceled(struct point_run *r);
bool point_fill_buffers(struct point_run *r, struct err *e);
/* Issues `count` launches, and waits for their end. */
bool point_start_launch(struct point_run *r, unsigned count, struct err *e);
bool point_finish_launch(struct point_run *r, double *seconds, struct err *e);
/* The first launch of a captured one, with its warm-up. */
bool point_open_captured(struct point_run *r, struct err *e);
/* One sample: *seconds is the time per launch. */
bool point_run_launches(struct point_run *r, unsigned count, double *seconds, struct err *e);
/* Seconds, for limits of time. On a software GPU, what is measured must not depend on how fast it is. */
double point_work_clock(const struct point_run *r);

#endif
