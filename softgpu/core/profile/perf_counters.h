/* Performance counters of the last launch, with rocprofiler's names. */
#ifndef SOFTGPU_CORE_PROFILE_PERF_COUNTERS_H
#define SOFTGPU_CORE_PROFILE_PERF_COUNTERS_H

#include "softgpu/core/state/machine.h"

/* Instructions issued; busy cycles of the vector ALUs, summed over SIMDs. */
struct work_totals {
	uint64_t instructions, valu_cycles;
};
struct work_totals counters_sum_work(const struct machine *m);
/* All counters, with value 0. Both functions return their number and fill up to max. */
size_t counters_list(struct gpu_counter *out, size_t max);
size_t counters_read(const struct machine *m, struct gpu_counter *out, size_t max);

#endif
