/* Skips repetitions within a launch. A kernel without branches, memory and LDS accesses has no effect except its time,
 * which depends only on the state of the CUs and the dispatcher. If that state, with times relative to now, equals an
 * earlier state, the launch is periodic. Whole periods are then skipped by advancing clocks, counts and workgroup
 * numbers. The reported cycles and counters are those of the whole launch. */
#ifndef SOFTGPU_CORE_FAST_STEADY_STATE_H
#define SOFTGPU_CORE_FAST_STEADY_STATE_H

#include "softgpu/core/state/machine.h"

/* Call before a launch begins. Allocates n->repeat if the launch may repeat; otherwise leaves it NULL. */
void repeat_begin(struct launch *n);
void repeat_end(struct launch *n);
/* Call before the dispatcher starts a workgroup at cycle t. Returns the cycle at which to start it: later than t if
 * periods were skipped. */
uint64_t repeat_skip_periods(struct launch *n, uint64_t t);

#endif
