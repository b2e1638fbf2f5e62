/* A SIMD issues the instructions of its waves; the launch ends when none has any left. */
#ifndef SOFTGPU_CORE_SIMD_H
#define SOFTGPU_CORE_SIMD_H

#include "softgpu/core/machine.h"

/* Runs the SIMD, whose event is the first, until its next instruction that others may see lies behind `limit`, which is the
 * time of the next event; sets the SIMD's next event. */
void simd_run(struct simd *s, uint64_t limit);
/* The same with every issue and wait reported (inside.h). */
void simd_run_seen(struct simd *s, uint64_t limit);

/* A new wave, youngest of its SIMD, that may issue from cycle `start` on. */
void simd_add(struct simd *s, struct wave *w, uint64_t start);

/* Called by branches: the wave goes on at the branch's target, at `va`. */
void simd_branch(struct wave *w, const struct inst *i);
void simd_jump(struct wave *w, uint64_t va);

#endif
