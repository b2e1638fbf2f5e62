/* Assigns each row to the test that executes it and compares its results. Each test named here fails unless
 * it has run all of its rows. */
#ifndef TESTS_SOFTGPU_ISA_ROW_TESTS_H
#define TESTS_SOFTGPU_ISA_ROW_TESTS_H

#include <string.h>

#include "softgpu/isa/isa.h"

/* Whether gfx11 added the row: gfx9 lacks it, or it has other results there. */
static inline bool is_row_of_gfx11(unsigned op)
{
	return isa_info(op)->targets && !(isa_info(op)->targets & ISA_GFX9);
}

static inline bool is_wave_operation_of_gfx11(unsigned op)
{
	switch (op) {
	case OP_s_movrelsd_2_b32:
	case OP_v_pipeflush:
	case OP_v_movreld_b32:
	case OP_v_movrels_b32:
	case OP_v_movrelsd_b32:
	case OP_v_movrelsd_2_b32:
	case OP_v_swap_b16:
	case OP_v_swaprel_b32:
	case OP_v_permlane16_b32:
	case OP_v_permlanex16_b32:
	case OP_v_permlane64_b32: return true;
	}
	return isa_info(op)->rate == RATE_MATRIX;
}

/* Rows that operate on the wave rather than on values. */
static inline bool is_wave_operation(unsigned op)
{
	switch (op) {
	case OP_v_nop:
	case OP_v_clrexcp:
	case OP_v_readlane_b32:
	case OP_v_readfirstlane_b32:
	case OP_v_writelane_b32:
	case OP_v_swap_b32:
	case OP_s_getreg_b32:
	case OP_s_setreg_b32:
	case OP_s_setreg_imm32_b32:
	case OP_s_movrels_b32:
	case OP_s_movrels_b64:
	case OP_s_movreld_b32:
	case OP_s_movreld_b64:
	case OP_s_set_gpr_idx_on:
	case OP_s_set_gpr_idx_idx:
	case OP_s_setvskip:
	case OP_v_mqsad_u32_u8: return true;
	}
	return isa_info(op)->rate == RATE_MFMA || is_wave_operation_of_gfx11(op);
}

/* Steps of a division or range reduction. Only the result of the whole sequence is defined. */
static inline bool is_sequence_step(unsigned op)
{
	return op == OP_v_div_scale_f32 || op == OP_v_div_scale_f64 || op == OP_v_div_fmas_f32 ||
		op == OP_v_div_fmas_f64 || op == OP_v_trig_preop_f64;
}

/* Float atomics in memory, of gfx908 and gfx90a. */
static inline bool is_float_atomic(unsigned op)
{
	const char *name = isa_info(op)->name;

	return isa_info(op)->traits & VMEM_ATOMIC && isa_info(op)->enc != ENC_MIMG &&
		(strstr(name, "_f64") || strstr(name, "_add_f32") || strstr(name, "_pk_add_f16"));
}

/* Integer atomics of FLAT, GLOBAL, MUBUF and SMEM. */
static inline bool is_memory_atomic(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	return (row->unit == UNIT_SMEM || row->unit == UNIT_VMEM || row->unit == UNIT_FLAT) && row->enc != ENC_MIMG &&
		strstr(row->name, "_atomic_") && row->dst != T__ && !is_float_atomic(op);
}

/* LDS atomics with one datum, from a register or (src2) from LDS. */
static inline bool is_lds_atomic(unsigned op)
{
	static const char *const names[] = {"add", "sub", "rsub", "inc", "dec", "min", "max", "and", "or", "xor"};
	const char *name = isa_info(op)->name;

	if (isa_info(op)->unit != UNIT_LDS || strstr(name, "_f32") || strstr(name, "_f64") || strstr(name, "addtid"))
		return false;
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strncmp(name + 3, names[k], strlen(names[k])) && name[3 + strlen(names[k])] == '_')
			return true;
	return !strncmp(name, "ds_write_src2_", 14) || !strncmp(name, "ds_wrxchg_rtn_", 14);
}

/* Loads and stores that the name describes completely. */
static inline bool is_plain_memory(unsigned op)
{
	const struct isa_info *row = isa_info(op);
	static const char *const ds[] = {"ds_write_b", "ds_read_b", "ds_read_u", "ds_read_i"};

	for (size_t k = 0; k < sizeof ds / sizeof *ds; k++)
		if (!strncmp(row->name, ds[k], strlen(ds[k])))
			return true;
	return row->unit != UNIT_LDS && row->enc != ENC_MIMG && !strstr(row->name, "_format_") &&
		(strstr(row->name, "_load_") || strstr(row->name, "_store_"));
}

/* The other LDS rows but one: two offsets or data, floats, lanes, M0. */
static inline bool is_lds_special(unsigned op)
{
	return isa_info(op)->unit == UNIT_LDS && !is_lds_atomic(op) && !is_plain_memory(op) &&
		!isa_is_global_wave_sync(op) && op != OP_ds_condxchg32_rtn_b64;
}

/* The test that compares the results of the row; NULL: none. */
static inline const char *row_test(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	if (is_row_of_gfx11(op))
		return (row->unit == UNIT_VALU || row->unit == UNIT_SALU) && !is_wave_operation(op)
			? "isa/test_gfx11_results"
			: "core/test_gfx11_rows";
	if (row->rate == RATE_MFMA)
		return "core/test_matrix_core";
	if (row->unit == UNIT_VALU || row->unit == UNIT_SALU)
		if (!is_wave_operation(op))
			return is_sequence_step(op) ? "isa/test_semantics" : "core/test_row_values";
	if (row->enc == ENC_MIMG)
		return "core/test_row_images";
	if (is_memory_atomic(op) || is_lds_atomic(op))
		return "core/test_row_atomics";
	switch (op) { /* special programs */
	case OP_s_cbranch_i_fork:
	case OP_s_cbranch_join:
	case OP_s_setvskip:
	case OP_s_setkill:
	case OP_s_rfe_b64:
	case OP_s_sendmsghalt:
	case OP_s_endpgm:
	case OP_s_endpgm_saved:
	case OP_s_branch:
	case OP_s_waitcnt:
	case OP_s_getreg_b32:
	case OP_ds_condxchg32_rtn_b64:
	case OP_v_mqsad_u32_u8: return "core/test_rows";
	case OP_s_setreg_b32: return "core/test_row_modes";
	case OP_buffer_wbl2:
	case OP_buffer_invl2: return "core/test_gfx90a";
	}
	if (isa_is_global_wave_sync(op))
		return "core/test_global_wave_sync";
	if (isa_converts_format(op))
		return "core/test_row_formats";
	if (is_lds_special(op))
		return "core/test_row_lds";
	if ((is_plain_memory(op) && row->enc != ENC_SMEM) || is_float_atomic(op))
		return "core/test_row_memory";
	return op == OP_INVALID ? NULL : "core/test_row_waves"; /* which fails if it has no program for the row */
}

/* Whether core/test_row_values compares the row with a model. A row of VOPD alone is computed by hand. */
static inline bool has_values_test(unsigned op)
{
	const char *test = row_test(op);

	return test && op != OP_v_dual_dot2acc_f32_bf16 &&
		(!strcmp(test, "core/test_row_values") || !strcmp(test, "isa/test_gfx11_results"));
}

/* Whether generated tests run the row in all MODEs, and (is_generated) with modifiers. */
static inline bool is_floating(unsigned op)
{
	const struct isa_info *row = isa_info(op);
	static const uint8_t types[] = {T_F16, T_F16K, T_F32, T_F64, T_MIX, T_P32};

	for (size_t k = 0; k < sizeof types; k++)
		if (row->dst == types[k] || row->src[0] == types[k])
			return true;
	return row->dst == T_P16 && strstr(row->name, "f16");
}

static inline bool is_generated(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	return row->unit == UNIT_VALU && !is_wave_operation(op) && !is_sequence_step(op) && row->dst != T_ACC &&
		row->src[0] != T_ACC;
}

#endif
