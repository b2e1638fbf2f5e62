/* The model of rows of f32 and of mixed precision. */
#ifndef TESTS_SOFTGPU_CORE_ROW_MODEL_FLOAT_H
#define TESTS_SOFTGPU_CORE_ROW_MODEL_FLOAT_H

static inline float m_mad(float a, float b, float c)
{
	volatile float p = m_flush((double)m_flush(a, false) * m_flush(b, false), false);

	return m_flush(p + m_flush(c, false), false);
}

/* Converts an f32 result to a half, which has a separate rounding mode. */
static inline uint64_t m_mixed(const struct values *v, volatile float f)
{
	m_rounding(v->mode >> 2);
	return m_half(v, f);
}

/* Accurate to 1 ulp, as the guide specifies. This unit always flushes denormals. */
#define T(x)                               \
	r->ulps = 2;                       \
	r->d = m_b32(m_flush((x), false)); \
	break
static __attribute__((noinline)) bool m_vector_f32(unsigned op, const struct values *v, struct answer *r)
{
	float a = m_flush(m_f32(v->s[0]), m_in32(v)), b = m_flush(m_f32(v->s[1]), m_in32(v)),
	      c = m_flush(m_f32(v->s[2]), m_in32(v));
	float old = m_flush(m_f32(v->old), m_in32(v)), za = m_flush(a, false);
	float zb = m_flush(b, false), zc = m_flush(c, false);
	uint32_t ua = v->s[0], ub = v->s[1], uc = v->s[2];
	int e = 0;

	switch (op) {
	case OP_v_add_f32: F(a + b);
	case OP_v_sub_f32: F(a - b);
	case OP_v_subrev_f32: F(b - a);
	case OP_v_mul_f32: F((double)a * b);
	case OP_v_mul_legacy_f32_gfx90a:
	case OP_v_mul_legacy_f32: F(a == 0 || b == 0 ? 0 : (double)a * b);
	case OP_v_min_f32: F((float)m_min(a, b));
	case OP_v_max_f32: F((float)m_max(a, b));
	case OP_v_mac_f32: r->d = m_b32(m_mad(a, b, old)); break;
	case OP_v_madmk_f32:
	case OP_v_madak_f32:
	case OP_v_mad_f32: r->d = m_b32(m_mad(a, b, c)); break;
	case OP_v_mad_legacy_f32: r->d = m_b32(m_flush(za == 0 || zb == 0 ? 0 + zc : m_mad(a, b, c), false)); break;
	case OP_v_fmac_f32: F(m_fma(a, b, old, m_out32(v)));
	case OP_v_fma_f32: F(m_fma(a, b, c, m_out32(v)));
	case OP_v_cvt_f32_i32: F((float)(int32_t)ua);
	case OP_v_cvt_f32_u32: F((float)ua);
	case OP_v_cvt_u32_f32: R(m_int(a, 0, UINT32_MAX));
	case OP_v_cvt_i32_f32: R(m_int(a, INT32_MIN, INT32_MAX));
	case OP_v_cvt_rpi_i32_f32: R(m_int(floor((double)a + 0.5), INT32_MIN, INT32_MAX));
	case OP_v_cvt_flr_i32_f32: R(m_int(floor(a), INT32_MIN, INT32_MAX));
	case OP_v_cvt_off_f32_i4: F(((int)(ua << 28) >> 28) / 16.0f);
	case OP_v_cvt_f32_ubyte0:
	case OP_v_cvt_f32_ubyte1:
	case OP_v_cvt_f32_ubyte2:
	case OP_v_cvt_f32_ubyte3: F((float)(ua >> 8 * (op - OP_v_cvt_f32_ubyte0) & 255));
	case OP_v_fract_f32: F((float)m_fract(a, 1 - 0x1p-24));
	case OP_v_trunc_f32: F(truncf(a));
	case OP_v_ceil_f32: F(ceilf(a));
	case OP_v_rndne_f32: F(roundevenf(a));
	case OP_v_floor_f32: F(floorf(a));
	case OP_v_exp_f32:
	case OP_v_exp_legacy_f32: T((float)exp2(za));
	case OP_v_log_f32:
	case OP_v_log_legacy_f32: T((float)log2(za));
	case OP_v_rcp_f32:
	case OP_v_rcp_iflag_f32: T((float)(1.0 / za));
	case OP_v_rsq_f32: T((float)(1.0 / sqrt(za)));
	case OP_v_sqrt_f32: T((float)sqrt(za));
	case OP_v_sin_f32:
		r->near = 0x1p-22;
		T(isinf(za) || isnan(za) ? NAN : fabsf(za) > 256 ? 0 : (float)sin(2 * M_PI * remainder(za, 1)));
	case OP_v_cos_f32:
		r->near = 0x1p-22;
		T(isinf(za) || isnan(za) ? NAN : fabsf(za) > 256 ? 1 : (float)cos(2 * M_PI * remainder(za, 1)));
	case OP_v_frexp_exp_i32_f32: frexp(a, &e); R(isnan(a) || isinf(a) ? 0 : e);
	case OP_v_frexp_mant_f32: F(isinf(a) ? a : (float)frexp(a, &e));
	case OP_v_cubeid_f32:
	case OP_v_cubesc_f32:
	case OP_v_cubetc_f32:
	case OP_v_cubema_f32: F(m_cube(op, a, b, c));
	case OP_v_min3_f32: F((float)m_min(m_min(a, b), c));
	case OP_v_max3_f32: F((float)m_max(m_max(a, b), c));
	case OP_v_med3_f32: r->near = 0x1p-149; F((float)m_med3(a, b, c));
	case OP_v_cvt_pk_u8_f32:
	case OP_v_cvt_pkaccum_u8_f32: {
		uint32_t shift = 8 * (ub & 3), into = op == OP_v_cvt_pk_u8_f32 ? uc : (uint32_t)v->old;
		R((into & ~(255u << shift)) | (uint32_t)m_int(nearbyint(a), 0, 255) << shift);
	}
	case OP_v_div_fixup_f32: F((float)m_fixup(a, b, c, -126, -150));
	case OP_v_ldexp_f32: F((float)ldexp(a, (int)m_clip((int32_t)ub, -2000, 2000)));
	case OP_v_cvt_f16_f32: H(a);
	case OP_v_cvt_f32_f16: F((float)m_hin(v, v->s[0]));
	case OP_v_cvt_f32_f64: F((float)m_din(v, v->s[0]));
	case OP_v_cvt_pknorm_i16_f32:
		R((uint16_t)m_int(roundeven(m_min(m_max(a, -1), 1) * 32767.0 * !isnan(a)), -32767, 32767) |
			(uint32_t)m_int(roundeven(m_min(m_max(b, -1), 1) * 32767.0 * !isnan(b)), -32767, 32767) << 16);
	case OP_v_cvt_pknorm_u16_f32:
		R(m_int(roundeven(m_min(m_max(a, 0), 1) * 65535.0), 0, 65535) |
			(uint32_t)m_int(roundeven(m_min(m_max(b, 0), 1) * 65535.0), 0, 65535) << 16);
	case OP_v_dot2_f32_f16:
	case OP_v_dot2c_f32_f16: { /* the guide does not specify intermediate rounding */
		double x = m_hin(v, ua) * m_hin(v, ub), y = m_hin(v, ua >> 16) * m_hin(v, ub >> 16),
		       z = op == OP_v_dot2_f32_f16 ? m_f32(v->s[2]) : m_f32(v->old);
		r->ulps = 1;
		r->near = fmax(0x1p-126, 0x1p-22 * fmax(fabs(x), fmax(fabs(y), fabs(z))));
		r->d = m_b32((float)(x + y + z));
		break;
	}
	case OP_v_mad_mix_f32: r->d = m_b32(m_mad(a, b, c)); break;
	case OP_v_fma_mix_f32: F(m_fma(a, b, c, m_out32(v)));
	case OP_v_mad_mixlo_f16: K(m_mixed(v, m_mad(a, b, c)));
	case OP_v_mad_mixhi_f16: R((v->old & 0xffff) | m_mixed(v, m_mad(a, b, c)) << 16);
	case OP_v_fma_mixlo_f16: K(m_mixed(v, m_fma(a, b, c, m_out32(v))));
	case OP_v_fma_mixhi_f16: R((v->old & 0xffff) | m_mixed(v, m_fma(a, b, c, m_out32(v))) << 16);
	default: return false;
	}
	return true;
}

#endif
