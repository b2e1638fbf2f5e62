/* The record of a measured point (docs/protocol.md). */
#ifndef GPU_WORKER_MEASURE_MEASURED_RECORD_H
#define GPU_WORKER_MEASURE_MEASURED_RECORD_H

#include "gpu/worker/measure/point_run.h"

/* Call it while the last launch is still the profiled one: it ends the profiling. The caller owns the record. */
json_t *point_make_measured(const struct point_run *r);
void point_add_digest(struct point_run *r, json_t *record);

#endif
