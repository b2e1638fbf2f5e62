/* The code cache: instructions decoded once, by address, with operands, function and cost resolved. */
#ifndef SOFTGPU_CORE_CODE_H
#define SOFTGPU_CORE_CODE_H

#include "softgpu/core/machine.h"

struct code *code_open(void);
void code_close(struct code *c);

/* At a launch: forgets what no longer is in memory, and the counts. False when memory ran out. */
void code_begin(struct machine *m);

/* The instruction at `va`. What cannot be fetched or decoded is an instruction that stops the launch. */
struct inst *code_at(struct machine *m, uint64_t va);

/* The 64 bytes of code at `va`, or all code, have left the instruction cache of that bit: they lose it in `held`. */
void code_line_gone(struct machine *m, uint64_t va, uint64_t bit);
void code_all_gone(struct machine *m, uint64_t bit);

/* The instruction with its VGPRs moved by M0, while S_SET_GPR_IDX is on. Valid until the next call. */
const struct inst *code_indexed(struct wave *w, const struct inst *i);

/* Every instruction issued in the launch, with its count. */
void code_visit(const struct machine *m, void (*visit)(const struct inst *i, void *data), void *data);

#endif
