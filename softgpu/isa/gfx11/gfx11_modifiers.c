/* Which modifiers an instruction of gfx11 supports.
 *
 * The ISA guide does not define unused modifier bits. The rules here are those of the disassembler of LLVM 15, found by
 * flipping each bit of each instruction: what LLVM rejects is illegal here too, what it ignores is cleared.
 */
#include "softgpu/isa/modifier_rules.h"

#include "softgpu/isa/gfx11/gfx11_encodings.h"

unsigned gfx11_literal_source(unsigned op)
{
	switch (op) {
	case OP_v_fmamk_f32:
	case OP_v_fmamk_f16: return 1;
	case OP_v_fmaak_f32:
	case OP_v_fmaak_f16: return 2;
	}
	return 0;
}

static bool gfx11_has_wide_operand(const struct isa_info *row)
{
	for (int i = 0; i < 3; i++)
		if (row->src[i] != T_CARRY && isa_type_dwords(row->src[i]) > 1)
			return true;
	return row->dst != T_MASK && isa_type_dwords(row->dst) > 1;
}

bool gfx11_has_dpp(const struct gfx11_encoding *e)
{
	const struct isa_info *row = isa_info(e->op);

	switch (e->op) {
	case OP_v_readfirstlane_b32:
	case OP_v_swap_b32:
	case OP_v_swap_b16:
	case OP_v_swaprel_b32:
	case OP_v_permlane64_b32:
	case OP_v_permlane16_b32:
	case OP_v_permlanex16_b32:
	case OP_v_readlane_b32:
	case OP_v_writelane_b32:
	case OP_v_fmac_dx9_zero_f32:
	case OP_v_fma_dx9_zero_f32:
	case OP_v_div_scale_f32:
	case OP_v_div_fmas_f32:
	case OP_v_div_fixup_f32:
	case OP_v_mul_lo_u32:
	case OP_v_mul_hi_u32:
	case OP_v_mul_hi_i32: return false;
	}
	if (e->enc == ENC_VOP3P && row->src[0] != T_MIX && !(row->traits & PACKED_F16 && row->dst == T_F32))
		return false;
	return !gfx11_literal_source(e->op) && !gfx11_has_wide_operand(row);
}

/* Rows whose VOP3 form has op_sel in LLVM 15. On the hardware, all 16-bit operands do. */
static bool gfx11_has_op_sel(const struct isa_info *row)
{
	switch (isa_number(row)) {
	case OP_v_mad_u32_u16:
	case OP_v_mad_i32_i16:
	case OP_v_cvt_pknorm_i16_f16:
	case OP_v_cvt_pknorm_u16_f16:
	case OP_v_pack_b32_f16:
	case OP_v_add_u16:
	case OP_v_sub_u16:
	case OP_v_permlane16_b32:
	case OP_v_permlanex16_b32:
	case OP_v_dot2_bf16_bf16: return true;
	case OP_v_maxmin_f16:
	case OP_v_minmax_f16: return false;
	}
	return row->enc == ENC_VOP3 && (row->dst == T_F16K || row->dst == T_I16K || row->dst == T_U16K);
}

static unsigned gfx11_half_operands(const struct isa_info *row)
{
	unsigned bits = isa_is_half(row->dst) ? 8 : 0;

	for (int i = 0; i < 3; i++)
		bits |= (unsigned)isa_is_half(row->src[i]) << i;
	return bits;
}

bool gfx11_fit_long(const struct isa_info *row, struct isa_inst *in)
{
	bool op_sel = gfx11_has_op_sel(row), dot = row->traits & PACKED_F16;

	if (op_sel && isa_source_count(row) == 2 && in->op_sel & 4)
		return false;
	if (!op_sel || dot)
		in->op_sel &= gfx11_half_operands(row);
	return isa_fit_modifiers(row, in, op_sel);
}

bool gfx11_fit_packed(const struct isa_info *row, struct isa_inst *in)
{
	if (row->dst != T_MATRIX)
		return isa_fit_packed(row, in);
	if (row->traits & READS_D) /* 16-bit results */
		return !in->clamp;
	in->op_sel_hi = 7;
	return !in->op_sel && (!in->clamp || row->src[0] != T_B256);
}

bool gfx11_fit_dpp(const struct isa_info *row, struct isa_inst *in)
{
	if (isa_number(row) == OP_v_cndmask_b32)
		in->neg = in->abs = 0;
	return isa_fit_signs(row, in, false);
}

bool gfx11_has_long(const struct gfx11_encoding *e)
{
	switch (e->op) {
	case OP_INVALID:
	case OP_v_readfirstlane_b32:
	case OP_v_swap_b32:
	case OP_v_swap_b16:
	case OP_v_swaprel_b32:
	case OP_v_permlane64_b32:
	case OP_v_dot2acc_f32_f16:
	case OP_v_pk_fmac_f16: return false;
	}
	return !gfx11_literal_source(e->op);
}
