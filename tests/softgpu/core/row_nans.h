/* Which NaN the rows that add and multiply return: the first one of their operands, quieted. For a multiply-add the
 * factors come before the addend. */
#ifndef TESTS_SOFTGPU_CORE_ROW_NANS_H
#define TESTS_SOFTGPU_CORE_ROW_NANS_H

#include "tests/softgpu/core/row_bench.h"

/* Rows and their operands in that order; d is the old destination. */
static const struct {
	unsigned op;
	const char *order;
} nan_rows[] = {{OP_v_add_f32, "ab"}, {OP_v_sub_f32, "ab"}, {OP_v_subrev_f32, "ba"}, {OP_v_mul_f32, "ab"},
	{OP_v_mul_legacy_f32, "ab"}, {OP_v_mac_f32, "abd"}, {OP_v_madak_f32, "abc"}, {OP_v_mad_f32, "abc"},
	{OP_v_fma_f32, "abc"}, {OP_v_fmac_f32, "abd"}, {OP_v_add_f16, "ab"}, {OP_v_sub_f16, "ab"},
	{OP_v_subrev_f16, "ba"}, {OP_v_mul_f16, "ab"}, {OP_v_mac_f16, "abd"}, {OP_v_mad_f16, "abc"},
	{OP_v_fma_f16, "abc"}, {OP_v_add_f64, "ab"}, {OP_v_mul_f64, "ab"}, {OP_v_fma_f64, "abc"},
	{OP_v_mullit_f32, "ab"}};

static inline uint64_t quiet_bit_of(enum isa_type t)
{
	return t == T_F64 ? UINT64_C(1) << 51 : t == T_F32 ? 1 << 22 : 1 << 9;
}

static inline uint64_t operand_mask(enum isa_type t)
{
	return t == T_F64 ? UINT64_MAX : t == T_F32 ? UINT32_MAX : UINT16_MAX;
}

/* Whether a result that is a NaN is the right one. A product of 0 and infinity is a NaN of its own, so an addend is not
 * compared. */
static inline bool is_first_nan(unsigned op, const struct values *v, uint64_t got)
{
	const enum isa_type t = isa_info(op)->dst;

	got &= operand_mask(t);
	for (size_t n = 0; n < sizeof nan_rows / sizeof *nan_rows && is_nan_of(got, t); n++)
		for (int k = 0; nan_rows[n].op == op && k < 2; k++) {
			const uint64_t operand = v->s[nan_rows[n].order[k] - 'a'] & operand_mask(t);
			if (is_nan_of(operand, t))
				return got == (operand | quiet_bit_of(t));
		}
	return true;
}

#endif
