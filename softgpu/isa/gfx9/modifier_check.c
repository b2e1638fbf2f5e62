/* Checks which modifiers an instruction supports: the reserved bits of VOP3, VOP3P, SDWA and DPP.
 *
 * The ISA guide does not define these bits. The rules here are those of the gfx9 disassembler of LLVM 15, found by
 * flipping each bit of each instruction: what LLVM rejects is illegal here too.
 */
#include "softgpu/isa/gfx9/opcode_table.h"

/* Rows whose VOP3 form has op_sel. */
static bool has_op_sel(const struct isa_info *row)
{
	switch (isa_number(row)) {
	case OP_v_mad_u32_u16:
	case OP_v_mad_i32_i16:
	case OP_v_cvt_pknorm_i16_f16:
	case OP_v_cvt_pknorm_u16_f16:
	case OP_v_pack_b32_f16: return true;
	}
	return row->enc == ENC_VOP3 && (row->dst == T_F16K || row->dst == T_I16K || row->dst == T_U16K);
}

static bool is_class_test(const struct isa_info *row)
{
	return row->traits & CLASS_TEST;
}

static bool has_float_source(const struct isa_info *row)
{
	return isa_is_float(row->src[0]) || isa_is_float(row->src[1]) || isa_is_float(row->src[2]);
}

static bool has_clamp(const struct isa_info *row)
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
	}
	return (has_float_source(row) && !is_class_test(row)) || isa_is_float(row->dst) || row->dst2 == T_CARRY ||
		has_op_sel(row);
}

static bool has_omod(const struct isa_info *row)
{
	switch (isa_number(row)) {
	case OP_v_cvt_rpi_i32_f32:
	case OP_v_cvt_flr_i32_f32:
	case OP_v_frexp_exp_i32_f32:
	case OP_v_cvt_pk_u8_f32:
	case OP_v_cvt_pkaccum_u8_f32:
	case OP_v_cvt_pknorm_i16_f32:
	case OP_v_cvt_pknorm_u16_f32: return false;
	}
	return row->dst != T_MASK && !has_op_sel(row) && (has_float_source(row) || isa_is_float(row->dst));
}

/* neg and abs of source i. An integer source next to float sources may have neg, which prints as sext() and has no
 * effect. */
static bool fit_source(const struct isa_info *row, struct isa_inst *in, int i)
{
	unsigned bit = 1u << i;

	if (!((in->neg | in->abs) & bit))
		return true;
	if (i >= isa_source_count(row))
		return false;
	if (isa_is_float(row->src[i]) || isa_number(row) == OP_v_cndmask_b32 || isa_number(row) == OP_v_dot2c_f32_f16)
		return true;
	if (has_op_sel(row) && !has_float_source(row)) {
		in->neg &= ~bit;
		in->abs &= ~bit;
		return true;
	}
	in->abs &= has_float_source(row) && !is_class_test(row) ? ~bit : 0xff;
	return has_float_source(row) && !is_class_test(row);
}

bool isa_fit_long(const struct isa_info *row, struct isa_inst *in)
{
	if (!has_op_sel(row))
		in->op_sel = 0;
	else if (isa_source_count(row) == 2 && in->op_sel & 4)
		return false;
	for (int i = 0; i < 3; i++)
		if (!fit_source(row, in, i))
			return false;
	return (!in->clamp || has_clamp(row)) && (!in->omod || has_omod(row));
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

bool isa_fit_sdwa(const struct isa_info *row, struct isa_inst *in)
{
	int n = isa_source_count(row);

	for (int i = 0; i < 2; i++) {
		unsigned bit = 1u << i;
		bool is_float = i < n && isa_is_float(row->src[i]);

		if ((!is_float && (in->neg | in->abs) & bit) || (in->sext & bit && (is_float || i >= n)))
			return false;
		if (in->src_sel[i] > 6 || (i >= n && in->src_sel[i]))
			return false;
	}
	return in->dst_sel <= 6 && in->dst_unused <= 2 && (!in->omod || isa_is_float(row->dst));
}

bool isa_fit_dpp(const struct isa_info *row, struct isa_inst *in)
{
	if (isa_number(row) == OP_v_cndmask_b32 ||
		(isa_number(row) >= OP_v_dot2c_i32_i16 && isa_number(row) <= OP_v_dot8c_i32_i4))
		in->neg = in->abs = 0;
	for (int i = 0; i < 2; i++)
		if (!fit_source(row, in, i))
			return false;
	return true;
}
