/* The index from opcode numbers to operations, and which forms a row has. */
#include "softgpu/isa/gfx9/opcode_table.h"

#define CODES 1024

/* Rows that do not exist on gfx900 are in the second half, because gfx906 reuses some opcode numbers of gfx900. */
static const uint16_t index_of[ENC_COUNT][2 * CODES] = {
#define ENCODE(enc, code, targets, mnemonic, op) \
	[ENC_##enc][(code) + (ISA_##targets & ISA_GFX900 ? 0 : CODES)] = OP_##op,
#include "softgpu/isa/gfx9/gfx9_encodings.def"
#undef ENCODE
};

static unsigned find_row(enum isa_enc enc, unsigned code, enum isa_target target)
{
	unsigned op = target == ISA_GFX900 ? OP_INVALID : index_of[enc][code + CODES];

	if (!op || !(isa_info(op)->targets & target))
		op = index_of[enc][code];
	return isa_info(op)->targets & target ? op : OP_INVALID;
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
	return isa_has_long(isa_info(op)) ? op : OP_INVALID;
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
	unsigned op = isa_number(row);

	return isa_has_long(row) || is_accumulating_dot(op) || op == OP_v_pk_fmac_f16;
}

bool isa_loads_lds(const struct isa_info *row)
{
	unsigned op = isa_number(row);

	return op == OP_buffer_load_format_x || op == OP_buffer_load_dword ||
		(op >= OP_buffer_load_ubyte && op <= OP_buffer_load_sshort);
}

bool isa_has_long(const struct isa_info *row)
{
	unsigned op = isa_number(row);

	if (is_accumulating_dot(op) || op == OP_v_pk_fmac_f16 || op == OP_v_accvgpr_mov_b32)
		return false;
	return op != OP_INVALID && op != OP_v_readfirstlane_b32 && op != OP_v_swap_b32 && !isa_literal_source(op);
}

static bool has_wide_operand(const struct isa_info *row)
{
	return (row->dst != T_MASK && isa_type_dwords(row->dst) > 1) || isa_type_dwords(row->src[0]) > 1 ||
		isa_type_dwords(row->src[1]) > 1;
}

/* Accumulating instructions have no SDWA form. */
bool isa_has_sdwa(const struct isa_info *row)
{
	unsigned op = isa_number(row);

	if (is_accumulating_dot(op) || op == OP_v_mac_f32 || op == OP_v_mac_f16 || op == OP_v_fmac_f32)
		return false;
	return isa_has_dpp(row, ISA_GFX900) || (row->enc == ENC_VOPC && !has_wide_operand(row));
}

bool isa_has_wide_dpp(const struct isa_info *row)
{
	return has_wide_operand(row) && (row->enc == ENC_VOP1 || row->enc == ENC_VOP2);
}

bool isa_has_dpp(const struct isa_info *row, enum isa_target target)
{
	return (isa_has_long(row) || is_accumulating_dot(isa_number(row))) && row->src[0] != T__ &&
		row->enc != ENC_VOPC && (!has_wide_operand(row) || target == ISA_GFX90A);
}
