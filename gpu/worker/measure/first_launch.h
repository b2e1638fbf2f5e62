/* The first launch of a point, on fresh buffers, whose results are compared with a reference. */
#ifndef GPU_WORKER_MEASURE_FIRST_LAUNCH_H
#define GPU_WORKER_MEASURE_FIRST_LAUNCH_H

#include "gpu/worker/measure/point_run.h"

bool point_verify_first_launch(struct point_run *r, struct err *e);

#endif
