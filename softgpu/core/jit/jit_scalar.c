/* Each instruction loads its operands from the wave's SGPRs into RAX and RCX and stores its result. SCC is stored only
 * where an instruction after it may read it. */
#include "softgpu/core/jit/jit_scalar.h"

#include <stddef.h>

#include "softgpu/isa/gfx9/opcode_table.h"

enum jit_scalar_shape {
	NO_SHAPE,
	MOVE,          /* D = A */
	INVERT_A,      /* D = ~A */
	BINARY,        /* D = A op B */
	BINARY_D,      /* D = D op A */
	MULTIPLY,      /* D = A * B */
	MULTIPLY_D,    /* D = D * A */
	WITH_CARRY,    /* D = A op B, with SCC as carry */
	INVERT_B,      /* D = A op ~B */
	INVERT_RESULT, /* D = ~(A op B) */
	SHIFT,         /* D = A shifted by B */
	MULTIPLY_HIGH, /* D = upper half of A * B */
	SELECT,        /* D = SCC ? A : B */
	CHOOSE_A,      /* D = A compares with B ? A : B */
	COMPARE        /* only SCC */
};

struct scalar_op {
	uint8_t shape, opcode, scc;
};

static const struct scalar_op ops[OP_COUNT] = {
#define JIT_SCALAR(name, ...) [OP_##name] = {__VA_ARGS__},
#include "softgpu/core/jit/jit_scalar_ops.def"
#undef JIT_SCALAR
};

/* --- what can be compiled --- */
/* An instruction that reads SCC, VCCZ or EXECZ as an operand has another function. */
static bool is_scalar_supported(const struct executor *x, const struct uop *i)
{
	return i->kind == UOP_PLAIN && i->unit == UNIT_SALU && ops[i->d.op].shape && i->fn == x->ops[i->d.op];
}

unsigned jit_match_scalar(const struct executor *x, const struct uop *i)
{
	unsigned n = 0;

	for (; n < JIT_BLOCK_MAX && is_scalar_supported(x, i); i += i->words)
		n++;
	return n;
}

/* --- operands --- */
static bool is_wide(const struct uop *i, unsigned k)
{
	return isa_type_dwords(isa_info(i->d.op)->src[k]) > 1;
}

static uint64_t scalar_constant(const struct uop *i, unsigned k)
{
	const struct isa_info *row = isa_info(i->d.op);

	if (row->src[k] == T_SIMM16) /* the unsigned comparisons do not extend its sign */
		return k && row->src[0] == T_U32 ? (uint16_t)i->d.imm : (uint32_t)i->d.imm;
	return is_wide(i, k) ? *(const uint64_t *)i->src[k] : *(const uint32_t *)i->src[k];
}

static void load_scalar(struct x86_emitter *e, const struct uop *i, unsigned k, unsigned to)
{
	if (isa_info(i->d.op)->src[k] != T_SIMM16 && i->rel[k])
		x86_emit_general_memory(e, is_wide(i, k), X86_LOAD, to, RSI, (int32_t)i->src[k]);
	else
		x86_emit_constant(e, to, scalar_constant(i, k));
}

static void store_scalar(struct x86_emitter *e, const struct uop *i, unsigned from)
{
	x86_emit_general_memory(e, isa_type_dwords(isa_info(i->d.op)->dst) > 1, X86_STORE, from, RSI, (int32_t)i->dst);
}

/* --- SCC --- */
static int32_t scc_offset(void)
{
	return (int32_t)offsetof(struct wave, scc) - (int32_t)offsetof(struct wave, s);
}

/* Whether the value that the instruction writes to SCC may be read: by the rest of the block, or after it. */
static bool is_scc_read(const struct uop *i, unsigned left)
{
	while (--left) {
		i += i->words;
		if (isa_info(i->d.op)->traits & READS_SCC)
			return true;
		if (isa_info(i->d.op)->traits & WRITES_SCC)
			return false;
	}
	return true;
}

static void load_scc(struct x86_emitter *e, unsigned to)
{
	x86_emit_general_memory(e, false, X86_LOAD_BYTE, to, RSI, scc_offset());
}

/* --- instructions --- */
/* Computes the result into the register that it returns, and sets the flags that SCC is made from. */
static unsigned emit_scalar_result(struct x86_emitter *e, const struct scalar_op *o, bool wide)
{
	switch (o->shape) {
	case INVERT_A: x86_emit_general(e, wide, X86_GROUP3, X86_NOT_EXT, RAX); break;
	case WITH_CARRY:
		load_scc(e, RDX);
		x86_emit_general(e, false, X86_GROUP3, X86_NEG_EXT, RDX); /* sets the carry flag unless it is 0 */
		x86_emit_general(e, wide, o->opcode, RAX, RCX);
		return RAX;
	case BINARY:
	case BINARY_D: x86_emit_general(e, wide, o->opcode, RAX, RCX); return RAX;
	case MULTIPLY:
	case MULTIPLY_D: x86_emit_general(e, false, X86_IMUL, RAX, RCX); return RAX;
	case INVERT_B:
		x86_emit_general(e, wide, X86_GROUP3, X86_NOT_EXT, RCX);
		x86_emit_general(e, wide, o->opcode, RAX, RCX);
		return RAX;
	case INVERT_RESULT:
		x86_emit_general(e, wide, o->opcode, RAX, RCX);
		x86_emit_general(e, wide, X86_GROUP3, X86_NOT_EXT, RAX);
		break;
	case SHIFT: x86_emit_general(e, wide, X86_SHIFT_BY_CL, o->opcode, RAX); break;
	case MULTIPLY_HIGH: x86_emit_general(e, false, X86_GROUP3, o->opcode, RCX); return RDX;
	case SELECT:
		load_scc(e, RDX);
		x86_emit_general(e, false, X86_TEST, RDX, RDX);
		x86_emit_general(e, wide, X86_MOVE_IF | X86_IF_NOT_EQUAL, RCX, RAX);
		return RCX;
	case CHOOSE_A:
		x86_emit_general(e, wide, X86_CMP_R, RAX, RCX);
		x86_emit_general(e, wide, X86_MOVE_IF | o->scc, RCX, RAX);
		return RCX;
	case COMPARE: x86_emit_general(e, wide, X86_CMP_R, RAX, RCX); return RAX;
	}
	if (o->scc != X86_IF_NEVER)
		x86_emit_general(e, wide, X86_TEST, RAX, RAX);
	return RAX;
}

static void compile_scalar(struct x86_emitter *e, const struct uop *i, bool scc_read)
{
	const struct scalar_op *o = &ops[i->d.op];
	const bool reads_d = o->shape == BINARY_D || o->shape == MULTIPLY_D;
	unsigned result;

	if (reads_d)
		x86_emit_general_memory(e, false, X86_LOAD, RAX, RSI, (int32_t)i->dst);
	load_scalar(e, i, 0, reads_d ? RCX : RAX);
	if (isa_info(i->d.op)->src[1] != T__)
		load_scalar(e, i, 1, RCX);
	result = emit_scalar_result(e, o, is_wide(i, 0));
	if (o->scc != X86_IF_NEVER && scc_read)
		x86_emit_general_memory(e, false, X86_SET_IF | o->scc, 0, RSI, scc_offset());
	if (o->shape != COMPARE)
		store_scalar(e, i, result);
}

void jit_compile_scalar(struct x86_emitter *e, const struct uop *i, unsigned count)
{
	for (; count; count--, i += i->words)
		compile_scalar(e, i, is_scc_read(i, count));
	x86_emit_return(e);
}
