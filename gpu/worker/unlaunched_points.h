/* Points that launch nothing: a formula's, and a kernel's that is only compiled. Their records have no seconds. */
#ifndef GPU_WORKER_UNLAUNCHED_POINTS_H
#define GPU_WORKER_UNLAUNCHED_POINTS_H

#include "gpu/worker/measure_point.h"

json_t *evaluate_formula_point(const struct job *j);
/* The compiler's verdict is the result; only what keeps it from being asked is a failure. */
json_t *evaluate_compile_point(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m);

#endif
