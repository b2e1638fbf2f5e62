/* The core clock: converts a launch's cycles to time.
 *
 * Switching circuits draw current, current lowers the supply voltage, and the clock slows down with it: its period
 * grows with the share of the GPU's vector ALUs that are busy. A busy cycle of a SIMD adds a small part to the period
 * of that cycle, so a launch's time depends only on the sum of busy cycles, not on when they occur. Waiting waves, the
 * scalar unit and the dispatcher add nothing; lanes masked by EXEC count like active ones. s_memtime, counters and
 * cycle breakdowns are in cycles and not affected. Memory has no separate clock: its latency and bandwidth are in core
 * cycles and slow down too.
 */
#ifndef SOFTGPU_CORE_TIMING_CORE_CLOCK_H
#define SOFTGPU_CORE_TIMING_CORE_CLOCK_H

#include "softgpu/core/time_types.h"

struct model;

/* The clock while no vector ALU is busy. */
uint64_t sclk_idle_khz(const struct model *m);
/* Cycles of that clock in `ns`, rounded. */
cycle_t sclk_idle_cycles(const struct model *m, ns_t ns);
/* The most busy cycles that are possible in `cycles`: every SIMD's vector ALU is always busy. */
cycle_t sclk_valu_limit(const struct model *m, cycle_t cycles);
/* Duration of `cycles` in ps, rounded. `valu_cycles`: busy cycles of the vector ALUs, summed over SIMDs. */
uint64_t sclk_cycles_to_ps(const struct model *m, cycle_t cycles, cycle_t valu_cycles);
/* The most cycles that take no longer than this, however busy the vector ALUs are. */
cycle_t sclk_cycles_within(const struct model *m, uint64_t ps);
/* The mean clock of such a launch. */
uint64_t sclk_mean_khz(const struct model *m, cycle_t cycles, cycle_t valu_cycles);

#endif
