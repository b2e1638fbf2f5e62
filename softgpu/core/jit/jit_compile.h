/* Compiles a block of vector instructions to machine code. */
#ifndef SOFTGPU_CORE_JIT_JIT_COMPILE_H
#define SOFTGPU_CORE_JIT_JIT_COMPILE_H

#include "softgpu/core/jit/x86_emit.h"
#include "softgpu/core/jit/jit.h"

/* Constants of 8 dwords that compiled code reads. */
enum { JIT_POOL_ENTRIES = 2048 };
struct jit_pool {
	uint32_t (*entry)[8], count;
};

/* Writes the function for `count` instructions from i on; jit_match() gives the maximum. False if the pool is full. If
 * the code did not fit, e->at > e->end. */
bool jit_compile(struct x86_emitter *e, struct jit_pool *p, unsigned lanes, const struct uop *i, unsigned count);

#endif
