/* The self-test of a device, worker side: runs one check. */
#ifndef GPU_WORKER_SELFTEST_RUN_H
#define GPU_WORKER_SELFTEST_RUN_H

#include "gpu/worker/measure_point.h"

bool selftest_is_requested(const json_t *job);
/* The point record; the caller owns it. *lost is set when the device is unusable in this process from now on. */
json_t *selftest_run(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost);

#endif
