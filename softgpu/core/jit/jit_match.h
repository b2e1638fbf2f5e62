/* jit_ops.def: which vector instructions can be machine code, what each is in steps of the host's, and what it reads
 * and writes. Private to the compiler of streaks. */
#ifndef SOFTGPU_CORE_JIT_JIT_MATCH_H
#define SOFTGPU_CORE_JIT_JIT_MATCH_H

#include "softgpu/core/jit/x86_emit.h"
#include "softgpu/core/jit/jit.h"

enum {
	VGPR_BYTES = 4 * LANES,
	JIT_NONE = -1,
	JIT_STEPS_MAX = 8,
	JIT_SGPRS_MAX = 24 /* read by one streak: they are spread on the stack */,
	JIT_MASKS_MAX = 4 /* written by one: so are they */,
	JIT_OPS_MAX = 2 /* of one instruction */
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

/* What makes one VGPR: an instruction, or the half of one. */
struct jit_op {
	const struct uop *i;
	const struct jit_step *steps; /* JIT_STEPS_MAX at most; behind a last one before there is JIT_NO_STEP */
	int dst;
	int high; /* the VGPR of B's upper half; JIT_NONE where nothing reads it */
};

/* The ops of an instruction, in the order in which they may write. */
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

/* JIT_NONE where it is no VGPR. */
static inline int source_vgpr(const struct uop *i, unsigned k)
{
	return source_is_vgpr(i, k) ? (int)(i->src[k] / VGPR_BYTES) : JIT_NONE;
}

bool jit_op_reads(const struct jit_op *o, int vgpr);

/* SGPRs of a streak: those that it reads, one instruction's beyond JIT_SGPRS_MAX; or the first ones of the masks that
 * it writes. */
struct jit_sgprs {
	uint8_t number[JIT_SGPRS_MAX + 3];
	unsigned count;
};

/* count for one that is not there. */
unsigned jit_sgpr_index(const struct jit_sgprs *s, unsigned number);
void jit_add_sgprs(struct jit_sgprs *s, const struct uop *i);
/* Adds the mask that the instruction writes, if it does. */
void jit_add_mask(struct jit_sgprs *s, const struct uop *i);

/* How many instructions from i on can be one function, at most JIT_BLOCK_MAX; *fp: their class. */
unsigned jit_match(const struct machine *m, const struct uop *i, uint8_t *fp);

#endif
