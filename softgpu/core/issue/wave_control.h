/* A SIMD issues the instructions of its waves; the launch ends when none has any left.
 *
 * What only the waves of a CU can see of each other, LDS and barriers, waits for the SIMDs of that CU alone: a CU goes
 * on with its registers and LDS in the host's caches until it meets memory that all share. */
#ifndef SOFTGPU_CORE_ISSUE_WAVE_CONTROL_H
#define SOFTGPU_CORE_ISSUE_WAVE_CONTROL_H

#include "softgpu/core/exec/machine.h"

/* At a launch; and where a repeat moves all times of a CU on (steady_state.h). */
void simd_clear(struct simd *s);
void cu_shift_time(struct cu *cu, uint64_t dt);

/* The wave arrives at a barrier at cycle t, ip behind it; the wave issues its last instruction. */
void simd_arrive_barrier(struct wave *w, uint64_t t);
void simd_end_wave(struct wave *w, uint64_t t);

/* For a machine without timing: the waves of each workgroup of the CU have turns. A turn ends at a barrier, at the
 * wave's end, or after so many branches that another wave may be what it waits for; the workgroup's turns end when none
 * came to a barrier or an end, or after so many rounds that another workgroup may be what it waits for. */
void simd_run_functional(struct cu *cu);

/* The first event of any other SIMD or of the dispatcher. */
uint64_t simd_next_other_event(const struct simd *s);

/* A new wave, youngest of its SIMD, that may issue from cycle `start` on. */
void simd_add_wave(struct simd *s, struct wave *w, uint64_t start);

/* Called by branches: the wave goes on at the branch's target, at `va`. */
void simd_take_branch(struct wave *w, const struct uop *i);
void simd_jump_to(struct wave *w, uint64_t va);

#endif
