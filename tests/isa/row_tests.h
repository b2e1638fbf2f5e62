/* Which test runs a row of gfx9.def on the executor and compares its results. The tests named here fail when they have not
 * met every row that is theirs. */
#ifndef TESTS_ISA_ROW_TESTS_H
#define TESTS_ISA_ROW_TESTS_H

#include "softgpu/isa/isa.h"

/* Rows about the wave rather than about values. */
static inline bool is_about_wave(unsigned op)
{
	switch (op) {
	case OP_v_nop: case OP_v_clrexcp: case OP_v_readlane_b32: case OP_v_readfirstlane_b32: case OP_v_writelane_b32:
	case OP_v_swap_b32: case OP_s_getreg_b32: case OP_s_setreg_b32: case OP_s_setreg_imm32_b32: case OP_s_movrels_b32:
	case OP_s_movrels_b64: case OP_s_movreld_b32: case OP_s_movreld_b64: case OP_s_set_gpr_idx_on: case OP_s_set_gpr_idx_idx:
	case OP_s_setvskip: case OP_v_accvgpr_read_b32: case OP_v_accvgpr_write_b32: case OP_v_mqsad_u32_u8:
		return true;
	}
	return false;
}

/* The steps of a division or reduction: what counts is the sequence's result. */
static inline bool is_step(unsigned op)
{
	return op == OP_v_div_scale_f32 || op == OP_v_div_scale_f64 || op == OP_v_div_fmas_f32 || op == OP_v_div_fmas_f64 ||
	       op == OP_v_trig_preop_f64;
}

static inline const char *row_test(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	switch (row->unit) {
	case UNIT_VALU: case UNIT_SALU: return is_step(op) ? "isa/test_semantics" : is_about_wave(op) ? "core/test_row_wave" : "core/test_row_values";
	case UNIT_SMEM: case UNIT_LDS: case UNIT_VMEM: case UNIT_FLAT: return "core/test_row_memory";
	default: return "core/test_row_wave";
	}
}

#endif
