/* The core clock: from a launch's cycles to time.
 *
 * What switches draws current, current pulls the supply down, and the clock yields to that: its period grows with the
 * share of the chip's vector ALUs that work. Each cycle of work of one SIMD adds its own small part to the period of
 * that cycle, so a launch's time follows from the sum of that work, whenever in the launch it was done. Waves that
 * wait, the scalar unit and the dispatcher add nothing; lanes that EXEC masks count like others. Cycles are cycles all
 * the same: s_memtime, counters and accounts know nothing of it. Memory has no clock of its own here: its latency and
 * its bandwidth are in core cycles, and yield along.
 */
#ifndef SOFTGPU_CORE_TIMING_CORE_CLOCK_H
#define SOFTGPU_CORE_TIMING_CORE_CLOCK_H

#include <stdint.h>

struct model;

/* The clock while no vector ALU works. */
uint64_t sclk_idle_khz(const struct model *m);
/* Cycles of it in `ns`, to the nearest. */
uint64_t sclk_idle_cycles(const struct model *m, uint64_t ns);
/* The most work that `cycles` hold: all SIMDs' vector ALUs, busy all the time. */
uint64_t sclk_valu_limit(const struct model *m, uint64_t cycles);
/* How long `cycles` take in which vector ALUs worked for `valu_cycles`, summed over SIMDs; ps, to the nearest. */
uint64_t sclk_cycles_to_ps(const struct model *m, uint64_t cycles, uint64_t valu_cycles);
/* The mean clock over them. */
uint64_t sclk_mean_khz(const struct model *m, uint64_t cycles, uint64_t valu_cycles);

#endif
