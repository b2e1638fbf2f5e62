/* Compiles runs of scalar instructions, for launches without timing. With timing, the issue of each instruction costs
 * the host far more than its execution, so that compiled scalar code would not pay off. */
#ifndef SOFTGPU_CORE_JIT_JIT_SCALAR_H
#define SOFTGPU_CORE_JIT_JIT_SCALAR_H

#include "softgpu/core/jit/jit.h"
#include "softgpu/core/jit/x86_emit.h"

/* The number of scalar instructions from i on that can be compiled as one block, at most JIT_BLOCK_MAX. */
unsigned jit_match_scalar(const struct executor *x, const struct uop *i);
/* Writes the function for `count` of them. If the code did not fit, e->at > e->end. */
void jit_compile_scalar(struct x86_emitter *e, const struct uop *i, unsigned count);

#endif
