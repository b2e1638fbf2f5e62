/* Part of row_model.h: scalar rows. flag is the resulting SCC. */
#ifndef TESTS_SOFTGPU_CORE_ROW_MODEL_SCALAR_H
#define TESTS_SOFTGPU_CORE_ROW_MODEL_SCALAR_H

#define S(x)                              \
	{                                 \
		r->d = m & (uint64_t)(x); \
		r->flag = r->d != 0;      \
	}                                 \
	break
#define N(x)                      \
	r->d = m & (uint64_t)(x); \
	break
#define C(x)                \
	r->flag = (x) != 0; \
	break
#define X(new, result)                  \
	{                               \
		r->d = (result);        \
		r->exec = (new);        \
		r->flag = r->exec != 0; \
	}                               \
	break

static inline int m_bits(uint64_t a, unsigned size, bool value)
{
	int n = 0;

	for (unsigned k = 0; k < size; k++)
		n += (a >> k & 1) == value;
	return n;
}
static inline int m_first(uint64_t a, unsigned size, bool value, bool from_top)
{
	for (unsigned k = 0; k < size; k++)
		if ((a >> (from_top ? size - 1 - k : k) & 1) == value)
			return k;
	return -1;
}
static inline uint64_t m_quads(uint64_t a, bool whole)
{
	uint64_t x = 0;

	for (unsigned k = 0; k < 16; k++)
		if (a >> 4 * k & 15)
			x |= whole ? UINT64_C(15) << 4 * k : UINT64_C(1) << k;
	return x;
}

static inline bool m_scalar_two(unsigned op, const struct values *v, struct answer *r)
{
	bool wide = isa_type_dwords(isa_info(op)->src[0]) == 2;
	uint64_t m = wide ? UINT64_MAX : UINT32_MAX, a = v->s[0] & m, b = v->s[1] & m;
	uint32_t u = a, w = b;
	int32_t i = a, j = b;
	unsigned n = wide ? 64 : 32, by = b % n;

	switch (op) {
	case OP_s_add_u32: N(a + b + 0 * (r->flag = (a + b) >> 32));
	case OP_s_sub_u32: N(a - b + 0 * (r->flag = a < b));
	case OP_s_add_i32: N(a + b + 0 * (r->flag = (int64_t)i + j != (int32_t)((int64_t)i + j)));
	case OP_s_sub_i32: N(a - b + 0 * (r->flag = (int64_t)i - j != (int32_t)((int64_t)i - j)));
	case OP_s_addc_u32: N(a + b + v->in + 0 * (r->flag = (a + b + v->in) >> 32));
	case OP_s_subb_u32: N(a - b - v->in + 0 * (r->flag = a < b + v->in));
	case OP_s_min_i32: N((r->flag = i < j) ? i : j);
	case OP_s_min_u32: N((r->flag = u < w) ? u : w);
	case OP_s_max_i32: N((r->flag = i > j) ? i : j);
	case OP_s_max_u32: N((r->flag = u > w) ? u : w);
	case OP_s_cselect_b32:
	case OP_s_cselect_b64: N(v->in ? a : b);
	case OP_s_and_b32:
	case OP_s_and_b64: S(a & b);
	case OP_s_or_b32:
	case OP_s_or_b64: S(a | b);
	case OP_s_xor_b32:
	case OP_s_xor_b64: S(a ^ b);
	case OP_s_andn2_b32:
	case OP_s_andn2_b64: S(a & ~b);
	case OP_s_orn2_b32:
	case OP_s_orn2_b64: S(a | ~b);
	case OP_s_nand_b32:
	case OP_s_nand_b64: S(~(a & b));
	case OP_s_nor_b32:
	case OP_s_nor_b64: S(~(a | b));
	case OP_s_xnor_b32:
	case OP_s_xnor_b64: S(~(a ^ b));
	case OP_s_lshl_b32:
	case OP_s_lshl_b64: S(a << by);
	case OP_s_lshr_b32:
	case OP_s_lshr_b64: S(a >> by);
	case OP_s_ashr_i32: S(i >> by);
	case OP_s_ashr_i64: S((int64_t)a >> by);
	case OP_s_bfm_b32: N(((UINT64_C(1) << (u & 31)) - 1) << (w & 31));
	case OP_s_bfm_b64: r->d = ((UINT64_C(1) << (u & 63)) - 1) << (w & 63); break;
	case OP_s_mul_i32: N(a * b);
	case OP_s_bfe_u32:
	case OP_s_bfe_u64: S(m_field(a, b & (n - 1), b >> 16 & 127, n, false));
	case OP_s_bfe_i32:
	case OP_s_bfe_i64: S(m_field(a, b & (n - 1), b >> 16 & 127, n, true));
	case OP_s_absdiff_i32: S(u - w > 0x7fffffff ? w - u : u - w);
	case OP_s_mul_hi_u32: N((a * b) >> 32);
	case OP_s_mul_hi_i32: N(((int64_t)i * j) >> 32);
	case OP_s_lshl1_add_u32:
	case OP_s_lshl2_add_u32:
	case OP_s_lshl3_add_u32:
	case OP_s_lshl4_add_u32: {
		uint64_t x = (a << (op - OP_s_lshl1_add_u32 + 1)) + b;
		r->flag = x >> 32 != 0;
		N(x);
	}
	case OP_s_pack_ll_b32_b16: N((a & 0xffff) | b << 16);
	case OP_s_pack_lh_b32_b16: N((a & 0xffff) | (b >> 16 << 16));
	case OP_s_pack_hh_b32_b16: N(a >> 16 | (b >> 16 << 16));
	case OP_s_cmp_eq_i32:
	case OP_s_cmp_eq_u32:
	case OP_s_cmp_eq_u64: C(a == b);
	case OP_s_cmp_lg_i32:
	case OP_s_cmp_lg_u32:
	case OP_s_cmp_lg_u64: C(a != b);
	case OP_s_cmp_gt_i32: C(i > j);
	case OP_s_cmp_ge_i32: C(i >= j);
	case OP_s_cmp_lt_i32: C(i < j);
	case OP_s_cmp_le_i32: C(i <= j);
	case OP_s_cmp_gt_u32: C(u > w);
	case OP_s_cmp_ge_u32: C(u >= w);
	case OP_s_cmp_lt_u32: C(u < w);
	case OP_s_cmp_le_u32: C(u <= w);
	case OP_s_bitcmp0_b32:
	case OP_s_bitcmp0_b64: C(!(a >> by & 1));
	case OP_s_bitcmp1_b32:
	case OP_s_bitcmp1_b64: C(a >> by & 1);
	default: return false;
	}
	return true;
}

static inline bool m_scalar_one(unsigned op, const struct values *v, struct answer *r)
{
	const struct isa_info *row = isa_info(op);
	unsigned n = isa_type_dwords(row->src[0]) == 2 ? 64 : 32;
	uint64_t m = isa_type_dwords(row->dst) == 2 ? UINT64_MAX : UINT32_MAX,
		 a = n == 64 ? v->s[0] : (uint32_t)v->s[0], e = v->exec, old = v->old;
	int32_t k = v->simm, i = a, o = old;
	uint32_t u = a, ku = (uint16_t)k;
	bool negative = n == 64 ? (int64_t)a < 0 : i < 0;

	switch (op) {
	case OP_s_mov_b32:
	case OP_s_mov_b64: N(a);
	case OP_s_cmov_b32:
	case OP_s_cmov_b64: N(v->in ? a : old);
	case OP_s_not_b32:
	case OP_s_not_b64: S(~a);
	case OP_s_wqm_b32:
	case OP_s_wqm_b64: S(m_quads(a, true));
	case OP_s_quadmask_b32:
	case OP_s_quadmask_b64: S(m_quads(a, false));
	case OP_s_brev_b32:
	case OP_s_brev_b64: {
		uint64_t x = 0;
		for (unsigned t = 0; t < n; t++)
			x |= (a >> t & 1) << (n - 1 - t);
		N(x);
	}
	case OP_s_bcnt0_i32_b32:
	case OP_s_bcnt0_i32_b64: S(m_bits(a, n, 0));
	case OP_s_bcnt1_i32_b32:
	case OP_s_bcnt1_i32_b64: S(m_bits(a, n, 1));
	case OP_s_ff0_i32_b32:
	case OP_s_ff0_i32_b64: N(m_first(a, n, 0, false));
	case OP_s_ff1_i32_b32:
	case OP_s_ff1_i32_b64: N(m_first(a, n, 1, false));
	case OP_s_flbit_i32_b32:
	case OP_s_flbit_i32_b64: N(m_first(a, n, 1, true));
	case OP_s_flbit_i32:
	case OP_s_flbit_i32_i64: N(m_first(a, n, !negative, true));
	case OP_s_sext_i32_i8: N((int8_t)a);
	case OP_s_sext_i32_i16: N((int16_t)a);
	case OP_s_bitset0_b32: N(old & ~(UINT64_C(1) << (a & 31)));
	case OP_s_bitset0_b64: N(old & ~(UINT64_C(1) << (a & 63)));
	case OP_s_bitset1_b32: N(old | UINT64_C(1) << (a & 31));
	case OP_s_bitset1_b64: N(old | UINT64_C(1) << (a & 63));
	case OP_s_abs_i32: S(i < 0 ? -(int64_t)i : i);
	case OP_s_bitreplicate_b64_b32: {
		uint64_t x = 0;
		for (int t = 0; t < 64; t++)
			x |= (a >> t / 2 & 1) << t;
		N(x);
	}
	case OP_s_and_saveexec_b64: X(a & e, e);
	case OP_s_or_saveexec_b64: X(a | e, e);
	case OP_s_xor_saveexec_b64: X(a ^ e, e);
	case OP_s_andn2_saveexec_b64: X(a & ~e, e);
	case OP_s_orn2_saveexec_b64: X(a | ~e, e);
	case OP_s_nand_saveexec_b64: X(~(a & e), e);
	case OP_s_nor_saveexec_b64: X(~(a | e), e);
	case OP_s_xnor_saveexec_b64: X(~(a ^ e), e);
	case OP_s_andn1_saveexec_b64: X(~a & e, e);
	case OP_s_orn1_saveexec_b64: X(~a | e, e);
	case OP_s_andn1_wrexec_b64: X(~a & e, ~a & e);
	case OP_s_andn2_wrexec_b64: X(a & ~e, a & ~e);
	case OP_s_movk_i32: N(k);
	case OP_s_cmovk_i32: N(v->in ? (uint64_t)k : old);
	case OP_s_addk_i32: N((int64_t)o + k + 0 * (r->flag = (int64_t)o + k != (int32_t)((int64_t)o + k)));
	case OP_s_mulk_i32: N((int64_t)o * k);
	case OP_s_cmpk_eq_i32: C(i == k);
	case OP_s_cmpk_lg_i32: C(i != k);
	case OP_s_cmpk_gt_i32: C(i > k);
	case OP_s_cmpk_ge_i32: C(i >= k);
	case OP_s_cmpk_lt_i32: C(i < k);
	case OP_s_cmpk_le_i32: C(i <= k);
	case OP_s_cmpk_eq_u32: C(u == ku);
	case OP_s_cmpk_lg_u32: C(u != ku);
	case OP_s_cmpk_gt_u32: C(u > ku);
	case OP_s_cmpk_ge_u32: C(u >= ku);
	case OP_s_cmpk_lt_u32: C(u < ku);
	case OP_s_cmpk_le_u32: C(u <= ku);
	default: return false;
	}
	return true;
}

static inline bool m_scalar(unsigned op, const struct values *v, struct answer *r)
{
	*r = (struct answer){.flag = v->in, .exec = v->exec};
	return m_scalar_two(op, v, r) || m_scalar_one(op, v, r) || m_gfx11_scalar(op, v, r);
}
#undef R
#undef Q
#undef W
#undef F
#undef G
#undef H
#undef K
#undef T
#undef S
#undef N
#undef C
#undef X

#endif
