/* Packed 16-bit (VOP3P) and dot-product functions of operations.def. Operands and results are two halves in a dword.
 *
 * The executor has already selected halves (op_sel) and flipped signs (neg). Sources: AMD "Vega" ISA Reference Guide,
 * section 12.14, and the Vega 7nm edition for the dot products.
 */
#ifndef SOFTGPU_ISA_SEMANTICS_PACKED_H
#define SOFTGPU_ISA_SEMANTICS_PACKED_H

#include <stdint.h>

#include "softgpu/isa/semantics_float.h"

static inline int32_t min_i32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}
static inline int32_t max_i32(int32_t a, int32_t b)
{
	return a > b ? a : b;
}
static inline uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}
static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* The exact result v, reduced to the width: wrapped, or saturated if the clamp bit is set. */
static inline int32_t saturate_i32(int64_t v, int clamp)
{
	if (clamp)
		v = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
	return (int32_t)v;
}

static inline uint32_t saturate_u32(uint64_t v, int clamp)
{
	return clamp && v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static inline int16_t clamp_i16(int64_t v, int clamp)
{
	if (clamp)
		v = v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v;
	return (int16_t)v;
}

static inline uint16_t clamp_u16(int64_t v, int clamp)
{
	if (clamp)
		v = v < 0 ? 0 : v > UINT16_MAX ? UINT16_MAX : v;
	return (uint16_t)v;
}

static inline uint32_t pk_16(uint32_t lo, uint32_t hi)
{
	return (lo & 0xffff) | hi << 16;
}

/* expr computes one half of the result from the halves a and b. It is evaluated for the low halves, then the high ones.
 */
#define PACKED2(name, ctype, expr)                          \
	static inline uint32_t name(uint32_t A, uint32_t B) \
	{                                                   \
		ctype a = (ctype)A, b = (ctype)B;           \
		uint32_t lo = (uint32_t)(expr);             \
		a = (ctype)(A >> 16), b = (ctype)(B >> 16); \
		return pk_16(lo, (uint32_t)(expr));         \
	}
#define PACKED2_CLAMP(name, ctype, expr)                               \
	static inline uint32_t name(uint32_t A, uint32_t B, int clamp) \
	{                                                              \
		ctype a = (ctype)A, b = (ctype)B;                      \
		uint32_t lo = (uint32_t)(expr);                        \
		a = (ctype)(A >> 16), b = (ctype)(B >> 16);            \
		return pk_16(lo, (uint32_t)(expr));                    \
	}

PACKED2(pk_mul_lo_u16, uint16_t, (uint32_t)a *b)
PACKED2(pk_lshlrev_b16, uint16_t, (uint32_t)b << (a & 15))
PACKED2(pk_lshrrev_b16, uint16_t, b >> (a & 15))
PACKED2(pk_ashrrev_i16, int16_t, b >> (a & 15))
PACKED2(pk_max_i16, int16_t, a > b ? a : b)
PACKED2(pk_min_i16, int16_t, a < b ? a : b)
PACKED2(pk_max_u16, uint16_t, a > b ? a : b)
PACKED2(pk_min_u16, uint16_t, a < b ? a : b)
PACKED2_CLAMP(pk_add_i16, int16_t, clamp_i16(a + b, clamp))
PACKED2_CLAMP(pk_sub_i16, int16_t, clamp_i16(a - b, clamp))
PACKED2_CLAMP(pk_add_u16, uint16_t, clamp_u16(a + b, clamp))
PACKED2_CLAMP(pk_sub_u16, uint16_t, clamp_u16(a - b, clamp))
#undef PACKED2
#undef PACKED2_CLAMP

static inline uint32_t pk_mad_i16(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	int16_t lo = clamp_i16((int64_t)(int16_t)a * (int16_t)b + (int16_t)c, clamp);
	int16_t hi = clamp_i16((int64_t)((int32_t)a >> 16) * ((int32_t)b >> 16) + ((int32_t)c >> 16), clamp);

	return pk_16((uint16_t)lo, (uint16_t)hi);
}

static inline uint32_t pk_mad_u16(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	uint16_t lo = clamp_u16((int64_t)(a & 0xffff) * (b & 0xffff) + (c & 0xffff), clamp);
	uint16_t hi = clamp_u16((int64_t)(a >> 16) * (b >> 16) + (c >> 16), clamp);

	return pk_16(lo, hi);
}

/* Clamps to [0, 1]. NaN becomes 0 if DX10_CLAMP is set. */
static inline double clamp_float(double v)
{
	if (v != v && !(SEMANTICS_MODE & MODE_DX10_CLAMP))
		return v;
	return v > 0 ? v < 1 ? v : 1 : 0;
}

/* Two floats to halves. */
static inline uint32_t pk_f16(float lo, float hi, int clamp)
{
	if (clamp) {
		lo = clamp_float(lo);
		hi = clamp_float(hi);
	}
	return pk_16(f32_to_f16(lo), f32_to_f16(hi));
}

static inline float lo_f16(uint32_t a)
{
	return f16_in((uint16_t)a);
}
static inline float hi_f16(uint32_t a)
{
	return f16_in((uint16_t)(a >> 16));
}

static inline uint32_t pk_fma_f16(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	return pk_f16(fma_f16(lo_f16(a), lo_f16(b), lo_f16(c)), fma_f16(hi_f16(a), hi_f16(b), hi_f16(c)), clamp);
}

static inline uint32_t pk_add_f16(uint32_t a, uint32_t b, int clamp)
{
	return pk_f16(add_f32(lo_f16(a), lo_f16(b)), add_f32(hi_f16(a), hi_f16(b)), clamp);
}

static inline uint32_t pk_mul_f16(uint32_t a, uint32_t b, int clamp)
{
	return pk_f16(mul_f32(lo_f16(a), lo_f16(b)), mul_f32(hi_f16(a), hi_f16(b)), clamp);
}

static inline uint32_t pk_min_f16(uint32_t a, uint32_t b, int clamp)
{
	return pk_f16(min_f32(lo_f16(a), lo_f16(b)), min_f32(hi_f16(a), hi_f16(b)), clamp);
}

static inline uint32_t pk_max_f16(uint32_t a, uint32_t b, int clamp)
{
	return pk_f16(max_f32(lo_f16(a), lo_f16(b)), max_f32(hi_f16(a), hi_f16(b)), clamp);
}

/* --- dot products, gfx906 and later --- */
/* The products are exact in double. The hardware's order of rounding is not documented; this rounds once. */
static inline float dot2_f32_f16(uint32_t a, uint32_t b, float c)
{
	return (float)add_f64(add_f64(mul_f64(lo_f16(a), lo_f16(b)), mul_f64(hi_f16(a), hi_f16(b))), c);
}

/* gfx11: a sum after each product (RDNA3 ISA guide, V_DOT2_F32_F16). Denormal floats are flushed, whatever MODE says
 * (LLVM, SIISelLowering, on fdot2). */
static inline float dot2_steps(float a0, float b0, float a1, float b1, float c)
{
	return ftz_f32(fma_f32(a1, b1, fma_f32(a0, b0, ftz_f32(c))));
}

static inline float dot2_steps_f32_f16(uint32_t a, uint32_t b, float c)
{
	return dot2_steps(lo_f16(a), lo_f16(b), hi_f16(a), hi_f16(b), c);
}

static inline float dot2_f32_bf16(uint32_t a, uint32_t b, float c)
{
	return dot2_steps(
		bf16_to_f32((uint16_t)a), bf16_to_f32((uint16_t)b), bf16_to_f32(a >> 16), bf16_to_f32(b >> 16), c);
}

/* Results of 16 bits are rounded once more. */
static inline float dot2_f16_f16(uint32_t a, uint32_t b, float c)
{
	return dot2_steps_f32_f16(a, b, c);
}

static inline float dot2_bf16_bf16(uint32_t a, uint32_t b, float c)
{
	return dot2_f32_bf16(a, b, c);
}

static inline int32_t dot2_i32_i16(uint32_t a, uint32_t b, int32_t c, int clamp)
{
	int64_t lo = (int64_t)(int16_t)a * (int16_t)b, hi = (int64_t)((int32_t)a >> 16) * ((int32_t)b >> 16);

	return saturate_i32(lo + hi + c, clamp);
}

static inline uint32_t dot2_u32_u16(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	return saturate_u32((uint64_t)(a & 0xffff) * (b & 0xffff) + (uint64_t)(a >> 16) * (b >> 16) + c, clamp);
}

/* Signed and unsigned sums over fields of `bits` bits. */
static inline int64_t dot_signed(uint32_t a, uint32_t b, int bits)
{
	int64_t sum = 0;

	for (int i = 32 - bits; i >= 0; i -= bits)
		sum += ((int32_t)(a << i) >> (32 - bits)) * ((int32_t)(b << i) >> (32 - bits));
	return sum;
}

static inline uint64_t dot_unsigned(uint32_t a, uint32_t b, int bits)
{
	uint64_t sum = 0;

	for (int i = 32 - bits; i >= 0; i -= bits)
		sum += (a << i >> (32 - bits)) * (b << i >> (32 - bits));
	return sum;
}

static inline int32_t dot4_i32_i8(uint32_t a, uint32_t b, int32_t c, int clamp)
{
	return saturate_i32(dot_signed(a, b, 8) + c, clamp);
}

static inline uint32_t dot4_u32_u8(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	return saturate_u32(dot_unsigned(a, b, 8) + c, clamp);
}

static inline int32_t dot8_i32_i4(uint32_t a, uint32_t b, int32_t c, int clamp)
{
	return saturate_i32(dot_signed(a, b, 4) + c, clamp);
}

static inline uint32_t dot8_u32_u4(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	return saturate_u32(dot_unsigned(a, b, 4) + c, clamp);
}

/* gfx11: `bits` bits at `shift`, signed or not. */
static inline int32_t integer_element(uint32_t a, int shift, int bits, int is_signed)
{
	uint32_t top = a << (32 - bits - shift);

	return is_signed ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}

static inline int64_t dot_mixed(uint32_t a, uint32_t b, int bits, int a_signed, int b_signed)
{
	int64_t sum = 0;

	for (int i = 0; i < 32; i += bits)
		sum += integer_element(a, i, bits, a_signed) * integer_element(b, i, bits, b_signed);
	return sum;
}

static inline int32_t dot4_i32_iu8(uint32_t a, uint32_t b, int32_t c, int a_signed, int b_signed, int clamp)
{
	return saturate_i32(dot_mixed(a, b, 8, a_signed, b_signed) + c, clamp);
}

static inline int32_t dot8_i32_iu4(uint32_t a, uint32_t b, int32_t c, int a_signed, int b_signed, int clamp)
{
	return saturate_i32(dot_mixed(a, b, 4, a_signed, b_signed) + c, clamp);
}

/* --- pairs of f32 (gfx90a) --- */
#define LOW_F32(pair)  bits_f32((uint32_t)(pair))
#define HIGH_F32(pair) bits_f32((uint32_t)((pair) >> 32))

static inline uint64_t pk_f32(float low, float high)
{
	return (uint64_t)f32_bits(high) << 32 | f32_bits(low);
}

#endif
