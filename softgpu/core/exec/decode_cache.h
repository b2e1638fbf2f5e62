/* The decode cache: instructions decoded once, by address, with resolved operands, function and cost. */
#ifndef SOFTGPU_CORE_EXEC_DECODE_CACHE_H
#define SOFTGPU_CORE_EXEC_DECODE_CACHE_H

#include "softgpu/core/state/machine.h"

struct decode_cache *decode_cache_open(void);
void decode_cache_close(struct decode_cache *c);

/* Call when a launch begins, before it is resident, with the owner. Drops code that has changed in memory, for the
 * threads of all views. If no other launch is resident, clears the owner's counts. */
void decode_caches_begin_launch(struct machine *m);
void decode_cache_clear_counts(struct machine *view);

/* The instruction at `va`. If it cannot be fetched or decoded, an instruction that stops the launch. */
struct uop *decode_cache_lookup(struct executor *x, uint64_t va);
/* What `i`, of another thread's cache, is in this one: an instruction, or the way to the next page. */
const struct uop *decode_cache_find_same(struct executor *x, const struct executor *from, const struct uop *i);

/* The 64 bytes of code at `va`, or all code, were evicted from the instruction cache of this bit. */
void decode_cache_drop_line(struct machine *m, uint64_t va, uint64_t bit);
void decode_cache_drop_all(struct machine *m, uint64_t bit);
/* In no cache, for the threads of all views. */
void decode_caches_drop_all(struct machine *m);

/* A copy of the instruction with its VGPRs indexed by M0, for use while S_SET_GPR_IDX is on. Valid until the next call.
 */
const struct uop *uop_apply_gpr_index(struct wave *w, const struct uop *i);

/* Calls visit() for every instruction issued since the first of the resident launches began; uop.hits is its count. */
void decode_cache_visit(const struct machine *m, void (*visit)(const struct uop *i, void *data), void *data);

#endif
