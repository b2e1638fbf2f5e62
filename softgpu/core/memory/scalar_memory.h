/* Scalar accesses: the scalar cache that CUs share, its loads, stores and atomics, and the clocks that are read through
 * it. Each enters its completion into the wave's counter of accesses in flight (l1.h). */
#ifndef SOFTGPU_CORE_MEMORY_SCALAR_MEMORY_H
#define SOFTGPU_CORE_MEMORY_SCALAR_MEMORY_H

#include "softgpu/core/exec/machine.h"

void scalar_load(struct wave *w, const struct uop *i, unsigned dwords, bool buffer);
void scalar_store(struct wave *w, const struct uop *i, unsigned dwords, bool buffer);
/* The cell of an atomic, timed; NULL outside a buffer (what is returned is then 0) and when it stopped the kernel. */
uint8_t *scalar_atomic(struct wave *w, const struct uop *i, unsigned bytes, bool buffer);
void scalar_read_clock(struct wave *w, const struct uop *i, bool real);
void scalar_invalidate(struct wave *w);
void scalar_flush(struct wave *w);

#endif
