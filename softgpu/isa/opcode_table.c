/* Expands gfx9.def into rows and, per encoding, an index from opcode number to row. */
#include "softgpu/isa/opcode_table.h"

#include <string.h>

#define CODES 1024

static const struct isa_info rows[OP_COUNT] = {
	[OP_INVALID] = {.name = "invalid"},
#define OP(enc_, code_, targets_, name_, d, d2, s0, s1, s2, unit_, rate_, traits_, ...) \
	[OP_##name_] = {                                                                \
		.name = #name_,                                                         \
		.enc = ENC_##enc_,                                                      \
		.unit = UNIT_##unit_,                                                   \
		.rate = RATE_##rate_,                                                   \
		.targets = ISA_##targets_,                                              \
		.code = code_,                                                          \
		.traits = traits_,                                                      \
		.dst = T_##d,                                                           \
		.dst2 = T_##d2,                                                         \
		.src = {T_##s0, T_##s1, T_##s2},                                        \
	},
#include "softgpu/isa/gfx9.def"
#undef OP
};

/* Rows that do not exist on gfx900 are in the second half, because gfx906 reuses some opcode numbers of gfx900. */
static const uint16_t index_of[ENC_COUNT][2 * CODES] = {
#define OP(enc, code, targets, name, ...) [ENC_##enc][(code) + (ISA_##targets & ISA_GFX900 ? 0 : CODES)] = OP_##name,
#include "softgpu/isa/gfx9.def"
#undef OP
};

static const uint8_t dwords[T_COUNT] = {
	[T_B16] = 1,
	[T_I16] = 1,
	[T_U16] = 1,
	[T_F16] = 1,
	[T_B32] = 1,
	[T_I32] = 1,
	[T_U32] = 1,
	[T_F32] = 1,
	[T_B64] = 2,
	[T_I64] = 2,
	[T_U64] = 2,
	[T_F64] = 2,
	[T_B96] = 3,
	[T_B128] = 4,
	[T_B256] = 8,
	[T_B512] = 16,
	[T_P16] = 1,
	[T_CARRY] = 2,
	[T_MASK] = 2,
	[T_ADDR] = 1,
	[T_SBASE] = 2,
	[T_SRSRC] = 4,
	[T_F16K] = 1,
	[T_I16K] = 1,
	[T_U16K] = 1,
	[T_B16K] = 1,
	[T_ACC] = 1,
	[T_S32] = 1,
	[T_EXEC] = 2,
	[T_MIX] = 1,
};

const struct isa_info *isa_info(unsigned op)
{
	return &rows[op < OP_COUNT ? op : OP_INVALID];
}

unsigned isa_type_dwords(enum isa_type t)
{
	return t < T_COUNT ? dwords[t] : 0;
}

bool isa_is_float(enum isa_type t)
{
	return t == T_F16 || t == T_F32 || t == T_F64 || t == T_F16K || t == T_MIX;
}

enum isa_target isa_target_by_name(const char *name)
{
	static const struct {
		char name[8];
		enum isa_target target;
	} names[] = {
		{"gfx900", ISA_GFX900},
		{"gfx906", ISA_GFX906},
		{"gfx908", ISA_GFX908},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].name, name))
			return names[i].target;
	return 0;
}

static unsigned find_row(enum isa_enc enc, unsigned code, enum isa_target target)
{
	unsigned op = target == ISA_GFX900 ? OP_INVALID : index_of[enc][code + CODES];

	if (!op || !(rows[op].targets & target))
		op = index_of[enc][code];
	return rows[op].targets & target ? op : OP_INVALID;
}

unsigned isa_lookup(enum isa_enc enc, unsigned code, enum isa_target target)
{
	unsigned op;

	if (code >= CODES)
		return OP_INVALID;
	if (enc != ENC_VOP3 || code >= 0x1c0)
		return find_row(enc, code, target);
	op = code < 0x100      ? find_row(ENC_VOPC, code, target)
		: code < 0x140 ? find_row(ENC_VOP2, code - 0x100, target)
			       : find_row(ENC_VOP1, code - 0x140, target);
	return isa_has_long(&rows[op]) ? op : OP_INVALID;
}

unsigned isa_literal_source(unsigned op)
{
	switch (op) {
	case OP_v_madmk_f32:
	case OP_v_madmk_f16: return 1;
	case OP_v_madak_f32:
	case OP_v_madak_f16: return 2;
	}
	return 0;
}

/* Accumulating VOP2 rows of gfx908. They have no long form; only the dot products have DPP. */
static bool is_accumulating_dot(unsigned op)
{
	return op >= OP_v_dot2c_f32_f16 && op <= OP_v_dot8c_i32_i4;
}

bool isa_has_e32_suffix(const struct isa_info *row)
{
	unsigned op = row - rows;

	return isa_has_long(row) || is_accumulating_dot(op) || op == OP_v_pk_fmac_f16;
}

bool isa_loads_lds(const struct isa_info *row)
{
	unsigned op = row - rows;

	return op == OP_buffer_load_format_x || op == OP_buffer_load_dword ||
		(op >= OP_buffer_load_ubyte && op <= OP_buffer_load_sshort);
}

bool isa_has_long(const struct isa_info *row)
{
	unsigned op = row - rows;

	if (is_accumulating_dot(op) || op == OP_v_pk_fmac_f16)
		return false;
	return op != OP_INVALID && op != OP_v_readfirstlane_b32 && op != OP_v_swap_b32 && !isa_literal_source(op);
}

static bool has_wide_operand(const struct isa_info *row)
{
	return (row->dst != T_MASK && dwords[row->dst] > 1) || dwords[row->src[0]] > 1 || dwords[row->src[1]] > 1;
}

/* Accumulating instructions have no SDWA form. */
bool isa_has_sdwa(const struct isa_info *row)
{
	unsigned op = row - rows;

	if (is_accumulating_dot(op) || op == OP_v_mac_f32 || op == OP_v_mac_f16 || op == OP_v_fmac_f32)
		return false;
	return isa_has_dpp(row) || (row->enc == ENC_VOPC && !has_wide_operand(row));
}

bool isa_has_dpp(const struct isa_info *row)
{
	return (isa_has_long(row) || is_accumulating_dot(row - rows)) && row->src[0] != T__ && !has_wide_operand(row) &&
		row->enc != ENC_VOPC;
}

int isa_source_count(const struct isa_info *row)
{
	int n = 0;

	while (n < 3 && row->src[n] != T__ && row->src[n] != T_CARRY)
		n++;
	return n;
}
