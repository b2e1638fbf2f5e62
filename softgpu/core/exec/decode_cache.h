/* The code cache: instructions decoded once, by address, with operands, function and cost resolved. */
#ifndef SOFTGPU_CORE_EXEC_DECODE_CACHE_H
#define SOFTGPU_CORE_EXEC_DECODE_CACHE_H

#include "softgpu/core/exec/machine.h"

struct decode_cache *decode_cache_open(void);
void decode_cache_close(struct decode_cache *c);

/* At a launch: forgets what no longer is in memory, and the counts. False when memory ran out. */
void decode_cache_begin_launch(struct machine *m);

/* The instruction at `va`. What cannot be fetched or decoded is an instruction that stops the launch. */
struct uop *decode_cache_lookup(struct machine *m, uint64_t va);

/* The 64 bytes of code at `va`, or all code, have left the instruction cache of that bit: they lose it in `held`. */
void decode_cache_drop_line(struct machine *m, uint64_t va, uint64_t bit);
void decode_cache_drop_all(struct machine *m, uint64_t bit);

/* The instruction with its VGPRs moved by M0, while S_SET_GPR_IDX is on. Valid until the next call. */
const struct uop *uop_apply_gpr_index(struct wave *w, const struct uop *i);

/* Every instruction issued in the launch, with its count. */
void decode_cache_visit(const struct machine *m, void (*visit)(const struct uop *i, void *data), void *data);

#endif
