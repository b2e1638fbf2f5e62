/* Part of row_model.h: the rows that gfx11 added, other than compares. RDNA3 ISA guide, chapter 16. */
#ifndef TESTS_SOFTGPU_CORE_ROW_MODEL_GFX11_H
#define TESTS_SOFTGPU_CORE_ROW_MODEL_GFX11_H

/* Products of fields, which bit n of `is_signed` says are signed in source n. */
static inline int64_t m_mixed_dot(uint32_t a, uint32_t b, int bits, unsigned is_signed)
{
	const int64_t size = INT64_C(1) << bits;
	int64_t sum = 0;

	for (int k = 0; k < 32; k += bits) {
		int64_t x = a >> k & (size - 1), y = b >> k & (size - 1);
		sum += (is_signed & 1 && x >= size / 2 ? x - size : x) *
			(is_signed & 2 && y >= size / 2 ? y - size : y);
	}
	return sum;
}

static inline bool m_gfx11_int(unsigned op, const struct values *v, struct answer *r)
{
	uint32_t a = v->s[0], b = v->s[1], c = v->s[2];
	int32_t ia = a, ib = b, ic = c;

	switch (op) {
	case OP_v_mov_b16: W(a);
	case OP_v_not_b16: W(~a);
	case OP_v_and_b16: W(a & b);
	case OP_v_or_b16: W(a | b);
	case OP_v_xor_b16: W(a ^ b);
	case OP_v_cndmask_b16: W(v->in ? b : a);
	case OP_v_xor3_b32: R(a ^ b ^ c);
	case OP_v_cvt_i32_i16: R((int16_t)a);
	case OP_v_cvt_u32_u16: R((uint16_t)a);
	case OP_v_maxmin_u32: R(m_clip(a > b ? a : b, 0, c));
	case OP_v_minmax_u32: R(m_clip(a < b ? a : b, c, UINT32_MAX));
	case OP_v_maxmin_i32: R(m_clip(ia > ib ? ia : ib, INT32_MIN, ic));
	case OP_v_minmax_i32: R(m_clip(ia < ib ? ia : ib, ic, INT32_MAX));
	case OP_v_dot4_i32_iu8: R(I32_CLIP(m_mixed_dot(a, b, 8, v->neg) + ic));
	case OP_v_dot8_i32_iu4: R(I32_CLIP(m_mixed_dot(a, b, 4, v->neg) + ic));
	default: return false;
	}
	return true;
}

/* A sum after each product; denormals are always flushed. */
static inline float m_dot_steps(double a0, double b0, double a1, double b1, float c)
{
	return m_flush(fmaf((float)a1, (float)b1, fmaf((float)a0, (float)b0, m_flush(c, false))), false);
}

static inline float m_half_dot(const struct values *v, float c)
{
	uint32_t a = v->s[0], b = v->s[1];

	return m_dot_steps(m_hin(v, a), m_hin(v, b), m_hin(v, a >> 16), m_hin(v, b >> 16), c);
}

/* bfloat16 is the upper half of a float. */
static inline float m_bf16(uint32_t u)
{
	return m_f32(u << 16);
}

static inline float m_bf16_dot(const struct values *v, float c)
{
	uint32_t a = v->s[0], b = v->s[1];

	return m_dot_steps(m_bf16(a), m_bf16(b), m_bf16(a >> 16), m_bf16(b >> 16), c);
}

static inline uint32_t m_round_bf16(float f)
{
	uint32_t u = m_b32(f), low = u & 0xffff;

	if (isnan(f))
		return u >> 16 | 0x40;
	return (u >> 16) + (low > 0x8000 || (low == 0x8000 && u >> 16 & 1));
}

static __attribute__((noinline)) bool m_gfx11_float(unsigned op, const struct values *v, struct answer *r)
{
	float a = m_flush(m_f32(v->s[0]), m_in32(v)), b = m_flush(m_f32(v->s[1]), m_in32(v)),
	      c = m_flush(m_f32(v->s[2]), m_in32(v)), old = m_flush(m_f32(v->old), m_in32(v)), za = m_flush(a, false);
	bool keep = m_out32(v), dark = isnan(b) || b <= -0x1.fffffep127f || isnan(c) || c <= 0;

	switch (op) {
	case OP_v_fmac_dx9_zero_f32: F(a == 0 || b == 0 ? old : m_fma(a, b, old, keep));
	case OP_v_fma_dx9_zero_f32: F(a == 0 || b == 0 ? c : m_fma(a, b, c, keep));
	case OP_v_fmamk_f32:
	case OP_v_fmaak_f32: F(m_fma(a, b, c, keep));
	case OP_v_mullit_f32: F(dark ? -0x1.fffffep127 : (double)a * b);
	case OP_v_maxmin_f32: F((float)m_min(m_max(a, b), c));
	case OP_v_minmax_f32: F((float)m_max(m_min(a, b), c));
	case OP_v_sin_f32_gfx11:
		r->near = 0x1p-22;
		T(isinf(za) || isnan(za) ? NAN : fabsf(za) > 256 ? 0 : (float)sin(2 * M_PI * remainder(za, 1)));
	case OP_v_cvt_pk_i16_f32:
		R((uint16_t)m_int(a, INT16_MIN, INT16_MAX) | (uint32_t)m_int(b, INT16_MIN, INT16_MAX) << 16);
	case OP_v_cvt_pk_u16_f32: R((uint16_t)m_int(a, 0, UINT16_MAX) | (uint32_t)m_int(b, 0, UINT16_MAX) << 16);
	case OP_v_dot2acc_f32_f16: r->d = m_b32(m_half_dot(v, m_f32(v->old))); break;
	case OP_v_dot2_f32_f16_gfx11: r->d = m_b32(m_half_dot(v, m_f32(v->s[2]))); break;
	case OP_v_dot2_f32_bf16: r->d = m_b32(m_bf16_dot(v, m_f32(v->s[2]))); break;
	case OP_v_dot2_bf16_bf16: W(m_round_bf16(m_bf16_dot(v, m_bf16(v->s[2]))));
	default: return false;
	}
	return true;
}

static __attribute__((noinline)) bool m_gfx11_half(unsigned op, const struct values *v, struct answer *r)
{
	double a = m_hin(v, v->s[0]), b = m_hin(v, v->s[1]), c = m_hin(v, v->s[2]), old = m_hin(v, v->old);

	switch (op) {
	case OP_v_fmac_f16: K(m_half(v, fma(a, b, old)));
	case OP_v_fmamk_f16:
	case OP_v_fmaak_f16: K(m_half(v, fma(a, b, c)));
	case OP_v_maxmin_f16: K(m_half(v, m_min(m_max(a, b), c)));
	case OP_v_minmax_f16: K(m_half(v, m_max(m_min(a, b), c)));
	case OP_v_dot2_f16_f16: K(m_half(v, m_half_dot(v, (float)c)));
	default: return false;
	}
	return true;
}

static inline bool m_gfx11_vector(unsigned op, const struct values *v, struct answer *r)
{
	return m_gfx11_int(op, v, r) || m_gfx11_float(op, v, r) || m_gfx11_half(op, v, r);
}

/* The result and EXEC, of whose lower half `lower` becomes the new value. */
static inline void m_save_exec(const struct values *v, uint32_t lower, bool saves, struct answer *r)
{
	r->d = saves ? (uint32_t)v->exec : lower;
	r->exec = v->exec >> 32 << 32 | lower;
	r->flag = lower != 0;
}

/* flag is the resulting SCC. */
static inline bool m_gfx11_scalar(unsigned op, const struct values *v, struct answer *r)
{
	uint32_t a = v->s[0], b = v->s[1], e = v->exec;

	switch (op) {
	case OP_s_max_i32_gfx11: R((r->flag = (int32_t)a >= (int32_t)b) ? a : b);
	case OP_s_max_u32_gfx11: R((r->flag = a >= b) ? a : b);
	case OP_s_pack_hl_b32_b16: R(a >> 16 | b << 16);
	case OP_s_and_saveexec_b32: m_save_exec(v, a & e, true, r); break;
	case OP_s_or_saveexec_b32: m_save_exec(v, a | e, true, r); break;
	case OP_s_xor_saveexec_b32: m_save_exec(v, a ^ e, true, r); break;
	case OP_s_nand_saveexec_b32: m_save_exec(v, ~(a & e), true, r); break;
	case OP_s_nor_saveexec_b32: m_save_exec(v, ~(a | e), true, r); break;
	case OP_s_xnor_saveexec_b32: m_save_exec(v, ~(a ^ e), true, r); break;
	case OP_s_and_not0_saveexec_b32: m_save_exec(v, ~a & e, true, r); break;
	case OP_s_or_not0_saveexec_b32: m_save_exec(v, ~a | e, true, r); break;
	case OP_s_and_not1_saveexec_b32: m_save_exec(v, a & ~e, true, r); break;
	case OP_s_or_not1_saveexec_b32: m_save_exec(v, a | ~e, true, r); break;
	case OP_s_and_not0_wrexec_b32: m_save_exec(v, ~a & e, false, r); break;
	case OP_s_and_not1_wrexec_b32: m_save_exec(v, a & ~e, false, r); break;
	default: return false;
	}
	return true;
}

#endif
