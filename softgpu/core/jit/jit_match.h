/* The instructions that the JIT supports (jit_ops.def), the host operations of each, and the registers it reads and
 * writes. Private to the JIT. */
#ifndef SOFTGPU_CORE_JIT_JIT_MATCH_H
#define SOFTGPU_CORE_JIT_JIT_MATCH_H

#include "softgpu/core/jit/x86_emit.h"
#include "softgpu/core/jit/jit.h"

enum {
	JIT_NONE = -1,
	JIT_STEPS_MAX = 8,
	JIT_SGPRS_MAX = 24 /* read by one block; they are broadcast on the stack */,
	JIT_MASKS_MAX = 4 /* written by one block; also on the stack */,
	JIT_OPS_MAX = 2 /* per instruction */
};

enum jit_source { NOTHING, A, B, C, D, HIGH, T, U, V, LOW24, ONES, SIGN, REST, CARRY, OUT, JIT_SOURCE_COUNT };

enum jit_action {
	JIT_NO_STEP,
#define X(name, ...) name,
	X86_VEX_OPS(X)
#undef X
		FMA,
	COPY,
	SHL,
	SHR,
	SAR,
	CHOOSE
};

struct jit_step {
	uint8_t to, what, from[3];
};

/* Computes one VGPR: an instruction, or one half of a 64-bit instruction. */
struct jit_op {
	const struct uop *i;
	const struct jit_step *steps; /* at most JIT_STEPS_MAX; JIT_NO_STEP ends a shorter list */
	int dst;
	int high; /* VGPR of the upper half of B; JIT_NONE: not read */
};

/* Splits an instruction into ops, in the order in which they must write. Returns their number. */
unsigned jit_split_ops(const struct uop *i, struct jit_op ops[JIT_OPS_MAX]);

static inline enum x86_op jit_action_x86_op(enum jit_action what)
{
	return (enum x86_op)(what - 1);
}

static inline bool source_is_vgpr(const struct uop *i, unsigned k)
{
	return k < i->sources && i->rel[k];
}

static inline bool source_is_sgpr(const struct uop *i, unsigned k)
{
	return k < i->sources && i->broadcast >> k & 1;
}

/* JIT_NONE: not a VGPR. */
static inline int source_vgpr(const struct uop *i, unsigned k)
{
	return source_is_vgpr(i, k) ? i->d.src[k] - ISA_VGPR0 : JIT_NONE;
}

bool jit_op_reads(const struct jit_op *o, int vgpr);

/* A set of SGPRs: those that a block reads (with room for one more instruction of two operations), or the first of each
 * mask it writes.
 */
struct jit_sgprs {
	uint8_t number[JIT_SGPRS_MAX + 6];
	unsigned count;
};

/* The index of an SGPR in the set; s->count: not found. */
unsigned jit_sgpr_index(const struct jit_sgprs *s, unsigned number);
void jit_add_sgprs(struct jit_sgprs *s, const struct uop *i);
/* Adds the mask that the instruction writes, if any. */
void jit_add_mask(struct jit_sgprs *s, const struct uop *i);

/* The number of instructions from i on that can be compiled as one block, at most JIT_BLOCK_MAX. *fp: their fp_class.
 */
unsigned jit_match(const struct executor *x, const struct uop *i, uint8_t *fp);

#endif
