/* Answers a job with the user's program: runs it once and reports the launches of one of its kernels. */
#ifndef GPU_WORKER_PROGRAM_POINT_H
#define GPU_WORKER_PROGRAM_POINT_H

#include "gpu/worker/measure_point.h"

json_t *measure_program_point(const struct job *j, const struct measure_callbacks *m);

#endif
