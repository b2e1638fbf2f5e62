/* Floating-point functions of operations.def: half conversion, NaN rules, saturating conversions, division steps, and
 * the transcendental unit.
 *
 * They use only IEEE operations, no libm approximations, so that every host computes the same bits. Results follow the
 * AMD "Vega" ISA Reference Guide; functions that the hardware approximates (1 ulp) are more accurate here. f32 and f64
 * round as the host does, halves as SEMANTICS_MODE specifies (mode_register.h).
 */
#ifndef SOFTGPU_ISA_SEMANTICS_FLOAT_H
#define SOFTGPU_ISA_SEMANTICS_FLOAT_H

#include <stdint.h>
#include <string.h>

#include "softgpu/isa/mode_register.h"

static inline uint32_t f32_bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}
static inline float bits_f32(uint32_t u)
{
	float f;
	memcpy(&f, &u, 4);
	return f;
}
static inline uint64_t f64_bits(double f)
{
	uint64_t u;
	memcpy(&u, &f, 8);
	return u;
}
static inline double bits_f64(uint64_t u)
{
	double f;
	memcpy(&f, &u, 8);
	return f;
}
static inline int is_nan_f32(float a)
{
	return (f32_bits(a) & 0x7fffffff) > 0x7f800000;
}
static inline int is_nan_f64(double a)
{
	return (f64_bits(a) & INT64_MAX) > UINT64_C(0x7ff) << 52;
}

/* Flushes a denormal to zero of the same sign. */
static inline float ftz_f32(float a)
{
	uint32_t u = f32_bits(a);

	return bits_f32(u & 0x7f800000 ? u : u & 0x80000000);
}

static inline float quiet_f32(float a)
{
	return bits_f32(f32_bits(a) | (is_nan_f32(a) ? 0x00400000 : 0));
}

static inline double quiet_f64(double a)
{
	return bits_f64(f64_bits(a) | (is_nan_f64(a) ? UINT64_C(1) << 51 : 0));
}

/* --- half --- */
/* Exact. NaN payloads are kept and NaNs are not quieted. The product with 2^112 corrects the exponent bias, also for
 * denormals. */
static inline float f16_to_f32(uint16_t h)
{
	uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
	uint32_t finite = f32_bits(bits_f32(magnitude) * 0x1p112f);
	uint32_t bits = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : finite;

	return bits_f32(bits | (uint32_t)(h & 0x8000) << 16);
}

static inline float bf16_to_f32(uint16_t b)
{
	return bits_f32((uint32_t)b << 16);
}

/* Rounds to nearest even, whatever MODE says. */
static inline uint16_t f32_to_bf16(float f)
{
	uint32_t u = f32_bits(f);

	return is_nan_f32(f) ? u >> 16 | 0x40 : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

/* A half as an operand: flushed if MODE requires it. */
static inline float f16_in(uint16_t h)
{
	return f16_to_f32(SEMANTICS_MODE & MODE_IN_16_64 || h & 0x7c00 ? h : h & 0x8000);
}

static inline uint16_t f16_out(uint16_t h)
{
	return SEMANTICS_MODE & MODE_OUT_16_64 || h & 0x7c00 ? h : h & 0x8000;
}

/* Rounds to nearest even. Below the smallest normal half, adding 0.5 makes the host's adder round at the right bit. */
static inline uint16_t f32_to_f16_nearest(float f)
{
	uint32_t u = f32_bits(f), m = u & 0x7fffffff;
	uint32_t denormal = f32_bits(bits_f32(m) + 0.5f) - 0x3f000000;
	uint32_t normal = (m + 0xfff + (m >> 13 & 1) - (112u << 23)) >> 13;
	uint32_t special = m > 0x7f800000 ? 0x7e00 | (m >> 13 & 0x3ff) : 0x7c00;

	return (m >= 0x477ff000 ? special : m < 0x38800000 ? denormal : normal) | u >> 31 << 15;
}

/* Rounds toward zero: a value that is too large becomes the largest half. */
static inline uint16_t f32_to_f16_truncated(float f)
{
	uint32_t u = f32_bits(f), m = u & 0x7fffffff;
	uint32_t shift = 126 - (m >> 23); /* shift of the significand, for denormal halves */
	uint32_t denormal = shift > 24 ? 0 : ((m & 0x7fffff) | 0x800000) >> (shift & 31);
	uint32_t special = m > 0x7f800000 ? 0x7e00 | (m >> 13 & 0x3ff) : m == 0x7f800000 ? 0x7c00 : 0x7bff;

	return (m >= 0x47800000 ? special : m < 0x38800000 ? denormal : (m - (112u << 23)) >> 13) | u >> 31 << 15;
}

static inline uint16_t f32_to_f16_rtz(float f)
{
	return f16_out(f32_to_f16_truncated(f));
}

/* Whether a magnitude between the halves h and h + 1 rounds to h + 1. */
static inline int rounds_away_from_zero(float magnitude, uint16_t h, int negative)
{
	int mode = SEMANTICS_MODE >> MODE_ROUND_16_64 & 3;
	double low = f16_to_f32(h), high = h == 0x7bff ? 65536 : f16_to_f32(h + 1), below = magnitude - low,
	       above = high - magnitude;

	if (mode == 0)
		return below > above || (below == above && h & 1);
	return below > 0 && mode == (negative ? 2 : 1);
}

/* Rounds as MODE specifies, independent of the host's rounding mode. */
static inline uint16_t f32_to_f16_moded(float f)
{
	uint16_t h = f32_to_f16_truncated(f), m = h & 0x7fff;

	if (m < 0x7c00)
		m += rounds_away_from_zero(__builtin_fabsf(f), m, h >> 15);
	if (m == 0x7c00 && SEMANTICS_MODE & MODE_FP16_OVFL && __builtin_fabsf(f) <= 0x1.fffffep127f)
		m = 0x7bff;
	return f16_out(m | (h & 0x8000));
}

static inline uint16_t f32_to_f16(float f)
{
	return SEMANTICS_MODE == MODE_COMPUTE_DEFAULT ? f32_to_f16_nearest(f) : f32_to_f16_moded(f);
}

/* A float operand where the host does not flush denormals. */
static inline float f32_in(float f)
{
	return SEMANTICS_MODE & MODE_IN_32 ? f : ftz_f32(f);
}

/* --- add and multiply --- */
/* Of several NaNs the first operand is the result, quieted: in the order of the sum or product, for a multiply-add the
 * factors first. AMD's guides do not say which one. Hosts do the same, but compilers exchange operands. */
#define FIRST_NAN(a, is_nan, quiet, result) (is_nan(a) ? quiet(a) : (result))
#define BINARY(name, type, is_nan, quiet, operator)               \
	static inline type name(type a, type b)                   \
	{                                                         \
		return FIRST_NAN(a, is_nan, quiet, a operator b); \
	}
BINARY(add_f32, float, is_nan_f32, quiet_f32, +)
BINARY(sub_f32, float, is_nan_f32, quiet_f32, -)
BINARY(mul_f32, float, is_nan_f32, quiet_f32, *)
BINARY(add_f64, double, is_nan_f64, quiet_f64, +)
BINARY(sub_f64, double, is_nan_f64, quiet_f64, -)
BINARY(mul_f64, double, is_nan_f64, quiet_f64, *)
#undef BINARY

/* `r` computed from the three, none of which is a NaN; or the first NaN. */
static inline float first_nan_f32(float a, float b, float c, float r)
{
	return FIRST_NAN(
		a, is_nan_f32, quiet_f32, FIRST_NAN(b, is_nan_f32, quiet_f32, FIRST_NAN(c, is_nan_f32, quiet_f32, r)));
}
static inline double first_nan_f64(double a, double b, double c, double r)
{
	return FIRST_NAN(
		a, is_nan_f64, quiet_f64, FIRST_NAN(b, is_nan_f64, quiet_f64, FIRST_NAN(c, is_nan_f64, quiet_f64, r)));
}

static inline float fma_f32(float a, float b, float c)
{
	return first_nan_f32(a, b, c, __builtin_fmaf(a, b, c));
}
static inline double fma_f64(double a, double b, double c)
{
	return first_nan_f64(a, b, c, __builtin_fma(a, b, c));
}

/* v_mad_f32 also rounds the product, and always flushes denormals. */
static inline float mad_f32(float a, float b, float c)
{
	return ftz_f32(add_f32(ftz_f32(mul_f32(ftz_f32(a), ftz_f32(b))), ftz_f32(c)));
}

/* The same for v_mad_mix, whose half operands need the host's denormals enabled. */
static inline float mad_mix(float a, float b, float c)
{
	return ftz_f32(add_f32(ftz_f32(mul_f32(ftz_f32(a), ftz_f32(b))), ftz_f32(c)));
}

/* DX9 rule: zero times anything is zero. */
static inline float mul_legacy_f32(float a, float b)
{
	return a == 0 || b == 0 ? 0 : mul_f32(a, b);
}

/* A step of the lighting model: the smallest float marks a light that does not contribute. */
static inline float mullit_f32(float a, float b, float c)
{
	int dark = !(b > -__FLT_MAX__) || !(c > 0);

	return dark ? -__FLT_MAX__ : mul_f32(a, b);
}

static inline float mad_legacy_f32(float a, float b, float c)
{
	return ftz_f32(add_f32(ftz_f32(mul_legacy_f32(ftz_f32(a), ftz_f32(b))), ftz_f32(c)));
}

static inline float mad_f16(float a, float b, float c)
{
	return add_f32(f16_to_f32(f32_to_f16(mul_f32(a, b))), c);
}

/* Halves as floats. The product is exact and the sum rounds to odd, so that the later rounding to half is the only one
 * that counts. In the other modes, rounding twice in the same direction equals rounding once. */
static inline float fma_f16(float a, float b, float c)
{
	float p = a * b, s = first_nan_f32(a, b, c, p + c);

	if (SEMANTICS_MODE >> MODE_ROUND_16_64 & 3)
		return s;
	float t = s - p, e = (p - (s - t)) + (c - t);                   /* s + e == p + c, exactly (Knuth) */
	uint32_t u = f32_bits(s), closer = f32_bits(e) >> 31 ^ u >> 31; /* to zero than s: the exact sum */
	uint32_t inexact = (f32_bits(e) << 1 != 0) & ((u & 0x7f800000) != 0x7f800000);

	return bits_f32(
		u + (inexact & ~u & 1) * (1 - 2 * closer)); /* without branches: hosts compute many lanes at once */
}

/* --- minimum, maximum, class --- */
/* In IEEE mode a signaling NaN is quieted and returned. A quiet NaN loses. -0 is less than +0. */
#define MIN_MAX(name, ftype, utype, is_nan, to_bits, to_float, quiet, quiet_bit, less, zeros) \
	static inline ftype name(ftype a, ftype b)                                            \
	{                                                                                     \
		utype ua = to_bits(a), ub = to_bits(b);                                       \
		ftype r = a == b ? to_float(ua zeros ub) : a less b ? a : b;                  \
		r = is_nan(b) ? a : is_nan(a) ? b : r;                                        \
		if (!(SEMANTICS_MODE & MODE_IEEE))                                            \
			return r;                                                             \
		r = is_nan(b) && !(ub & (quiet_bit)) ? quiet(b) : r;                          \
		return is_nan(a) && (!(ua & (quiet_bit)) || is_nan(b)) ? quiet(a) : r;        \
	}
MIN_MAX(min_f32, float, uint32_t, is_nan_f32, f32_bits, bits_f32, quiet_f32, 1u << 22, <, |)
MIN_MAX(max_f32, float, uint32_t, is_nan_f32, f32_bits, bits_f32, quiet_f32, 1u << 22, >, &)
MIN_MAX(min_f64, double, uint64_t, is_nan_f64, f64_bits, bits_f64, quiet_f64, UINT64_C(1) << 51, <, |)
MIN_MAX(max_f64, double, uint64_t, is_nan_f64, f64_bits, bits_f64, quiet_f64, UINT64_C(1) << 51, >, &)
#undef MIN_MAX

/* If one is a NaN, the minimum of the three. */
static inline float med3_f32(float a, float b, float c)
{
	int nan = is_nan_f32(a) | is_nan_f32(b) | is_nan_f32(c);
	float low = min_f32(a, b), high = max_f32(a, b);

	return nan ? min_f32(low, c) : max_f32(low, min_f32(high, c));
}

/* The class of a number, as a bit of the mask of v_cmp_class. */
static inline uint32_t class_bit(int negative, int nan, int quiet, int infinite, int denormal, int zero)
{
	if (nan)
		return quiet ? 2 : 1;
	return infinite    ? negative ? 4 : 512
		: zero     ? negative ? 32 : 64
		: denormal ? negative ? 16 : 128
		: negative ? 8
			   : 256;
}

static inline int class_f32(float a, uint32_t mask)
{
	uint32_t u = f32_bits(a), m = u & 0x7fffffff;

	return (class_bit(u >> 31, m > 0x7f800000, u >> 22 & 1, m == 0x7f800000, m < 0x00800000, m == 0) & mask) != 0;
}

/* A half as a float: a denormal half is a small normal float. */
static inline int class_f16(float a, uint32_t mask)
{
	uint32_t u = f32_bits(a), m = u & 0x7fffffff;

	return (class_bit(u >> 31, m > 0x7f800000, u >> 22 & 1, m == 0x7f800000, m < 0x38800000, m == 0) & mask) != 0;
}

static inline int class_f64(double a, uint32_t mask)
{
	uint64_t u = f64_bits(a), m = u & INT64_MAX, inf = UINT64_C(0x7ff) << 52;

	return (class_bit(u >> 63, m > inf, u >> 51 & 1, m == inf, m < UINT64_C(1) << 52, m == 0) & mask) != 0;
}

/* --- rounding and parts --- */
static inline float trunc_f32(float a)
{
	return __builtin_truncf(a);
}
static inline float ceil_f32(float a)
{
	return __builtin_ceilf(a);
}
static inline float floor_f32(float a)
{
	return __builtin_floorf(a);
}
static inline float rndne_f32(float a)
{
	return SEMANTICS_MODE == MODE_COMPUTE_DEFAULT ? __builtin_rintf(a) : __builtin_roundevenf(a);
}
static inline double trunc_f64(double a)
{
	return __builtin_trunc(a);
}
static inline double ceil_f64(double a)
{
	return __builtin_ceil(a);
}
static inline double floor_f64(double a)
{
	return __builtin_floor(a);
}
static inline double rndne_f64(double a)
{
	return SEMANTICS_MODE == MODE_COMPUTE_DEFAULT ? __builtin_rint(a) : __builtin_roundeven(a);
}
static inline float sqrt_f32(float a)
{
	return __builtin_sqrtf(a);
}
static inline double sqrt_f64(double a)
{
	return __builtin_sqrt(a);
}

/* The result is less than 1: tiny negative numbers give the largest float below 1. */
static inline float fract_f32(float a)
{
	float r = a - floor_f32(a);

	return r >= 1 ? 0x1.fffffep-1f : r;
}

static inline float fract_f16(float a)
{
	float r = a - floor_f32(a);

	return r > 0x1.ffcp-1f ? 0x1.ffcp-1f : r;
}

static inline double fract_f64(double a)
{
	double r = a - floor_f64(a);

	return r >= 1 ? 0x1.fffffffffffffp-1 : r;
}

/* Exponent of a = m * 2^e with m in [0.5, 1); 0 for zero, infinity and NaN. */
static inline int32_t frexp_exp_f32(float a)
{
	uint32_t m = f32_bits(a) & 0x7fffffff;
	uint32_t scaled = f32_bits(bits_f32(m) * 0x1p24f);
	int32_t e = m < 0x00800000 ? (int32_t)(scaled >> 23) - 24 - 126 : (int32_t)(m >> 23) - 126;

	return m == 0 || m >= 0x7f800000 ? 0 : e;
}

static inline float frexp_mant_f32(float a)
{
	uint32_t u = f32_bits(a), m = u & 0x7fffffff;
	uint32_t scaled = m < 0x00800000 ? f32_bits(bits_f32(m) * 0x1p24f) : m;

	if (m == 0 || m >= 0x7f800000)
		return quiet_f32(a);
	return bits_f32((scaled & 0x007fffff) | 0x3f000000 | (u & 0x80000000));
}

static inline int32_t frexp_exp_f64(double a)
{
	uint64_t m = f64_bits(a) & INT64_MAX;

	if (m == 0 || m >> 52 == 0x7ff)
		return 0;
	if (m >> 52 == 0)
		return (int32_t)(f64_bits(bits_f64(m) * 0x1p53) >> 52) - 53 - 1022;
	return (int32_t)(m >> 52) - 1022;
}

static inline double frexp_mant_f64(double a)
{
	uint64_t u = f64_bits(a), m = u & INT64_MAX;

	if (m == 0 || m >> 52 == 0x7ff)
		return quiet_f64(a);
	if (m >> 52 == 0)
		m = f64_bits(bits_f64(m) * 0x1p53);
	return bits_f64((m & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1022) << 52 | (u & INT64_MIN));
}

static inline double pow2_f64(int32_t n) /* -1022 to 1023 */
{
	return bits_f64((uint64_t)(n + 1023) << 52);
}

static inline int32_t clamp_exponent(int32_t n, int32_t bound)
{
	return n < -bound ? -bound : n > bound ? bound : n;
}

/* Exact in double, then rounded once. */
static inline float ldexp_f32(float a, int32_t n)
{
	return (float)((double)a * pow2_f64(clamp_exponent(n, 400)));
}

static inline float ldexp_f16(float a, int32_t n)
{
	return a * (float)pow2_f64(clamp_exponent(n, 60));
}

static inline double ldexp_f64(double a, int32_t n)
{
	return __builtin_ldexp(a, clamp_exponent(n, 3000));
}

/* --- saturating conversions; NaN gives 0 --- */
static inline int32_t cvt_i32_f32(float a)
{
	int32_t r = a >= -0x1p31f && a < 0x1p31f ? (int32_t)a : 0;

	return a >= 0x1p31f ? INT32_MAX : a < -0x1p31f ? INT32_MIN : r;
}

static inline uint32_t cvt_u32_f32(float a)
{
	int64_t r = a > 0 && a < 0x1p32f ? (int64_t)a : 0;

	return a >= 0x1p32f ? UINT32_MAX : (uint32_t)r;
}

static inline int32_t cvt_i32_f64(double a)
{
	int32_t r = a > -0x1p31 - 1 && a < 0x1p31 ? (int32_t)a : 0;

	return a >= 0x1p31 ? INT32_MAX : a <= -0x1p31 - 1 ? INT32_MIN : r;
}

static inline uint32_t cvt_u32_f64(double a)
{
	int64_t r = a > 0 && a < 0x1p32 ? (int64_t)a : 0;

	return a >= 0x1p32 ? UINT32_MAX : (uint32_t)r;
}

static inline uint16_t cvt_u16_f32(float a)
{
	return a >= 65535 ? 65535 : a > 0 ? (uint16_t)a : 0;
}

static inline int16_t cvt_i16_f32(float a)
{
	return a >= 32767 ? 32767 : a <= -32768 ? -32768 : a == a ? (int16_t)a : 0;
}

/* Normalized: -1..1 to -32767..32767, 0..1 to 0..65535, rounded to nearest. */
static inline int16_t cvt_norm_i16(float a)
{
	float c = a > 1 ? 1 : a < -1 ? -1 : a == a ? a : 0;

	return (int16_t)rndne_f64((double)c * 32767);
}

static inline uint16_t cvt_norm_u16(float a)
{
	float c = a > 1 ? 1 : a > 0 ? a : 0;

	return (uint16_t)rndne_f64((double)c * 65535);
}

/* Replaces one byte of `old`. Rounds as MODE specifies. */
static inline uint32_t cvt_pk_u8_f32(float a, uint32_t byte, uint32_t old)
{
	float r = __builtin_rintf(a);
	uint32_t shift = (byte & 3) * 8, value = r >= 255 ? 255 : r > 0 ? (uint32_t)r : 0;

	return (old & ~(255u << shift)) | value << shift;
}

/* --- division --- */
/* A step of the IEEE division sequence. a is the denominator b or the numerator c, scaled so that no step overflows or
 * underflows; *vcc makes v_div_fmas undo it. For a huge denominator with a denormal quotient the guide prints +64
 * (+128), which would overflow; only the negative scale gives the IEEE quotient. */
#define DIV_SCALE(name, ftype, exponent, ldexp_, smallest, far, scale, tiny)                        \
	static inline ftype name(ftype a, ftype b, ftype c, int *vcc)                               \
	{                                                                                           \
		int denominator = a == b, finite = exponent(b) != exponent((ftype)__builtin_inf()); \
		ftype inverse = 1 / b, quotient = c / b;                                            \
		int inverse_denormal = finite && inverse < smallest && inverse > -smallest;         \
		int quotient_denormal = finite && quotient < smallest && quotient > -smallest;      \
		*vcc = 0;                                                                           \
		if (c == 0 || b == 0)                                                               \
			return (ftype)__builtin_nan("");                                            \
		if (exponent(c) - exponent(b) >= (far)) {                                           \
			*vcc = 1;                                                                   \
			return denominator ? ldexp_(a, scale) : a;                                  \
		}                                                                                   \
		if (exponent(b) == 0)                                                               \
			return ldexp_(a, scale);                                                    \
		if (inverse_denormal && quotient_denormal) {                                        \
			*vcc = 1;                                                                   \
			return denominator ? ldexp_(a, -(scale)) : a;                               \
		}                                                                                   \
		if (inverse_denormal)                                                               \
			return ldexp_(a, -(scale));                                                 \
		if (quotient_denormal) {                                                            \
			*vcc = 1;                                                                   \
			return a == c ? ldexp_(a, scale) : a;                                       \
		}                                                                                   \
		return exponent(c) <= (tiny) ? ldexp_(a, scale) : a;                                \
	}

static inline int exponent_f32(float a)
{
	return f32_bits(a) >> 23 & 0xff;
}
static inline int exponent_f64(double a)
{
	return f64_bits(a) >> 52 & 0x7ff;
}
DIV_SCALE(div_scale_f32, float, exponent_f32, ldexp_f32, 0x1p-126f, 96, 64, 23)
DIV_SCALE(div_scale_f64, double, exponent_f64, ldexp_f64, 0x1p-1022, 768, 128, 53)
#undef DIV_SCALE

/* a * b + c rounded to odd in double, so that only a later rounding to float counts (the product is exact). */
static inline double fma_odd_f32(float a, float b, float c)
{
	double p = (double)a * b, s = first_nan_f64(a, b, c, p + c);
	double t = s - p, e = (p - (s - t)) + (c - t); /* s + e == p + c (Knuth) */
	uint64_t u = f64_bits(s);

	return e != 0 && !(u & 1) && exponent_f64(s) != 0x7ff ? bits_f64((e < 0) != (s < 0) ? u - 1 : u + 1) : s;
}

/* The exponent shows in which direction div_scale scaled. A denormal quotient is rounded once, after scaling. */
static inline float div_fmas_f32(float a, float b, float c, int vcc)
{
	if (!vcc)
		return fma_f32(a, b, c);
	if (SEMANTICS_MODE >> MODE_ROUND_32 & 3)
		return (float)(first_nan_f64(a, b, c, (double)a * b + c) * pow2_f64(exponent_f32(c) > 127 ? 64 : -64));
	return (float)(fma_odd_f32(a, b, c) * pow2_f64(exponent_f32(c) > 127 ? 64 : -64));
}

/* A value with the sign of a * b + c - r, where r is the rounded sum: the error of a fused multiply-add, after Boldo
 * and Muller. */
static inline double fma_error_f64(double a, double b, double c, double r)
{
	double p = a * b, p2 = fma_f64(a, b, -p);
	double s = c + p2, t = s - c, s2 = (c - (s - t)) + (p2 - t);
	double v = p + s, w = v - p, v2 = (p - (v - w)) + (s - w);

	return ((v - r) + v2) + s2;
}

static inline double div_fmas_f64(double a, double b, double c, int vcc)
{
	double r = fma_f64(a, b, c);

	if (!vcc || exponent_f64(c) > 1023)
		return vcc ? ldexp_f64(r, 128) : r;
	if (SEMANTICS_MODE >> MODE_ROUND_16_64 & 3)
		return ldexp_f64(r, -128);
	/* Denormal quotients: correct a tie that only the first rounding created. */
	double d = ldexp_f64(r, -128), rest = r - ldexp_f64(d, 128), half = 0x1p-947, error = fma_error_f64(a, b, c, r);
	if (rest == half && error > 0)
		return d + 0x1p-1074;
	return rest == -half && error < 0 ? d - 0x1p-1074 : d;
}

/* Special cases of the quotient q = n / d. An infinite or NaN q has overflowed in the sequence; the guide tests the
 * denominator's exponent for this, but at that point the test can never be true. */
#define DIV_FIXUP(name, ftype, exponent, is_nan, quiet, inf, underflow, copysign_) \
	static inline ftype name(ftype q, ftype d, ftype n)                        \
	{                                                                          \
		ftype sign = copysign_(1, d) * copysign_(1, n);                    \
		if (is_nan(n))                                                     \
			return quiet(n);                                           \
		if (is_nan(d))                                                     \
			return quiet(d);                                           \
		int d_inf = d == inf || d == -inf, n_inf = n == inf || n == -inf;  \
		if ((d == 0 && n == 0) || (d_inf && n_inf))                        \
			return copysign_((ftype)__builtin_nan(""), -1);            \
		if (d == 0 || n_inf)                                               \
			return copysign_(inf, sign);                               \
		if (d_inf || n == 0 || exponent(n) - exponent(d) < (underflow))    \
			return copysign_(0, sign);                                 \
		return copysign_(exponent(q) == exponent(inf) ? inf : q, sign);    \
	}
DIV_FIXUP(div_fixup_f32, float, exponent_f32, is_nan_f32, quiet_f32, __builtin_inff(), -150, __builtin_copysignf)
DIV_FIXUP(div_fixup_f64, double, exponent_f64, is_nan_f64, quiet_f64, __builtin_inf(), -1075, __builtin_copysign)
/* The quotient of two halves is never too small for a float. */
DIV_FIXUP(div_fixup_f16, float, exponent_f32, is_nan_f32, quiet_f32, __builtin_inff(), -1000, __builtin_copysignf)
#undef DIV_FIXUP

/* --- transcendental unit --- */
static inline float rsq_f32(float a)
{
	return (float)(1.0 / __builtin_sqrt((double)a));
}

/* Taylor series of e^(x ln 2) on [-1/2, 1/2]: the first omitted term is below 2^-58. */
static inline float exp2_f32(float a)
{
	double x = a < -200 ? -200 : a > 200 ? 200 : a, n = rndne_f64(x), t = (x - n) * 0x1.62e42fefa39efp-1, r = 1;

	for (int k = 13; k > 0; k--)
		r = 1 + r * t / k;
	return a == a ? (float)(r * pow2_f64(a == a ? (int32_t)n : 0)) : quiet_f32(a);
}

/* log2 m = 2 atanh((m-1)/(m+1)) / ln 2, m in [sqrt 1/2, sqrt 2). */
static inline float log2_f32(float a)
{
	if (!(a > 0) || a == __builtin_inff())
		return a == 0 ? -__builtin_inff() : a < 0 ? bits_f32(0xffc00000) : quiet_f32(a);
	uint64_t u = f64_bits(a);
	int32_t e = (int32_t)((u - UINT64_C(0x3fe6a09e667f3bcd)) >> 52 & 0xfff);

	e = e > 2047 ? e - 4096 : e;
	double m = bits_f64(u - ((uint64_t)e << 52)), s = (m - 1) / (m + 1), s2 = s * s, r = 0;

	for (int k = 23; k > 0; k -= 2)
		r = r * s2 + 1.0 / k;
	return (float)(e + s * r * 0x1.71547652b82fep+1);
}

/* sin(2 pi t), t in [-1/4, 1/4]: Taylor series, the first omitted term is below 2^-59. */
static inline float sin_quarter(double t)
{
	double y = t * 0x1.921fb54442d18p+2, y2 = y * y, r = 1;

	for (int k = 20; k > 0; k -= 2)
		r = 1 - r * y2 / (k * (k + 1));
	return (float)(r * y);
}

/* Sine and cosine of an angle in full turns. Beyond 256 turns the hardware gives 0 and 1. */
static inline float sin_turns(float a)
{
	if (!(a >= -256 && a <= 256))
		return a - a == 0 ? 0 : bits_f32(f32_bits(a - a) | 0x00400000);
	double t = a - rndne_f64(a);

	return sin_quarter(t > 0.25 ? 0.5 - t : t < -0.25 ? -0.5 - t : t);
}

static inline float cos_turns(float a)
{
	if (!(a >= -256 && a <= 256))
		return a - a == 0 ? 1 : bits_f32(f32_bits(a - a) | 0x00400000);
	double t = a - rndne_f64(a);

	return sin_quarter(0.25 - (t < 0 ? -t : t));
}

/* The 53 bits of 2/pi that matter for the size of a, by segment (Payne-Hanek reduction). */
static inline double trig_preop_f64(double a, uint32_t segment)
{
	static const uint64_t two_over_pi[] = {/* fraction bits, computed with Machin's formula */
		UINT64_C(0xa2f9836e4e441529), UINT64_C(0xfc2757d1f534ddc0), UINT64_C(0xdb6295993c439041),
		UINT64_C(0xfe5163abdebbc561), UINT64_C(0xb7246e3a424dd2e0), UINT64_C(0x06492eea09d1921c),
		UINT64_C(0xfe1deb1cb129a73e), UINT64_C(0xe88235f52ebb4484), UINT64_C(0xe99c7026b45f7e41),
		UINT64_C(0x3991d639835339f4), UINT64_C(0x9c845f8bbdf9283b), UINT64_C(0x1ff897ffde05980f),
		UINT64_C(0xef2f118b5a0a6d1f), UINT64_C(0x6d367ecf27cb09b7), UINT64_C(0x4f463f669e5fea2d),
		UINT64_C(0x7527bac7ebe5f17b), UINT64_C(0x3d0739f78a5292ea), UINT64_C(0x6bfb5fb11f8d5d08),
		UINT64_C(0x56033046fc7b6bab), 0};
	int e = exponent_f64(a);
	unsigned shift = (segment & 31) * 53 + (e > 1077 ? e - 1077 : 0), word = shift / 64, bit = shift % 64;
	uint64_t bits = 0;

	if (shift < 1201) {
		bits = two_over_pi[word] << bit;
		if (bit)
			bits |= two_over_pi[word + 1] >> (64 - bit);
	}
	return ldexp_f64((double)(bits >> 11), -53 - (int)shift + (e >= 1968 ? 128 : 0));
}

/* --- cube maps --- */
static inline int cube_axis(float x, float y, float z)
{
	x = x < 0 ? -x : x, y = y < 0 ? -y : y, z = z < 0 ? -z : z;
	return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

static inline float cube_id(float x, float y, float z)
{
	int axis = cube_axis(x, y, z);
	float major = axis == 2 ? z : axis == 1 ? y : x;

	return (float)(2 * axis + (major < 0));
}

static inline float cube_sc(float x, float y, float z)
{
	int axis = cube_axis(x, y, z);

	return axis == 2 ? z < 0 ? -x : x : axis == 1 ? x : x < 0 ? z : -z;
}

static inline float cube_tc(float x, float y, float z)
{
	return cube_axis(x, y, z) == 1 ? y < 0 ? -z : z : -y;
}

static inline float cube_ma(float x, float y, float z)
{
	int axis = cube_axis(x, y, z);

	return 2 * (axis == 2 ? z : axis == 1 ? y : x);
}

#endif
