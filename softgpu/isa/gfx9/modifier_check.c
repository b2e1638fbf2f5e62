/* Checks which modifiers an instruction of gfx9 supports: what modifier_rules.c leaves open, and SDWA. */
#include "softgpu/isa/modifier_rules.h"

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

bool isa_fit_long(const struct isa_info *row, struct isa_inst *in)
{
	if (!has_op_sel(row))
		in->op_sel = 0;
	else if (isa_source_count(row) == 2 && in->op_sel & 4)
		return false;
	return isa_fit_modifiers(row, in, has_op_sel(row));
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
	return isa_fit_signs(row, in, has_op_sel(row));
}
