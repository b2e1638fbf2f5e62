/* The samples of a point: warm-up, batches, and as many samples as the noise needs. */
#ifndef GPU_WORKER_MEASURE_POINT_SAMPLES_H
#define GPU_WORKER_MEASURE_POINT_SAMPLES_H

#include "gpu/worker/measure/point_run.h"

/* Fills seconds, wall, count, launches, tries and clocks of the run. */
bool point_take_samples(struct point_run *r, struct err *e);

#endif
