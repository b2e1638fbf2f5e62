/* Scalar memory instructions: loads, stores and atomics through the scalar cache that CUs share, and clock reads. Each
 * pushes its completion to lgkmcnt (waitcnt.h). */
#ifndef SOFTGPU_CORE_MEMORY_SCALAR_MEMORY_H
#define SOFTGPU_CORE_MEMORY_SCALAR_MEMORY_H

#include "softgpu/core/exec/machine.h"

void scalar_load(struct wave *w, const struct uop *i, unsigned dwords, bool buffer);
void scalar_store(struct wave *w, const struct uop *i, unsigned dwords, bool buffer);
/* Schedules an atomic and returns the host address of its operand. NULL outside a buffer (the result is then 0), and
 * after a fault. */
uint8_t *scalar_atomic(struct wave *w, const struct uop *i, unsigned bytes, bool buffer);
/* s_memtime; `real`: s_memrealtime. */
void scalar_read_clock(struct wave *w, const struct uop *i, bool real);
void scalar_invalidate(struct wave *w);
void scalar_flush(struct wave *w);

#endif
