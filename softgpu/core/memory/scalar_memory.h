/* Scalar memory instructions: loads, stores and atomics through the scalar cache that CUs share, and clock reads. Each
 * pushes its completion to lgkmcnt (waitcnt.h). */
#ifndef SOFTGPU_CORE_MEMORY_SCALAR_MEMORY_H
#define SOFTGPU_CORE_MEMORY_SCALAR_MEMORY_H

#include "softgpu/core/state/machine.h"

void scalar_load(struct wave *w, const struct uop *i, unsigned dwords, bool buffer);
void scalar_store(struct wave *w, const struct uop *i, unsigned dwords, bool buffer);
/* Schedules an atomic and returns the host address of its cell, and its data. NULL outside a buffer (the result is then
 * 0), after a fault, and when it is deferred (memory/window/deferred_access.h). */
uint8_t *scalar_atomic(struct wave *w, const struct uop *i, unsigned bytes, bool buffer, const uint32_t **data);
/* gfx11: the answer to message `number` of s_sendmsg_rtn; it arrives like a scalar load. */
uint64_t scalar_message_reply(struct wave *w, uint32_t number);
/* s_memtime; `real`: s_memrealtime. */
void scalar_read_clock(struct wave *w, const struct uop *i, bool real);
void scalar_invalidate(struct wave *w);
void scalar_flush(struct wave *w);

#endif
