/* Launches that do the same thing over and over: a kernel that ends without a branch and without touching memory or LDS
 * has no effect but its time, and that depends on nothing but the state of the CUs and of the dispatcher. When that
 * state, times taken relative to now, is exactly what it was some workgroups ago, what follows is a repetition, and
 * whole periods of it are passed over: clocks, counts and workgroup numbers are moved on. Cycles and counters are those
 * of the whole launch. */
#ifndef SOFTGPU_CORE_FAST_STEADY_STATE_H
#define SOFTGPU_CORE_FAST_STEADY_STATE_H

#include "softgpu/core/exec/machine.h"

/* For the launch that is about to begin: makes m->launch.repeat where it may repeat itself, otherwise leaves it NULL.
 */
void repeat_begin(struct machine *m);
void repeat_end(struct machine *m);
/* Called before the dispatcher starts a workgroup at cycle t; returns the cycle when it does, later when periods were
 * passed over. */
uint64_t repeat_skip_periods(struct machine *m, uint64_t t);

#endif
