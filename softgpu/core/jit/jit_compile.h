/* From vector instructions to machine code. */
#ifndef SOFTGPU_CORE_JIT_JIT_COMPILE_H
#define SOFTGPU_CORE_JIT_JIT_COMPILE_H

#include "softgpu/core/jit/x86_emit.h"
#include "softgpu/core/jit/jit.h"

/* Eight dwords each that code refers to. */
enum { JIT_POOL_ENTRIES = 2048 };
struct jit_pool {
	uint32_t (*entry)[8], count;
};

/* Writes the function of as many instructions from i on, jit_match of them at most; false when the pool is full.
 * That the room was too small says e. */
bool jit_compile(struct x86_emitter *e, struct jit_pool *p, const struct uop *i, unsigned count);

#endif
