/* Writes host machine code: the x86-64 instructions with AVX2 and FMA that the JIT uses.
 *
 * Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, 2.3 (VEX) and the pages of the
 * instructions. */
#ifndef SOFTGPU_CORE_JIT_X86_EMIT_H
#define SOFTGPU_CORE_JIT_X86_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 256-bit instructions with two sources, or with two sources and the destination: opcode map (1: 0F, 2: 0F38), prefix
 * (0: none, 1: 66), opcode, and whether they are commutative: a sum is not, because the
 * first of two NaNs is the result. */
/* clang-format off */
#define X86_VEX_OPS(X) \
	X(ADDPS, 1, 0, 0x58, false) X(MULPS, 1, 0, 0x59, false) X(SUBPS, 1, 0, 0x5c, false) \
	X(AND, 1, 1, 0xdb, true) X(ANDN, 1, 1, 0xdf, false) X(OR, 1, 1, 0xeb, true) X(XOR, 1, 1, 0xef, true) \
	X(ADD, 1, 1, 0xfe, true) X(SUB, 1, 1, 0xfa, false) X(MUL, 2, 1, 0x40, true) \
	X(MIN_I, 2, 1, 0x39, true) X(MIN_U, 2, 1, 0x3b, true) X(MAX_I, 2, 1, 0x3d, true) X(MAX_U, 2, 1, 0x3f, true) \
	X(SHLV, 2, 1, 0x47, false) X(SHRV, 2, 1, 0x45, false) X(SARV, 2, 1, 0x46, false) \
	X(EQUAL, 1, 1, 0x76, true) \
	X(FMA132, 2, 1, 0x98, false) X(FMA213, 2, 1, 0xa8, false) X(FMA231, 2, 1, 0xb8, false)
/* clang-format on */

enum x86_op {
#define X(name, ...) X86_##name,
	X86_VEX_OPS(X)
#undef X
};

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11 };

/* A vector operand: register ymm `number`; memory at register `number` + `offset`; or memory at `address`, within 2 GiB
 * of the code. */
struct x86_operand {
	enum x86_operand_kind { X86_OPERAND_YMM, X86_OPERAND_MEMORY, X86_OPERAND_ADDRESS } kind;
	uint8_t number;
	int32_t offset;
	const uint8_t *address;
};

/* `at` is where the next instruction goes. Nothing is written at or after `end`; at > end: the code did not fit. */
struct x86_emitter {
	uint8_t *at;
	const uint8_t *end;
};

static inline bool x86_operand_is_ymm(struct x86_operand h)
{
	return h.kind == X86_OPERAND_YMM;
}

bool x86_op_commutes(enum x86_op op);
void x86_emit_vex(struct x86_emitter *e, enum x86_op op, unsigned to, unsigned first, struct x86_operand second);
/* to = from << count, from >> count, or arithmetic >>. The values are opcode extensions. */
enum x86_emit_shift { X86_SHIFT_RIGHT = 2, X86_SHIFT_SIGNED = 4, X86_SHIFT_LEFT = 6 };
void x86_emit_shift(struct x86_emitter *e, enum x86_emit_shift way, unsigned to, unsigned from, unsigned count);
/* to = mask ? then : otherwise, by the sign bit of each lane of the mask */
void x86_emit_blend(struct x86_emitter *e, unsigned to, unsigned otherwise, struct x86_operand then, unsigned mask);
void x86_emit_load(struct x86_emitter *e, unsigned to, struct x86_operand from);
void x86_emit_store(struct x86_emitter *e, struct x86_operand to, unsigned from);
/* Stores the sign bits of the 8 lanes as a byte. Overwrites RAX. */
void x86_emit_store_signs(struct x86_emitter *e, struct x86_operand to, unsigned from);
/* Copies a dword to all lanes. */
void x86_emit_broadcast(struct x86_emitter *e, unsigned to, struct x86_operand from);

/* Instructions on general registers 0 to 7. Opcodes above 0xff are in map 0F. X86_GROUP3 and X86_SHIFT_BY_CL take an
 * opcode extension in place of the first register; X86_SET_IF and X86_MOVE_IF include a condition. */
enum x86_general {
	X86_ADD_R = 0x03,
	X86_OR_R = 0x0b,
	X86_ADC_R = 0x13,
	X86_SBB_R = 0x1b,
	X86_AND_R = 0x23,
	X86_SUB_R = 0x2b,
	X86_XOR_R = 0x33,
	X86_CMP_R = 0x3b,
	X86_TEST = 0x85,
	X86_STORE = 0x89,
	X86_LOAD = 0x8b,
	X86_SHIFT_BY_CL = 0xd3,
	X86_GROUP3 = 0xf7,
	X86_MOVE_IF = 0x140,
	X86_SET_IF = 0x190,
	X86_IMUL = 0x1af,
	X86_LOAD_BYTE = 0x1b6 /* without sign */
};
enum {
	X86_NOT_EXT = 2,
	X86_NEG_EXT = 3,
	X86_MUL_EXT = 4,
	X86_IMUL_EXT = 5,
	X86_SHL_EXT = 4,
	X86_SHR_EXT = 5,
	X86_SAR_EXT = 7
};
enum x86_condition {
	X86_IF_OVERFLOW = 0,
	X86_IF_BELOW = 2,
	X86_IF_ABOVE_EQUAL = 3,
	X86_IF_EQUAL = 4,
	X86_IF_NOT_EQUAL = 5,
	X86_IF_BELOW_EQUAL = 6,
	X86_IF_ABOVE = 7,
	X86_IF_LESS = 12,
	X86_IF_GREATER_EQUAL = 13,
	X86_IF_LESS_EQUAL = 14,
	X86_IF_GREATER = 15,
	X86_IF_NEVER = 16 /* not an x86 condition */
};
/* first = first op second; `wide`: 64 bits. */
void x86_emit_general(struct x86_emitter *e, bool wide, unsigned opcode, unsigned first, unsigned second);
/* The same with memory at register `base` + `offset` as the second operand. */
void x86_emit_general_memory(
	struct x86_emitter *e, bool wide, unsigned opcode, unsigned first, unsigned base, int32_t offset);
void x86_emit_constant(struct x86_emitter *e, unsigned to, uint64_t value);

void x86_emit_lea(struct x86_emitter *e, unsigned to, unsigned base, int32_t offset);
/* Allocates a frame of `bytes` at RSP, aligned to 32 bytes; and frees it. */
void x86_emit_prologue(struct x86_emitter *e, uint32_t bytes);
void x86_emit_epilogue(struct x86_emitter *e);
void x86_emit_return(struct x86_emitter *e);

#endif
