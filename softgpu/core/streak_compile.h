/* From vector instructions to machine code: which there is some for, and what it is. */
#ifndef SOFTGPU_CORE_STREAK_COMPILE_H
#define SOFTGPU_CORE_STREAK_COMPILE_H

#include "softgpu/core/emit.h"
#include "softgpu/core/streak.h"

/* Eight dwords each that code refers to. */
enum { POOL_ENTRIES = 2048 };
struct pool { uint32_t entry[POOL_ENTRIES][8], count; };

/* How many instructions from i on can be one function, at most MOST_STREAK; *fp: their class. */
unsigned streak_length(const struct machine *m, const struct inst *i, uint8_t *fp);
/* Writes that function; false when the pool is full, e when the room is. */
bool streak_compile(struct emit *e, struct pool *p, const struct inst *i, unsigned count);

#endif
