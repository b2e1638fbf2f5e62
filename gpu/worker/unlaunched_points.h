/* Points without a launch: formulas, and kernels that are only compiled. Their records have no seconds. */
#ifndef GPU_WORKER_UNLAUNCHED_POINTS_H
#define GPU_WORKER_UNLAUNCHED_POINTS_H

#include "gpu/worker/measure_point.h"

json_t *evaluate_formula_point(const struct job *j);
/* The result is whether the compiler accepts the source. The point fails only if no compiler can run. */
json_t *evaluate_compile_point(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m);

#endif
