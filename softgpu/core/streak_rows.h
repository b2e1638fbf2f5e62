/* streak.def: which vector instructions can be machine code, what each is in steps of the host's, and what it reads and
 * writes. Private to the compiler of streaks. */
#ifndef SOFTGPU_CORE_STREAK_ROWS_H
#define SOFTGPU_CORE_STREAK_ROWS_H

#include "softgpu/core/emit.h"
#include "softgpu/core/streak.h"

enum {
	VGPR_BYTES = 4 * LANES,
	NONE = -1,
	MOST_STEPS = 8,
	MOST_SGPRS = 24 /* read by one streak: they are spread on the stack */,
	MOST_MASKS = 4 /* written by one: so are they */,
	MOST_OPS = 2 /* of one instruction */
};

enum from { NOTHING, A, B, C, D, HIGH, T, U, V, LOW24, ONES, SIGN, REST, CARRY, OUT, FROM_COUNT };

enum what {
	NO_STEP,
#define X(name, ...) name,
	EMIT_VEX(X)
#undef X
		FMA,
	COPY,
	SHL,
	SHR,
	SAR,
	CHOOSE
};

struct step {
	uint8_t to, what, from[3];
};

/* What makes one VGPR: an instruction, or the half of one. */
struct streak_op {
	const struct inst *i;
	const struct step *steps; /* MOST_STEPS at most; behind a last one before there is NO_STEP */
	int dst;
	int high; /* the VGPR of B's upper half; NONE where nothing reads it */
};

/* The ops of an instruction, in the order in which they may write. */
unsigned streak_ops(const struct inst *i, struct streak_op ops[MOST_OPS]);

static inline enum emit_op step_op(enum what what)
{
	return (enum emit_op)(what - 1);
}

static inline bool is_vgpr(const struct inst *i, unsigned k)
{
	return k < i->sources && i->rel[k];
}

static inline bool is_sgpr(const struct inst *i, unsigned k)
{
	return k < i->sources && i->broadcast >> k & 1;
}

/* NONE where it is no VGPR. */
static inline int source_vgpr(const struct inst *i, unsigned k)
{
	return is_vgpr(i, k) ? (int)(i->src[k] / VGPR_BYTES) : NONE;
}

bool streak_reads(const struct streak_op *o, int vgpr);

/* SGPRs of a streak: those that it reads, one instruction's beyond MOST_SGPRS; or the first ones of the masks that it
 * writes. */
struct streak_sgprs {
	uint8_t number[MOST_SGPRS + 3];
	unsigned count;
};

/* count for one that is not there. */
unsigned streak_sgpr_place(const struct streak_sgprs *s, unsigned number);
void streak_add_sgprs(struct streak_sgprs *s, const struct inst *i);
/* Adds the mask that the instruction writes, if it does. */
void streak_add_mask(struct streak_sgprs *s, const struct inst *i);

/* How many instructions from i on can be one function, at most MOST_STREAK; *fp: their class. */
unsigned streak_length(const struct machine *m, const struct inst *i, uint8_t *fp);

#endif
