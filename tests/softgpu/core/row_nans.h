/* Part of row_model.h: which NaN the rows that add and multiply return: the first one of their operands, quieted. For a
 * multiply-add the factors come before the addend. */
#ifndef TESTS_SOFTGPU_CORE_ROW_NANS_H
#define TESTS_SOFTGPU_CORE_ROW_NANS_H

/* Rows and their operands in that order; d is the old destination. Not the rows in which 0 times a NaN is 0, and that
 * then add. */
static const struct {
	unsigned op;
	const char *order;
} nan_rows[] = {{OP_v_add_f32, "ab"}, {OP_v_sub_f32, "ab"}, {OP_v_subrev_f32, "ba"}, {OP_v_mul_f32, "ab"},
	{OP_v_mul_legacy_f32, "ab"}, {OP_v_mul_legacy_f32_gfx90a, "ab"}, {OP_v_fmac_f64, "abd"},
	{OP_v_mullit_f32, "ab"}, {OP_v_mac_f32, "abd"}, {OP_v_madmk_f32, "abc"}, {OP_v_madak_f32, "abc"},
	{OP_v_mad_f32, "abc"}, {OP_v_fma_f32, "abc"}, {OP_v_fmac_f32, "abd"}, {OP_v_fmamk_f32, "abc"},
	{OP_v_fmaak_f32, "abc"}, {OP_v_add_f16, "ab"}, {OP_v_sub_f16, "ab"}, {OP_v_subrev_f16, "ba"},
	{OP_v_mul_f16, "ab"}, {OP_v_mac_f16, "abd"}, {OP_v_madmk_f16, "abc"}, {OP_v_madak_f16, "abc"},
	{OP_v_mad_f16, "abc"}, {OP_v_mad_legacy_f16, "abc"}, {OP_v_fma_f16, "abc"}, {OP_v_fma_legacy_f16, "abc"},
	{OP_v_fmac_f16, "abd"}, {OP_v_fmamk_f16, "abc"}, {OP_v_fmaak_f16, "abc"}, {OP_v_add_f64, "ab"},
	{OP_v_mul_f64, "ab"}, {OP_v_fma_f64, "abc"}, {OP_v_pk_add_f16, "ab"}, {OP_v_pk_mul_f16, "ab"},
	{OP_v_pk_fma_f16, "abc"}, {OP_v_pk_fmac_f16, "abd"}, {OP_v_mad_mix_f32, "abc"}, {OP_v_mad_mixlo_f16, "abc"},
	{OP_v_mad_mixhi_f16, "abc"}, {OP_v_fma_mix_f32, "abc"}, {OP_v_fma_mixlo_f16, "abc"},
	{OP_v_fma_mixhi_f16, "abc"}};

/* The operands of the row in that order; NULL: it has no rule. */
static inline const char *nan_order_of(unsigned op)
{
	for (size_t n = 0; n < sizeof nan_rows / sizeof *nan_rows; n++)
		if (nan_rows[n].op == op)
			return nan_rows[n].order;
	return NULL;
}

static inline unsigned nan_bits_of(enum isa_type t)
{
	return t == T_F64 ? 64 : t == T_F32 || t == T_MIX ? 32 : 16;
}

static inline double nan_operand(uint64_t v, unsigned bits)
{
	return bits == 64 ? m_f64(v) : bits == 32 ? m_f32(v) : m_f16(v);
}

static inline uint64_t quieted(uint64_t v, unsigned bits)
{
	return v | UINT64_C(1) << (bits == 64 ? 51 : bits == 32 ? 22 : 9);
}

/* The first of the operands that is a NaN, quieted. False: none is one, or it is an addend and the product may be one,
 * 0 times infinity, which has no bits of an operand. `shift`: of the half of a pair. */
static inline bool find_first_nan(
	const char *order, const struct values *v, unsigned bits, unsigned shift, uint64_t *out)
{
	bool infinite = false;

	for (int k = 0; order[k]; k++) {
		uint64_t x = (order[k] == 'd' ? v->old : v->s[order[k] - 'a']) >> shift;
		x = bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
		*out = quieted(x, bits);
		if (isnan(nan_operand(x, bits)))
			return k < 2 || !infinite;
		infinite |= isinf(nan_operand(x, bits));
	}
	return false;
}

/* A half of a destination that may be one: what the rounding to a half leaves of the NaN of an f32. */
static inline uint64_t narrow_nan(uint64_t x, unsigned bits)
{
	return bits == 16 ? x : (uint16_t)(x >> 16 & 0x8000) | 0x7e00 | (x >> 13 & 0x1ff);
}

/* Puts that NaN into the part of the result at `shift`, if the model has a NaN there. */
static inline void put_first_nan(unsigned op, const struct values *v, struct answer *r, unsigned shift, unsigned from)
{
	const struct isa_info *row = isa_info(op);
	const unsigned to = nan_bits_of(row->dst), bits = nan_bits_of(row->src[0]);
	const uint64_t mask = to == 64 ? UINT64_MAX : ((UINT64_C(1) << to) - 1) << shift;
	uint64_t nan;

	if (!isnan(nan_operand(r->d >> shift, to)) || !find_first_nan(nan_order_of(op), v, bits, from, &nan))
		return;
	nan = to == 16 ? narrow_nan(nan, bits) : nan;
	r->d = (r->d & ~mask) | nan << shift;
	r->known_nans |= mask;
}

static inline void m_keep_first_nan(unsigned op, const struct values *v, struct answer *r)
{
	const bool pairs = isa_info(op)->dst == T_P16, high = op == OP_v_mad_mixhi_f16 || op == OP_v_fma_mixhi_f16;

	if (!nan_order_of(op))
		return;
	put_first_nan(op, v, r, high ? 16 : 0, 0);
	if (pairs)
		put_first_nan(op, v, r, 16, 16);
}

#endif
