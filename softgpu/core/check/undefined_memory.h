/* Which bytes of the program's allocations were never written, or hold what comes from undefined registers.
 *
 * Fresh device memory is zero here. A byte counts as never written if no kernel and no command wrote it and the 16
 * bytes around it are still zero: what the host writes directly is not seen otherwise. Memory of the host, and memory
 * that is no allocation of the program, is always defined. */
#ifndef SOFTGPU_CORE_CHECK_UNDEFINED_MEMORY_H
#define SOFTGPU_CORE_CHECK_UNDEFINED_MEMORY_H

#include "softgpu/core/check/checker.h"

/* The caller frees it with undefined_memory_close. NULL: out of memory. */
struct undefined_memory *undefined_memory_open(void);
void undefined_memory_close(struct undefined_memory *u);

/* The undefined bytes of [va, va + bytes), a bit each, the lowest address in bit 0; at most 32 bytes. */
uint32_t undefined_memory_read(struct machine *m, uint64_t va, uint32_t bytes);
/* A kernel stores there; `undefined`: a bit per byte as above. from: the store, if it is what to report; else NULL. */
struct stored_origin;
void undefined_memory_write(
	struct machine *m, uint64_t va, uint32_t bytes, uint32_t undefined, const struct stored_origin *from);
/* The host reads there: each dword with undefined bytes and a known store; they are defined from then on. The store's
 * address is that of the first undefined byte. */
struct undefined_reader {
	void (*found)(void *context, const struct stored_origin *from, uint32_t allocation);
	void *context;
};
void undefined_memory_take(struct machine *m, uint64_t va, uint64_t bytes, const struct undefined_reader *r);
/* Whether it is memory of the host, which reads what is stored there. */
bool undefined_memory_is_host(struct machine *m, uint64_t va);
/* Something else writes there: a copy, a fill. */
void undefined_memory_define(struct machine *m, uint64_t va, uint64_t bytes);

#endif
