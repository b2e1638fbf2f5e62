/* Encodes x86-64 instructions with the VEX prefix, and some on general registers. */
#include "softgpu/core/jit/x86_emit.h"

#include <string.h>

enum { MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3, NO_PREFIX = 0, PREFIX_66 = 1 };

struct encoding {
	uint8_t map, prefix, opcode;
	bool commutes;
};

static const struct encoding encodings[] = {
#define X(name, ...) [X86_##name] = {__VA_ARGS__},
	X86_VEX_OPS(X)
#undef X
};

bool x86_op_commutes(enum x86_op op)
{
	return encodings[op].commutes;
}

/* --- bytes --- */
static void emit_byte(struct x86_emitter *e, unsigned b)
{
	if (e->at < e->end)
		*e->at = b;
	e->at++;
}

static void emit_dword(struct x86_emitter *e, int32_t v)
{
	for (unsigned k = 0; k < 4; k++)
		emit_byte(e, (uint32_t)v >> 8 * k & 255);
}

static void emit_bytes(struct x86_emitter *e, const char *b, size_t n)
{
	while (n--)
		emit_byte(e, (uint8_t)*b++);
}

/* --- operands --- */
static bool is_high(unsigned reg)
{
	return reg & 8;
}

/* Writes ModRM, SIB and displacement. */
static void emit_modrm(struct x86_emitter *e, unsigned reg, struct x86_operand h)
{
	reg = (reg & 7) << 3;
	if (h.kind == X86_OPERAND_YMM) {
		emit_byte(e, 0xc0 | reg | (h.number & 7));
		return;
	}
	if (h.kind == X86_OPERAND_ADDRESS) { /* relative to the next instruction; no immediate may follow */
		emit_byte(e, reg | 5);
		emit_dword(e, h.address - (e->at + 4));
		return;
	}
	bool near = h.offset >= INT8_MIN && h.offset <= INT8_MAX;
	emit_byte(e, (near ? 0x40 : 0x80) | reg | (h.number & 7));
	if ((h.number & 7) == RSP)
		emit_byte(e, 0x24);
	if (near)
		emit_byte(e, h.offset & 255);
	else
		emit_dword(e, h.offset);
}

static void emit_vex_bytes(struct x86_emitter *e, struct encoding k, unsigned reg, unsigned first, struct x86_operand h)
{
	bool far_base = h.kind != X86_OPERAND_ADDRESS && is_high(h.number);
	unsigned rest = (~first & 15) << 3 | 4 /* 256 bits */ | k.prefix, not_high = is_high(reg) ? 0 : 0x80;

	if (k.map == MAP_0F && !far_base) {
		emit_byte(e, 0xc5);
		emit_byte(e, not_high | rest);
	} else {
		emit_byte(e, 0xc4);
		emit_byte(e, not_high | 0x40 | (far_base ? 0 : 0x20) | k.map);
		emit_byte(e, rest);
	}
	emit_byte(e, k.opcode);
	emit_modrm(e, reg, h);
}

/* --- vectors --- */
void x86_emit_vex(struct x86_emitter *e, enum x86_op op, unsigned to, unsigned first, struct x86_operand second)
{
	emit_vex_bytes(e, encodings[op], to, first, second);
}

void x86_emit_shift(struct x86_emitter *e, enum x86_emit_shift way, unsigned to, unsigned from, unsigned count)
{
	emit_vex_bytes(e, (struct encoding){MAP_0F, PREFIX_66, 0x72, false}, way, to,
		(struct x86_operand){.kind = X86_OPERAND_YMM, .number = from});
	emit_byte(e, count);
}

void x86_emit_blend(struct x86_emitter *e, unsigned to, unsigned otherwise, struct x86_operand then, unsigned mask)
{
	emit_vex_bytes(e, (struct encoding){MAP_0F3A, PREFIX_66, 0x4a, false}, to, otherwise, then);
	emit_byte(e, mask << 4);
}

void x86_emit_load(struct x86_emitter *e, unsigned to, struct x86_operand from)
{
	emit_vex_bytes(
		e, (struct encoding){MAP_0F, NO_PREFIX, x86_operand_is_ymm(from) ? 0x28 : 0x10, false}, to, 0, from);
}

void x86_emit_store(struct x86_emitter *e, struct x86_operand to, unsigned from)
{
	emit_vex_bytes(e, (struct encoding){MAP_0F, NO_PREFIX, 0x11, false}, from, 0, to);
}

void x86_emit_store_signs(struct x86_emitter *e, struct x86_operand to, unsigned from)
{
	emit_vex_bytes(e, (struct encoding){MAP_0F, NO_PREFIX, 0x50, false}, RAX, 0,
		(struct x86_operand){.kind = X86_OPERAND_YMM, .number = from});
	emit_byte(e, 0x88); /* mov byte, al; the base register needs no REX prefix */
	emit_modrm(e, RAX, to);
}

void x86_emit_broadcast(struct x86_emitter *e, unsigned to, struct x86_operand from)
{
	emit_vex_bytes(e, (struct encoding){MAP_0F38, PREFIX_66, 0x18, false}, to, 0, from);
}

/* --- general registers --- */
static void emit_general_opcode(struct x86_emitter *e, bool wide, unsigned opcode)
{
	if (wide)
		emit_byte(e, 0x48);
	if (opcode > 0xff)
		emit_byte(e, 0x0f);
	emit_byte(e, opcode & 0xff);
}

void x86_emit_general(struct x86_emitter *e, bool wide, unsigned opcode, unsigned first, unsigned second)
{
	emit_general_opcode(e, wide, opcode);
	emit_byte(e, 0xc0 | first << 3 | second);
}

void x86_emit_general_memory(
	struct x86_emitter *e, bool wide, unsigned opcode, unsigned first, unsigned base, int32_t offset)
{
	emit_general_opcode(e, wide, opcode);
	emit_modrm(e, first, (struct x86_operand){.kind = X86_OPERAND_MEMORY, .number = base, .offset = offset});
}

void x86_emit_constant(struct x86_emitter *e, unsigned to, uint64_t value)
{
	const bool wide = value > UINT32_MAX;

	emit_general_opcode(e, wide, 0xb8 | to);
	emit_dword(e, (int32_t)value);
	if (wide)
		emit_dword(e, (int32_t)(value >> 32));
}

void x86_emit_lea(struct x86_emitter *e, unsigned to, unsigned base, int32_t offset)
{
	emit_byte(e, 0x48 | is_high(to) << 2 | is_high(base));
	emit_byte(e, 0x8d);
	emit_modrm(e, to, (struct x86_operand){.kind = X86_OPERAND_MEMORY, .number = base, .offset = offset});
}

void x86_emit_prologue(struct x86_emitter *e, uint32_t size)
{
	emit_bytes(e, "\x55\x48\x89\xe5\x48\x83\xe4\xe0\x48\x81\xec",
		11); /* push rbp; mov rbp, rsp; and rsp, -32; sub rsp, size */
	emit_dword(e, size);
}

void x86_emit_epilogue(struct x86_emitter *e)
{
	emit_byte(e, 0xc9);
}

void x86_emit_return(struct x86_emitter *e)
{
	emit_bytes(e, "\xc5\xf8\x77\xc3", 4); /* vzeroupper; ret */
}
