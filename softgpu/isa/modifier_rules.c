/* Which modifiers an operation supports in VOP3, VOP3P and DPP, in all families.
 *
 * The ISA guides do not define unused modifier bits. The rules here are those of the disassembler of LLVM 15, found by
 * flipping each bit of each instruction: what LLVM rejects is illegal here too.
 */
#include "softgpu/isa/modifier_rules.h"

static bool is_class_test(const struct isa_info *row)
{
	return row->traits & CLASS_TEST;
}

static bool has_float_source(const struct isa_info *row)
{
	return isa_is_float(row->src[0]) || isa_is_float(row->src[1]) || isa_is_float(row->src[2]);
}

static bool has_clamp(const struct isa_info *row, bool op_sel)
{
	switch (isa_number(row)) {
	case OP_v_mul_i32_i24:
	case OP_v_mul_u32_u24:
	case OP_v_add_u16:
	case OP_v_sub_u16:
	case OP_v_subrev_u16:
	case OP_v_add_u32:
	case OP_v_sub_u32:
	case OP_v_subrev_u32:
	case OP_v_add_i32:
	case OP_v_sub_i32:
	case OP_v_mad_i32_i24:
	case OP_v_mad_u32_u24:
	case OP_v_sad_u8:
	case OP_v_sad_hi_u8:
	case OP_v_sad_u16:
	case OP_v_sad_u32:
	case OP_v_msad_u8:
	case OP_v_qsad_pk_u16_u8:
	case OP_v_mqsad_pk_u16_u8:
	case OP_v_mqsad_u32_u8:
	case OP_v_mad_legacy_u16:
	case OP_v_mad_legacy_i16: return true;
	case OP_v_dot2_f16_f16:
	case OP_v_dot2_bf16_bf16:
	case OP_v_permlane16_b32:
	case OP_v_permlanex16_b32: return false;
	}
	return (has_float_source(row) && !is_class_test(row)) || isa_is_float(row->dst) || row->dst2 == T_CARRY ||
		op_sel;
}

static bool has_omod(const struct isa_info *row, bool op_sel)
{
	switch (isa_number(row)) {
	case OP_v_cvt_rpi_i32_f32:
	case OP_v_cvt_flr_i32_f32:
	case OP_v_frexp_exp_i32_f32:
	case OP_v_cvt_pk_u8_f32:
	case OP_v_cvt_pkaccum_u8_f32:
	case OP_v_cvt_pk_i16_f32:
	case OP_v_cvt_pk_u16_f32:
	case OP_v_cvt_pknorm_i16_f32:
	case OP_v_cvt_pknorm_u16_f32: return false;
	}
	return row->dst != T_MASK && !op_sel && (has_float_source(row) || isa_is_float(row->dst));
}

/* Sources with neg and abs that are not floats: bits to select from, pairs of halves. */
bool isa_has_sign(const struct isa_info *row, int i)
{
	switch (isa_number(row)) {
	case OP_v_cndmask_b32:
	case OP_v_cndmask_b16:
	case OP_v_dot2c_f32_f16: return true;
	}
	return row->traits & PACKED_F16 && row->src[i] == T_P16;
}

/* neg and abs of source i. An integer source next to float sources may have neg, which prints as sext() and has no
 * effect. */
static bool fit_source(const struct isa_info *row, struct isa_inst *in, int i, bool op_sel)
{
	unsigned bit = 1u << i;

	if (!((in->neg | in->abs) & bit))
		return true;
	if (i >= isa_source_count(row))
		return false;
	if (isa_is_float(row->src[i]) || isa_has_sign(row, i))
		return true;
	if (op_sel && !has_float_source(row)) {
		in->neg &= ~bit;
		in->abs &= ~bit;
		return true;
	}
	in->abs &= has_float_source(row) && !is_class_test(row) ? ~bit : 0xff;
	return has_float_source(row) && !is_class_test(row);
}

bool isa_fit_signs(const struct isa_info *row, struct isa_inst *in, bool op_sel)
{
	for (int i = 0; i < 3; i++)
		if (!fit_source(row, in, i, op_sel))
			return false;
	return true;
}

bool isa_fit_modifiers(const struct isa_info *row, struct isa_inst *in, bool op_sel)
{
	return isa_fit_signs(row, in, op_sel) && (!in->clamp || has_clamp(row, op_sel)) &&
		(!in->omod || has_omod(row, op_sel));
}

bool isa_fit_packed(const struct isa_info *row, struct isa_inst *in)
{
	unsigned op = isa_number(row), allowed = 7;

	if (op >= OP_v_pk_mad_i16 && op <= OP_v_pk_min_u16)
		allowed = 1;
	else if (op == OP_v_dot2_i32_i16 || op == OP_v_dot2_u32_u16)
		allowed = 5;
	if (isa_source_count(row) == 2) {
		allowed &= 3;
		in->op_sel_hi &= 3;
		if (in->op_sel & 4)
			return false;
	}
	return !((in->neg | in->neg_hi) & ~allowed);
}
