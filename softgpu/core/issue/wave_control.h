/* The life of a wave: start, branches, barriers, end. */
#ifndef SOFTGPU_CORE_ISSUE_WAVE_CONTROL_H
#define SOFTGPU_CORE_ISSUE_WAVE_CONTROL_H

#include "softgpu/core/state/machine.h"

/* At the start of a launch. */
void simd_clear(struct simd *s);

/* The wave arrives at a barrier at cycle t, its ip after the barrier; the wave issues its last instruction. */
void simd_arrive_barrier(struct wave *w, cycle_t t);
void simd_end_wave(struct wave *w, cycle_t t);
/* Removes a wave in the middle, between runs. Its workgroup is of no use any more. */
void simd_drop_wave(struct wave *w);

/* Functional execution, without timing: runs the waves of each workgroup of the CU in rotation. A wave runs to a
 * barrier, to its end, or for so many branches that it may be waiting for another wave. A workgroup runs until no wave
 * reaches a barrier or its end, or for so many rounds that it may be waiting for another workgroup. In a window, a wave
 * that waits for a deferred access waits for the window's end. */
enum { FUNCTIONAL_SLICE_CYCLES = 65536 /* advance of the clock, so that time passes */ };
void simd_run_functional(struct cu *cu);

/* Adds a wave, the youngest of its SIMD, that may issue from cycle `start` on. */
void simd_add_wave(struct simd *s, struct wave *w, cycle_t start);

/* Called by branch instructions: continue at the branch's target; at address `va`. */
void simd_take_branch(struct wave *w, const struct uop *i);
void simd_jump_to(struct wave *w, uint64_t va);

#endif
