/* Part of row_model.h: a case for each vector row other than compares. */
#ifndef TESTS_SOFTGPU_CORE_ROW_MODEL_VECTOR_H
#define TESTS_SOFTGPU_CORE_ROW_MODEL_VECTOR_H

#define R(x)                  \
	r->d = (uint32_t)(x); \
	break
#define Q(x)                  \
	r->d = (uint64_t)(x); \
	break
#define W(x)                  \
	r->d = (uint16_t)(x); \
	break
#define F(x)                                    \
	r->d = m_b32(m_flush((x), m_out32(v))); \
	break
#define G(x)                                      \
	r->d = m_b64(m_flush64((x), m_out16(v))); \
	break
#define H(x)                 \
	r->d = m_half(v, x); \
	break
#define K(x)                                          \
	r->d = (v->old & 0xffff0000) | (uint16_t)(x); \
	break
#define CARRY(value, c)                   \
	{                                 \
		r->flag = (c) != 0;       \
		r->d = (uint32_t)(value); \
	}                                 \
	break
#define U32_CLIP(x) (v->clamp ? m_clip((x), 0, UINT32_MAX) : (__int128)(x))
#define I32_CLIP(x) (v->clamp ? m_clip((x), INT32_MIN, INT32_MAX) : (__int128)(x))
#define U16_CLIP(x) (v->clamp ? m_clip((x), 0, UINT16_MAX) : (__int128)(x))
#define I16_CLIP(x) (v->clamp ? m_clip((x), INT16_MIN, INT16_MAX) : (__int128)(x))

static inline bool m_vector_int(unsigned op, const struct values *v, struct answer *r)
{
	uint32_t a = v->s[0], b = v->s[1], c = v->s[2];
	int32_t ia = a, ib = b, ic = c;
	int64_t a24 = (int32_t)(a << 8) >> 8, b24 = (int32_t)(b << 8) >> 8;
	uint64_t ua = a, ub = b, uc = c, u24a = a & 0xffffff, u24b = b & 0xffffff, in = v->in;
	uint16_t wa = a, wb = b, wc = c;
	int16_t ha = a, hb = b, hc = c;

	switch (op) {
	case OP_v_cndmask_b32: R(v->in ? b : a);
	case OP_v_mov_b32:
	case OP_v_accvgpr_read_b32:
	case OP_v_accvgpr_mov_b32:
	case OP_v_accvgpr_write_b32: R(a);
	case OP_v_pk_mov_b32: Q(v->s[1] << 32 | a);
	case OP_v_mul_i32_i24: R(I32_CLIP(a24 * b24));
	case OP_v_mul_hi_i32_i24: R((a24 * b24) >> 32);
	case OP_v_mul_u32_u24: R(U32_CLIP(u24a * u24b));
	case OP_v_mul_hi_u32_u24: R((u24a * u24b) >> 32);
	case OP_v_min_i32: R(ia < ib ? ia : ib);
	case OP_v_max_i32: R(ia > ib ? ia : ib);
	case OP_v_min_u32: R(a < b ? a : b);
	case OP_v_max_u32: R(a > b ? a : b);
	case OP_v_lshrrev_b32: R(b >> a % 32);
	case OP_v_ashrrev_i32: R(ib >> a % 32);
	case OP_v_lshlrev_b32: R(b << a % 32);
	case OP_v_and_b32: R(a & b);
	case OP_v_or_b32: R(a | b);
	case OP_v_xor_b32: R(a ^ b);
	case OP_v_xnor_b32: R(~(a ^ b));
	case OP_v_add_co_u32: CARRY(U32_CLIP(ua + ub), (ua + ub) >> 32);
	case OP_v_sub_co_u32: CARRY(U32_CLIP((__int128)ua - ub), ua < ub);
	case OP_v_subrev_co_u32: CARRY(U32_CLIP((__int128)ub - ua), ub < ua);
	case OP_v_addc_co_u32: CARRY(U32_CLIP(ua + ub + in), (ua + ub + in) >> 32);
	case OP_v_subb_co_u32: CARRY(U32_CLIP((__int128)ua - ub - in), ua < ub + in);
	case OP_v_subbrev_co_u32: CARRY(U32_CLIP((__int128)ub - ua - in), ub < ua + in);
	case OP_v_add_u16: W(U16_CLIP(wa + wb));
	case OP_v_sub_u16: W(U16_CLIP(wa - wb));
	case OP_v_subrev_u16: W(U16_CLIP(wb - wa));
	case OP_v_mul_lo_u16: W((uint32_t)wa * wb);
	case OP_v_lshlrev_b16: W(wb << wa % 16);
	case OP_v_lshrrev_b16: W(wb >> wa % 16);
	case OP_v_ashrrev_i16: W(hb >> wa % 16);
	case OP_v_max_u16: W(wa > wb ? wa : wb);
	case OP_v_max_i16: W(ha > hb ? ha : hb);
	case OP_v_min_u16: W(wa < wb ? wa : wb);
	case OP_v_min_i16: W(ha < hb ? ha : hb);
	case OP_v_add_u32: R(U32_CLIP(ua + ub));
	case OP_v_sub_u32: R(U32_CLIP((__int128)ua - ub));
	case OP_v_subrev_u32: R(U32_CLIP((__int128)ub - ua));
	case OP_v_not_b32: R(~a);
	case OP_v_bfrev_b32: {
		uint32_t x = 0;
		for (int k = 0; k < 32; k++)
			x |= (a >> k & 1) << (31 - k);
		R(x);
	}
	case OP_v_ffbh_u32: {
		int k = 31;
		while (k >= 0 && !(a >> k & 1))
			k--;
		R(k < 0 ? -1 : 31 - k);
	}
	case OP_v_ffbl_b32: {
		int k = 0;
		while (k < 32 && !(a >> k & 1))
			k++;
		R(k < 32 ? k : -1);
	}
	case OP_v_ffbh_i32: {
		int k = 1;
		while (k < 32 && (a >> (31 - k) & 1) == a >> 31)
			k++;
		R(k < 32 ? k : -1);
	}
	case OP_v_sat_pk_u8_i16: R((uint16_t)(m_clip(ha, 0, 255) | m_clip((int16_t)(a >> 16), 0, 255) << 8));
	case OP_v_mad_i32_i24: R(I32_CLIP(a24 * b24 + ic));
	case OP_v_mad_u32_u24: R(U32_CLIP((__int128)(u24a * u24b) + c));
	case OP_v_bfe_u32: R(m_field(a, b & 31, c & 31, 32, false));
	case OP_v_bfe_i32: R(m_field(a, b & 31, c & 31, 32, true));
	case OP_v_bfi_b32: R((a & b) | (c & ~a));
	case OP_v_lerp_u8: {
		uint32_t x = 0;
		for (int k = 0; k < 32; k += 8)
			x |= ((a >> k & 255) + (b >> k & 255) + (c >> k & 1)) / 2 << k;
		R(x);
	}
	case OP_v_alignbit_b32: R((ua << 32 | ub) >> (c & 31));
	case OP_v_alignbyte_b32: R((ua << 32 | ub) >> 8 * (c & 3));
	case OP_v_min3_i32: R(m_clip(ia, INT32_MIN, ib < ic ? ib : ic));
	case OP_v_max3_i32: R(m_clip(ia, ib > ic ? ib : ic, INT32_MAX));
	case OP_v_min3_u32: R(m_clip(a, 0, b < c ? b : c));
	case OP_v_max3_u32: R(m_clip(a, b > c ? b : c, UINT32_MAX));
	case OP_v_med3_i32: R(m_clip(ia, ib < ic ? ib : ic, ib > ic ? ib : ic));
	case OP_v_med3_u32: R(m_clip(a, b < c ? b : c, b > c ? b : c));
	case OP_v_sad_u8: R(U32_CLIP(uc + m_sad(a, b, 8, false)));
	case OP_v_sad_hi_u8: R(U32_CLIP(uc + ((uint64_t)m_sad(a, b, 8, false) << 16)));
	case OP_v_sad_u16: R(U32_CLIP(uc + m_sad(a, b, 16, false)));
	case OP_v_sad_u32: R(U32_CLIP(uc + m_sad(a, b, 32, false)));
	case OP_v_msad_u8: R(U32_CLIP(uc + m_sad(a, b, 8, true)));
	case OP_v_qsad_pk_u16_u8:
	case OP_v_mqsad_pk_u16_u8: {
		uint64_t x = 0;
		for (int k = 0; k < 4; k++)
			x |= (uint64_t)(uint16_t)U16_CLIP((int64_t)(uint16_t)(v->s[2] >> 16 * k) +
				     m_sad(v->s[0] >> 8 * k, b, 8, op == OP_v_mqsad_pk_u16_u8))
				<< 16 * k;
		Q(x);
	}
	case OP_v_mad_u64_u32: {
		unsigned __int128 x = (unsigned __int128)ua * ub + v->s[2];
		r->flag = x >> 64 != 0;
		Q(x);
	}
	case OP_v_mad_i64_i32: {
		__int128 x = (__int128)ia * ib + (int64_t)v->s[2];
		r->flag = x != (int64_t)x;
		Q(x);
	}
	case OP_v_mad_legacy_u16: W(U16_CLIP((int64_t)wa * wb + wc));
	case OP_v_mad_legacy_i16: W(I16_CLIP((int64_t)ha * hb + hc));
	case OP_v_mad_u16: K(U16_CLIP((int64_t)wa * wb + wc));
	case OP_v_mad_i16: K(I16_CLIP((int64_t)ha * hb + hc));
	case OP_v_mad_u32_u16: R(U32_CLIP((__int128)wa * wb + c));
	case OP_v_mad_i32_i16: R(I32_CLIP((__int128)ha * hb + ic));
	case OP_v_perm_b32: R(m_perm(a, b, c));
	case OP_v_xad_u32: R((a ^ b) + c);
	case OP_v_min3_i16: K(m_clip(ha, INT16_MIN, hb < hc ? hb : hc));
	case OP_v_max3_i16: K(m_clip(ha, hb > hc ? hb : hc, INT16_MAX));
	case OP_v_min3_u16: K(m_clip(wa, 0, wb < wc ? wb : wc));
	case OP_v_max3_u16: K(m_clip(wa, wb > wc ? wb : wc, UINT16_MAX));
	case OP_v_med3_i16: K(m_clip(ha, hb < hc ? hb : hc, hb > hc ? hb : hc));
	case OP_v_med3_u16: K(m_clip(wa, wb < wc ? wb : wc, wb > wc ? wb : wc));
	case OP_v_lshl_add_u32: R((a << b % 32) + c);
	case OP_v_add_lshl_u32: R((a + b) << c % 32);
	case OP_v_add3_u32: R(a + b + c);
	case OP_v_lshl_or_b32: R(a << b % 32 | c);
	case OP_v_and_or_b32: R((a & b) | c);
	case OP_v_or3_b32: R(a | b | c);
	case OP_v_mul_lo_u32: R(ua * ub);
	case OP_v_mul_hi_u32: R((ua * ub) >> 32);
	case OP_v_mul_hi_i32: R(((int64_t)ia * ib) >> 32);
	case OP_v_bcnt_u32_b32: {
		uint32_t n = b;
		for (int k = 0; k < 32; k++)
			n += a >> k & 1;
		R(n);
	}
	case OP_v_mbcnt_lo_u32_b32: {
		uint32_t n = b;
		for (int k = 0; k < 32 && k < v->lane; k++)
			n += a >> k & 1;
		R(n);
	}
	case OP_v_mbcnt_hi_u32_b32: {
		uint32_t n = b;
		for (int k = 32; k < v->lane; k++)
			n += a >> (k - 32) & 1;
		R(n);
	}
	case OP_v_lshlrev_b64: Q(v->s[1] << a % 64);
	case OP_v_lshrrev_b64: Q(v->s[1] >> a % 64);
	case OP_v_ashrrev_i64: Q((int64_t)v->s[1] >> a % 64);
	case OP_v_bfm_b32: R(((UINT64_C(1) << (a & 31)) - 1) << (b & 31));
	case OP_v_cvt_pk_u16_u32: R(m_clip(a, 0, 65535) | m_clip(b, 0, 65535) << 16);
	case OP_v_cvt_pk_i16_i32: R((uint16_t)m_clip(ia, -32768, 32767) | (uint32_t)m_clip(ib, -32768, 32767) << 16);
	case OP_v_add_i32: R(I32_CLIP((int64_t)ia + ib));
	case OP_v_sub_i32: R(I32_CLIP((int64_t)ia - ib));
	case OP_v_add_i16: K(I16_CLIP(ha + hb));
	case OP_v_sub_i16: K(I16_CLIP(ha - hb));

	case OP_v_dot2_i32_i16:
	case OP_v_dot2c_i32_i16: R(I32_CLIP(m_dot(a, b, 16, true) + (op == OP_v_dot2_i32_i16 ? ic : (int32_t)v->old)));
	case OP_v_dot2_u32_u16: R(U32_CLIP(m_dot(a, b, 16, false) + c));
	case OP_v_dot4_i32_i8:
	case OP_v_dot4c_i32_i8: R(I32_CLIP(m_dot(a, b, 8, true) + (op == OP_v_dot4_i32_i8 ? ic : (int32_t)v->old)));
	case OP_v_dot4_u32_u8: R(U32_CLIP(m_dot(a, b, 8, false) + c));
	case OP_v_dot8_i32_i4:
	case OP_v_dot8c_i32_i4: R(I32_CLIP(m_dot(a, b, 4, true) + (op == OP_v_dot8_i32_i4 ? ic : (int32_t)v->old)));
	case OP_v_dot8_u32_u4: R(U32_CLIP(m_dot(a, b, 4, false) + c));
	default:
		if (op < OP_v_pk_mad_i16 || op > OP_v_pk_min_u16)
			return false;
		r->d = m_pk_int(op, a, b, c, v->clamp);
	}
	return true;
}

#include "tests/softgpu/core/row_model_float.h"

static inline uint16_t m_rtz(const struct values *v, float f)
{
	f = m_flush(f, m_in32(v));
	uint16_t h = m_b16(f);

	h = !isnan(f) && fabs(m_f16(h)) > fabsf(f)                 ? h - 1
		: !isinf(f) && !isnan(f) && (h & 0x7fff) == 0x7c00 ? h - 1
								   : h;
	return m_b16(m_flush16(m_f16(h), m_out16(v)));
}

static __attribute__((noinline)) bool m_vector_rest(unsigned op, const struct values *v, struct answer *r)
{
	double x = m_din(v, v->s[0]), y = m_din(v, v->s[1]), z = m_din(v, v->s[2]);
	double a = m_hin(v, v->s[0]), b = m_hin(v, v->s[1]), c = m_hin(v, v->s[2]), old = m_hin(v, v->old);
	double af = m_flush(m_f32(v->s[0]), m_in32(v));
	int e = 0;

	switch (op) {
	case OP_v_cvt_i32_f64: R(m_int(x, INT32_MIN, INT32_MAX));
	case OP_v_cvt_u32_f64: R(m_int(x, 0, UINT32_MAX));
	case OP_v_cvt_f64_i32: G((int32_t)v->s[0]);
	case OP_v_cvt_f64_u32: G((uint32_t)v->s[0]);
	case OP_v_cvt_f64_f32: G(af);
	case OP_v_trunc_f64: G(trunc(x));
	case OP_v_ceil_f64: G(ceil(x));
	case OP_v_rndne_f64: G(roundeven(x));
	case OP_v_floor_f64: G(floor(x));
	case OP_v_rcp_f64: G(1 / x);
	case OP_v_rsq_f64: r->ulps = 1; G(1 / sqrt(x));
	case OP_v_sqrt_f64: G(sqrt(x));
	case OP_v_frexp_exp_i32_f64: frexp(x, &e); R(isnan(x) || isinf(x) ? 0 : e);
	case OP_v_frexp_mant_f64: G(isinf(x) ? x : frexp(x, &e));
	case OP_v_fract_f64: G(m_fract(x, 1 - 0x1p-53));
	case OP_v_fma_f64: G(fma(x, y, z));
	case OP_v_fmac_f64: G(fma(x, y, m_din(v, v->old)));
	case OP_v_add_f64: G(x + y);
	case OP_v_mul_f64: G(x * y);
	case OP_v_min_f64: G(m_min(x, y));
	case OP_v_max_f64: G(m_max(x, y));
	case OP_v_ldexp_f64: G(ldexp(x, (int)m_clip((int32_t)v->s[1], -5000, 5000)));
	case OP_v_div_fixup_f64: G(m_fixup(x, y, z, -1022, -1075));
	case OP_v_add_f16: H(a + b);
	case OP_v_sub_f16: H(a - b);
	case OP_v_subrev_f16: H(b - a);
	case OP_v_mul_f16: H(a * b);
	case OP_v_mac_f16: K(m_half(v, m_f16(m_half(v, a * b)) + old));
	case OP_v_madmk_f16:
	case OP_v_madak_f16:
	case OP_v_mad_f16: K(m_half(v, m_f16(m_half(v, a * b)) + c));
	case OP_v_mad_legacy_f16: H(m_f16(m_half(v, a * b)) + c);
	case OP_v_fma_f16: K(m_half(v, fma(a, b, c)));
	case OP_v_fma_legacy_f16: H(fma(a, b, c));
	case OP_v_max_f16: H(m_max(a, b));
	case OP_v_min_f16: H(m_min(a, b));
	case OP_v_ldexp_f16: H(ldexp(a, (int)m_clip((int16_t)v->s[1], -60, 60)));
	case OP_v_cvt_f16_u16: H((uint16_t)v->s[0]);
	case OP_v_cvt_f16_i16: H((int16_t)v->s[0]);
	case OP_v_cvt_u16_f16: W(m_int(a, 0, UINT16_MAX));
	case OP_v_cvt_i16_f16: W(m_int(a, INT16_MIN, INT16_MAX));
	case OP_v_rcp_f16: r->ulps = 1; H(1 / a);
	case OP_v_sqrt_f16: r->ulps = 1; H(sqrt(a));
	case OP_v_rsq_f16: r->ulps = 1; H(1 / sqrt(a));
	case OP_v_log_f16: r->ulps = 1; H(log2(a));
	case OP_v_exp_f16: r->ulps = 1; H(exp2(a > 1000 && !isinf(a) ? 1000 : a));
	case OP_v_frexp_mant_f16: H(isinf(a) ? a : frexp(a, &e));
	case OP_v_frexp_exp_i16_f16: frexp(a, &e); W(isnan(a) || isinf(a) ? 0 : e);
	case OP_v_floor_f16: H(floor(a));
	case OP_v_ceil_f16: H(ceil(a));
	case OP_v_trunc_f16: H(trunc(a));
	case OP_v_rndne_f16: H(roundeven(a));
	case OP_v_fract_f16: H(m_fract(a, 1 - 0x1p-11));
	case OP_v_sin_f16:
		r->near = 0x1p-11;
		r->ulps = 1;
		H(isinf(a) ? NAN : fabs(a) > 256 ? 0 : sin(2 * M_PI * remainder(a, 1)));
	case OP_v_cos_f16:
		r->near = 0x1p-11;
		r->ulps = 1;
		H(isinf(a) ? NAN : fabs(a) > 256 ? 1 : cos(2 * M_PI * remainder(a, 1)));
	case OP_v_cvt_norm_i16_f16: W(m_int(roundeven(m_min(m_max(a, -1), 1) * 32767 * !isnan(a)), -32767, 32767));
	case OP_v_cvt_norm_u16_f16: W(m_int(roundeven(m_min(m_max(a, 0), 1) * 65535), 0, 65535));
	case OP_v_cvt_pknorm_i16_f16:
		R((uint16_t)m_int(roundeven(m_min(m_max(a, -1), 1) * 32767 * !isnan(a)), -32767, 32767) |
			(uint32_t)m_int(roundeven(m_min(m_max(b, -1), 1) * 32767 * !isnan(b)), -32767, 32767) << 16);
	case OP_v_cvt_pknorm_u16_f16:
		R(m_int(roundeven(m_min(m_max(a, 0), 1) * 65535), 0, 65535) |
			(uint32_t)m_int(roundeven(m_min(m_max(b, 0), 1) * 65535), 0, 65535) << 16);
	case OP_v_cvt_pkrtz_f16_f32: R(m_rtz(v, m_f32(v->s[0])) | (uint32_t)m_rtz(v, m_f32(v->s[1])) << 16);
	case OP_v_min3_f16: K(m_half(v, m_min(m_min(a, b), c)));
	case OP_v_max3_f16: K(m_half(v, m_max(m_max(a, b), c)));
	case OP_v_med3_f16: r->near = 0x1p-25; K(m_half(v, m_med3(a, b, c)));
	case OP_v_pack_b32_f16: R(m_half(v, a) | m_half(v, b) << 16);
	case OP_v_div_fixup_f16: K(m_half(v, m_fixup(a, b, c, -126, -1000)));
	case OP_v_div_fixup_legacy_f16: H(m_fixup(a, b, c, -126, -1000));
	case OP_v_pk_fma_f16:
	case OP_v_pk_add_f16:
	case OP_v_pk_mul_f16:
	case OP_v_pk_min_f16:
	case OP_v_pk_max_f16: R(m_pk_half(op, v, v->s[0], v->s[1], v->s[2]));
	case OP_v_pk_fmac_f16: R(m_pk_half(op, v, v->s[0], v->s[1], v->old));
	default: return false;
	}
	return true;
}

#include "tests/softgpu/core/row_model_gfx11.h"

static inline bool m_is_wide_float(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	return row->dst == T_F16 || row->dst == T_F16K || row->dst == T_F64 ||
		(row->dst == T_P16 && strstr(row->name, "f16"));
}

/* Minimum and maximum of two values, which in IEEE mode return a NaN for a signaling NaN. */
static inline bool m_min_max_type(unsigned op)
{
	return op == OP_v_min_f32 || op == OP_v_max_f32 || op == OP_v_min_f64 || op == OP_v_max_f64 ||
		op == OP_v_min_f16 || op == OP_v_max_f16;
}

static inline bool m_signals(uint64_t u, enum isa_type t)
{
	int quiet = t == T_F64 ? 51 : t == T_F32 ? 22 : 9;

	return isnan(t == T_F64 ? m_f64(u) : t == T_F32 ? m_f32(u) : m_f16(u)) && !(u >> quiet & 1);
}

#include "tests/softgpu/core/row_nans.h"

static inline bool m_vector(unsigned op, const struct values *v, struct answer *r);

/* Each half of a pair is what the operation on f32 gives. */
static inline bool m_pair(unsigned op, const struct values *v, struct answer *r)
{
	const unsigned single = op == OP_v_pk_fma_f32 ? OP_v_fma_f32
		: op == OP_v_pk_mul_f32               ? OP_v_mul_f32
		: op == OP_v_pk_add_f32               ? OP_v_add_f32
						      : OP_INVALID;
	struct answer half[2];
	bool ambiguous = false;

	for (unsigned k = 0; k < 2 && single != OP_INVALID; k++) {
		struct values of = *v;
		for (unsigned n = 0; n < 3; n++)
			of.s[n] = (uint32_t)(v->s[n] >> 32 * k);
		m_vector(single, &of, &half[k]);
		ambiguous |= m_is_ambiguous;
	}
	m_is_ambiguous = ambiguous;
	if (single != OP_INVALID)
		*r = (struct answer){.flag = -1, .d = (uint32_t)half[0].d | half[1].d << 32};
	return single != OP_INVALID;
}

static inline bool m_vector(unsigned op, const struct values *v, struct answer *r)
{
	const struct isa_info *row = isa_info(op);
	bool mixed = row->src[0] == T_MIX, unrounded = row->rate == RATE_QUARTER || row->rate == RATE_F64_TRANS;

	*r = (struct answer){.flag = -1};
	m_is_ambiguous = false;
	if (row->enc == ENC_VOPC)
		return m_compare(row, v, r);
	if (m_pair(op, v, r))
		return true;
	m_rounding(unrounded ? 0 : v->mode >> (m_is_wide_float(op) && !mixed ? 2 : 0));
	bool known =
		m_vector_int(op, v, r) || m_vector_f32(op, v, r) || m_vector_rest(op, v, r) || m_gfx11_vector(op, v, r);
	fesetround(FE_TONEAREST);
	if (m_min_max_type(op) && v->mode >> 9 & 1 && (m_signals(v->s[0], row->dst) || m_signals(v->s[1], row->dst)))
		r->d = row->dst == T_F64 ? m_b64(NAN) : row->dst == T_F32 ? m_b32(NAN) : m_b16(NAN);
	m_keep_first_nan(op, v, r);
	return known;
}

#endif
