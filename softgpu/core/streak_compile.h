/* From vector instructions to machine code. */
#ifndef SOFTGPU_CORE_STREAK_COMPILE_H
#define SOFTGPU_CORE_STREAK_COMPILE_H

#include "softgpu/core/emit.h"
#include "softgpu/core/streak.h"

/* Eight dwords each that code refers to. */
enum { POOL_ENTRIES = 2048 };
struct pool {
	uint32_t (*entry)[8], count;
};

/* Writes the function of as many instructions from i on, streak_length of them at most; false when the pool is full.
 * That the room was too small says e. */
bool streak_compile(struct emit *e, struct pool *p, const struct inst *i, unsigned count);

#endif
