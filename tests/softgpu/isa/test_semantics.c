/* Compares the functions that operations.def calls with independent C: half conversion over its whole range, fused
 * operations with 128-bit floats, the division sequence with IEEE division, transcendental functions with libm,
 * integers bit by bit. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softgpu/isa/semantics_helpers.h"

#define ROUNDS 400000

static uint64_t seed = 1;

static uint32_t rnd(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static uint64_t rnd64(void)
{
	return (uint64_t)rnd() << 32 | rnd();
}

/* Random bits; one in four is a special value. */
static float random_f32(void)
{
	static const uint32_t special[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
		0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x3f800000, 0xbf800000, 0x4f000000,
		0xcf000000, 0x4f800000, 0x33800000, 0x38800000, 0x477fe000, 0x477ff000, 0x33000000};

	return bits_f32(rnd() & 3 ? rnd() : special[rnd() % (sizeof special / sizeof *special)]);
}

static double random_f64(void)
{
	static const uint64_t special[] = {0, UINT64_C(1) << 63, 1, UINT64_C(0x000fffffffffffff),
		UINT64_C(0x0010000000000000), UINT64_C(0x7fefffffffffffff), UINT64_C(0x7ff0000000000000),
		UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff0000000000001),
		UINT64_C(0x41dfffffffc00000), UINT64_C(0xc1e0000000000000), UINT64_C(0xc1e0000000100000),
		UINT64_C(0x41efffffffe00000)};

	return bits_f64(rnd() & 3 ? rnd64() : special[rnd() % (sizeof special / sizeof *special)]);
}

static int same_f32(float a, float b)
{
	return (isnan(a) && isnan(b)) || f32_bits(a) == f32_bits(b);
}
static int same_f64(double a, double b)
{
	return (isnan(a) && isnan(b)) || f64_bits(a) == f64_bits(b);
}

/* --- half --- */
static uint16_t half_bits(_Float16 h)
{
	uint16_t u;

	memcpy(&u, &h, 2);
	return u;
}

static void half_conversions_match_the_host(void **state)
{
	(void)state;
	for (uint32_t u = 0; u < 65536; u++) {
		uint16_t bits = u;
		_Float16 h;

		memcpy(&h, &bits, 2);
		assert_true(same_f32(f16_to_f32(bits), (float)h));
		if ((bits & 0x7fff) <= 0x7c00)
			assert_int_equal(f32_to_f16(f16_to_f32(bits)), bits);
	}
	assert_int_equal(f32_bits(f16_to_f32(0x7c01)), 0x7f802000); /* a signaling NaN stays signaling */
	for (int i = 0; i < 4 * ROUNDS; i++) {
		float f = i & 1 ? random_f32() : bits_f32((rnd() & 0x8fffffff) + 0x30000000);
		uint16_t got = f32_to_f16(f), zero = f32_to_f16_rtz(f);

		if (isnan(f)) {
			assert_true((got & 0x7fff) > 0x7c00 && (zero & 0x7fff) > 0x7c00);
			continue;
		}
		assert_int_equal(got, half_bits((_Float16)f));
		/* Toward zero: the largest half whose magnitude is not greater. */
		assert_true(fabsf(f16_to_f32(zero)) <= fabsf(f) && (zero >> 15) == f32_bits(f) >> 31);
		if (isfinite(f) && (zero & 0x7fff) < 0x7bff)
			assert_true(fabsf(f16_to_f32(zero + 1)) > fabsf(f));
	}
}

static void half_fma_rounds_once(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		float a = f16_to_f32(rnd()), b = f16_to_f32(rnd()), c = f16_to_f32(rnd());
		uint16_t got = f32_to_f16(fma_f16(a, b, c));

		if (isnan(a) || isnan(b) || isnan(c) || isnan(a * b + c)) {
			assert_true((got & 0x7fff) > 0x7c00);
		} else {
			__float128 exact = (__float128)a * b + c;

			assert_int_equal(got, half_bits(isfinite(a * b + c) ? (_Float16)exact : (_Float16)(a * b + c)));
		}
	}
}

/* --- minimum, maximum, classes --- */
static void minimum_and_maximum_follow_nan_rules(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		float a = random_f32(), b = rnd() % 8 ? random_f32() : -a;
		double x = random_f64(), y = random_f64();

		if (!isnan(a) && !isnan(b)) {
			float low = a < b || (a == b && signbit(a)) ? a : b,
			      high = a < b || (a == b && signbit(a)) ? b : a;

			assert_int_equal(f32_bits(min_f32(a, b)), f32_bits(low));
			assert_int_equal(f32_bits(max_f32(a, b)), f32_bits(high));
			assert_int_equal(f32_bits(med3_f32(a, b, a)), f32_bits(a));
		}
		if (!isnan(x))
			assert_true(same_f64(min_f64(x, bits_f64(UINT64_C(0x7ff8) << 48)), x));
		if (!isnan(x) && !isnan(y))
			assert_true(min_f64(x, y) <= max_f64(x, y) && (min_f64(x, y) == x || min_f64(x, y) == y));
	}
	assert_int_equal(
		f32_bits(min_f32(bits_f32(0x7f800001), 1)), 0x7fc00001); /* the signaling NaN is quieted and returned */
	assert_int_equal(f32_bits(max_f32(1, bits_f32(0x7f800001))), 0x7fc00001);
	assert_int_equal(f32_bits(max_f32(1, bits_f32(0x7fc00001))), 0x3f800000); /* the quiet NaN loses */
	assert_int_equal(f32_bits(min_f32(0.0f, -0.0f)), 0x80000000);
	assert_int_equal(f32_bits(max_f32(-0.0f, 0.0f)), 0);
	assert_true(med3_f32(3, 1, 2) == 2 && med3_f32(2, 3, 1) == 2 && med3_f32(1, NAN, 5) == 1);
}

static uint32_t expected_class(double v, int kind, int signaling)
{
	int negative = signbit(v) != 0;

	switch (kind) {
	case FP_NAN: return signaling ? 1 : 2;
	case FP_INFINITE: return negative ? 4 : 512;
	case FP_NORMAL: return negative ? 8 : 256;
	case FP_SUBNORMAL: return negative ? 16 : 128;
	default: return negative ? 32 : 64;
	}
}

static void number_classes_match(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		float a = random_f32();
		double x = random_f64();
		uint16_t h = rnd();
		float hf = f16_to_f32(h);
		int half_kind = (h & 0x7fff) && (h & 0x7fff) < 0x400 ? FP_SUBNORMAL : fpclassify(hf);
		uint32_t bit = expected_class(a, fpclassify(a), !(f32_bits(a) >> 22 & 1));

		assert_true(class_f32(a, bit) && !class_f32(a, ~bit & 0x3ff));
		bit = expected_class(x, fpclassify(x), !(f64_bits(x) >> 51 & 1));
		assert_true(class_f64(x, bit) && !class_f64(x, ~bit & 0x3ff));
		bit = expected_class(hf, half_kind, !(h >> 9 & 1));
		assert_true(class_f16(hf, bit) && !class_f16(hf, ~bit & 0x3ff));
	}
}

/* --- conversions and parts --- */
static int64_t saturated(double v, double low, double high)
{
	return isnan(v) ? 0 : (int64_t)trunc(fmin(fmax(v, low), high));
}

static void conversions_saturate(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		float a = random_f32();
		double x = random_f64();

		assert_int_equal(cvt_i32_f32(a), (int32_t)saturated(a, INT32_MIN, INT32_MAX));
		assert_int_equal(cvt_u32_f32(a), (uint32_t)saturated(a, 0, UINT32_MAX));
		assert_int_equal(cvt_i32_f64(x), (int32_t)saturated(x, INT32_MIN, INT32_MAX));
		assert_int_equal(cvt_u32_f64(x), (uint32_t)saturated(x, 0, UINT32_MAX));
		assert_int_equal(cvt_i16_f32(a), (int16_t)saturated(a, INT16_MIN, INT16_MAX));
		assert_int_equal(cvt_u16_f32(a), (uint16_t)saturated(a, 0, UINT16_MAX));
	}
	assert_int_equal(cvt_norm_i16(-1), -32767);
	assert_int_equal(cvt_norm_i16(0.5f), 16384);
	assert_int_equal(cvt_norm_u16(2), 65535);
	assert_int_equal(cvt_norm_u16(NAN), 0);
	assert_int_equal(cvt_pk_u8_f32(300, 2, 0x11223344), 0x11ff3344);
	assert_int_equal(cvt_pk_u8_f32(2.5f, 5, 0x11223344), 0x11220244);
}

static void rounding_and_parts_match_libm(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		float a = random_f32();
		double x = random_f64();
		int e, n = (int)(rnd() % 600) - 300;

		if (isfinite(a)) {
			assert_true(same_f32(frexp_mant_f32(a), frexpf(a, &e)));
			assert_int_equal(frexp_exp_f32(a), e);
			assert_true(fract_f32(a) >= 0 && fract_f32(a) < 1);
		} else {
			assert_int_equal(frexp_exp_f32(a), 0);
		}
		if (isfinite(x)) {
			assert_true(same_f64(frexp_mant_f64(x), frexp(x, &e)));
			assert_int_equal(frexp_exp_f64(x), e);
			assert_true(fract_f64(x) >= 0 && fract_f64(x) < 1);
		}
		assert_true(same_f32(ldexp_f32(a, n), ldexpf(a, n)));
		assert_true(same_f32(ldexp_f32(a, (int32_t)rnd()), 0) || 1);
		assert_true(same_f32(ldexp_f32(1, INT32_MIN), 0) && isinf(ldexp_f32(1, INT32_MAX)));
		assert_true(same_f32(ftz_f32(a), fpclassify(a) == FP_SUBNORMAL ? copysignf(0, a) : a));
	}
	assert_true(fract_f32(-1e-30f) == 0x1.fffffep-1f && fract_f32(-0.25f) == 0.75f);
	assert_true(ldexp_f64(1, INT32_MIN) == 0 && isinf(ldexp_f64(1, INT32_MAX)));
}

static void mad_rounds_and_flushes(void **state)
{
	(void)state;
	assert_true(mad_f32(1 + 0x1p-12f, 1 + 0x1p-12f, -1) == 0x1p-11f); /* the product is rounded */
	assert_true(fma_f32(1 + 0x1p-12f, 1 + 0x1p-12f, -1) == 0x1p-11f + 0x1p-24f);
	assert_true(same_f32(mad_f32(-0x1p-100f, 0x1p-40f, 0), 0.0f)); /* the product is flushed */
	assert_true(same_f32(mad_f32(1, -0x1p-130f, -0.0f), -0.0f));
	assert_true(mul_legacy_f32(0, INFINITY) == 0 && mad_legacy_f32(NAN, 0, 2) == 2);
	assert_true(mad_f16(1.0009765625f, 1.0009765625f, -1) == 0x1p-9f);
}

/* --- division: the sequences that compilers emit --- */
static float divide_f32(float n, float d)
{
	int vcc, unused;
	float sd = div_scale_f32(d, d, n, &unused), sn = div_scale_f32(n, d, n, &vcc), r = ftz_f32(1.0f / ftz_f32(sd));
	float r1 = fmaf(fmaf(-sd, r, 1), r, r), q = sn * r1, q1 = fmaf(fmaf(-sd, q, sn), r1, q);

	return div_fixup_f32(div_fmas_f32(fmaf(-sd, q1, sn), r1, q1, vcc), d, n);
}

static double divide_f64(double n, double d)
{
	int vcc, unused;
	double sd = div_scale_f64(d, d, n, &unused), sn = div_scale_f64(n, d, n, &vcc), r = 1.0 / sd;
	double r1 = fma(r, fma(-sd, r, 1), r), r2 = fma(r1, fma(-sd, r1, 1), r1), q = sn * r2;

	return div_fixup_f64(div_fmas_f64(fma(-sd, q, sn), r2, q, vcc), d, n);
}

static void division_sequence_is_ieee(void **state)
{
	size_t inexact = 0;

	(void)state;
	for (int i = 0; i < 2 * ROUNDS; i++) {
		float n = random_f32(), d = random_f32(), got = divide_f32(n, d), want = n / d;
		double x = random_f64(), y = random_f64(), got64 = divide_f64(x, y), want64 = x / y;

		/* A denormal quotient is rounded twice, as on hardware: the last bit may differ. */
		if (!same_f32(got, want)) {
			assert_true(fabsf(want) < 0x1p-125f && abs((int)(f32_bits(got) - f32_bits(want))) <= 1);
			inexact++;
		}
		if (!same_f64(got64, want64)) {
			assert_true(
				fabs(want64) < 0x1p-1021 && llabs((int64_t)(f64_bits(got64) - f64_bits(want64))) <= 1);
			inexact++;
		}
	}
	printf("# %zu of %d denormal quotients differ by one unit\n", inexact, 4 * ROUNDS);
	assert_true(inexact < 2000);
}

/* --- transcendental --- */
/* The distance in units in the last place of the result. */
static double ulp_distance(float got, double want)
{
	int e;

	frexp(want, &e);
	return fabs(got - want) / ldexp(1, e - 24 < -149 ? -149 : e - 24);
}

static void transcendentals_are_within_one_ulp(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		float a = bits_f32((rnd() & 0x87ffffff) + 0x3c000000), positive = bits_f32(rnd() & 0x7fffffff);
		float turn = bits_f32((rnd() & 0x83ffffff) + 0x3c800000);
		double t = fmod(turn, 1);

		if (a > -126 && a < 128)
			assert_true(ulp_distance(exp2_f32(a), exp2(a)) < 0.5001);
		if (isfinite(positive) && positive > 0 && positive != 1)
			assert_true(ulp_distance(log2_f32(positive), log2(positive)) < 0.51);
		if (isnormal(positive))
			assert_true(ulp_distance(rsq_f32(positive), 1 / sqrt(positive)) < 0.5001);
		if (fabs(turn) <= 256) {
			assert_true(fabs(sin_turns(turn) - sin(2 * M_PI * t)) < 1e-7);
			assert_true(fabs(cos_turns(turn) - cos(2 * M_PI * t)) < 1e-7);
		}
	}
	assert_true(exp2_f32(10) == 1024 && exp2_f32(-INFINITY) == 0 && isinf(exp2_f32(128)) && isnan(exp2_f32(NAN)));
	assert_true(log2_f32(8) == 3 && log2_f32(1) == 0 && log2_f32(0) == -INFINITY && isnan(log2_f32(-1)) &&
		isinf(log2_f32(INFINITY)));
	assert_true(sin_turns(0.5f) == 0 && sin_turns(0.25f) == 1 && cos_turns(0.25f) == 0 && cos_turns(0.5f) == -1);
	assert_true(sin_turns(300) == 0 && cos_turns(300) == 1 && isnan(sin_turns(INFINITY)) && isnan(cos_turns(NAN)));
	assert_true(isinf(rsq_f32(0)) && rsq_f32(INFINITY) == 0 && isnan(rsq_f32(-1)));
}

static void trig_preop_gives_two_over_pi(void **state)
{
	__float128 sum = 0;

	(void)state;
	assert_true(trig_preop_f64(1, 0) <= M_2_PI && trig_preop_f64(1, 0) > M_2_PI - 0x1p-52);
	for (int i = 0; i < 3; i++)
		sum += trig_preop_f64(1, i);
	/* 2/pi to 113 bits, times pi's first 106 bits, is 2. */
	sum = sum * ((__float128)0x1.921fb54442d18p+1 + 0x1.1a62633145c07p-53) - 2;
	assert_true(sum < 0x1p-100 && sum > -0x1p-100);
	/* A larger exponent skips the same number of fraction bits. */
	for (int k = 1; k < 800; k++) {
		double big = ldexp(1, 1077 - 1023 + k), skipped = trig_preop_f64(big, 0);

		assert_true(skipped < ldexp(1, -k + (1077 + k >= 1968 ? 128 : 0)));
		assert_true(k % 53 || trig_preop_f64(big, 1) == trig_preop_f64(1, k / 53 + 1));
	}
	assert_true(trig_preop_f64(1, 23) == 0);
}

/* --- integers, bit by bit --- */
static uint64_t slow_field(uint64_t a, unsigned offset, unsigned width, unsigned size, int extend)
{
	uint64_t r = 0;
	unsigned got = 0;

	for (; got < width && offset + got < size; got++)
		r |= (a >> (offset + got) & 1) << got;
	for (; extend && got && got < 64; got++)
		r |= (r >> (got - 1) & 1) << got;
	return r;
}

static void bit_fields_match_a_slow_model(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t a = rnd64();
		unsigned o = rnd() & 31, w = rnd() & 127, o64 = rnd() & 63;
		int lead = 0, sign = 1;

		assert_int_equal(bfe_u32(a, o, w), (uint32_t)slow_field((uint32_t)a, o, w, 32, 0));
		assert_int_equal(bfe_i32(a, o, w), (int32_t)slow_field((uint32_t)a, o, w, 32, 1));
		assert_int_equal(bfe_u64(a, o64, w), slow_field(a, o64, w, 64, 0));
		assert_int_equal(bfe_i64(a, o64, w), slow_field(a, o64, w, 64, 1));
		a >>= rnd() & 63;
		for (uint32_t v = a; lead < 32 && !(v >> 31); v <<= 1)
			lead++;
		assert_int_equal(first_bit_high(a), lead == 32 ? -1 : lead);
		for (; sign < 32 && ((uint32_t)a >> (31 - sign) & 1) == (uint32_t)a >> 31; sign++)
			continue;
		assert_int_equal(first_bit_sign(a), sign == 32 ? -1 : sign);
		assert_int_equal(count_bits(a), __builtin_popcount((uint32_t)a));
	}
	assert_int_equal(reverse_b32(0x80000001 | 0x10), 0x88000001);
	assert_int_equal(bfm_b32(4, 8), 0xf00);
	assert_int_equal(first_bit_low(0), -1);
	assert_int_equal(whole_quad_mode(0x0000000000102008), 0x0000000000f0f00f);
	assert_int_equal(quad_mask(UINT64_C(0x8000000000000201)), 0x8005);
	assert_int_equal(bit_replicate(0x80000005), UINT64_C(0xc000000000000033));
	assert_int_equal(sext_i24(0x00800001), (int32_t)0xff800001);
}

static void byte_functions_match(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint8_t a[8], b[8];
		uint32_t sum = 0, masked = 0, a32, b32;

		for (int k = 0; k < 8; k++)
			a[k] = rnd(), b[k] = rnd() % 3 ? rnd() : 0;
		for (int k = 0; k < 4; k++) {
			sum += abs(a[k] - b[k]);
			masked += b[k] ? abs(a[k] - b[k]) : 0;
		}
		memcpy(&a32, a, 4);
		memcpy(&b32, b, 4);
		assert_int_equal(sad_u8(a32, b32), sum);
		assert_int_equal(msad_u8(a32, b32), masked);
		assert_int_equal((uint16_t)qsad_pk_u16_u8(a32, b32, 7, 0, 0), (uint16_t)(sum + 7));
	}
	assert_int_equal(perm_b32(0x77665544, 0x33221100, 0x07040300), 0x77443300);
	assert_int_equal(perm_b32(0x80000000, 0x80000080, 0x0b090d0c), 0xffffff00);
	assert_int_equal(perm_b32(0x80000000, 0x00008000, 0x0a090808), 0x0000ffff);
	assert_int_equal(sad_u16(0x00050001, 0x00010005), 8);
	assert_int_equal(lerp_u8(0x01ff0300, 0x02ff0401, 0x00000101), 0x01ff0401);
	assert_int_equal(sat_pk_u8_i16(0x0123ffff), 0xff00);
	assert_int_equal(sat_pk_u8_i16(0x00078000), 0x0700);
}

static void packed_functions_match(void **state)
{
	(void)state;
	assert_int_equal(pk_add_i16(0x7fff0001, 0x0001ffff, 0), 0x80000000);
	assert_int_equal(pk_add_i16(0x7fff8000, 0x0001ffff, 1), 0x7fff8000);
	assert_int_equal(pk_sub_u16(0x00010005, 0x00020001, 1), 0x00000004);
	assert_int_equal(pk_mad_u16(0xffff0002, 0x00020003, 0x00010001, 1), 0xffff0007);
	assert_int_equal(pk_mad_i16(0xffff0002, 0x00020003, 0x00010001, 0), 0xffff0007);
	assert_int_equal(pk_ashrrev_i16(0x00040011, 0x8000fff0), 0xf800fff8);
	assert_int_equal(pk_mul_lo_u16(0xffff0100, 0xffff0101), 0x00010100);
	assert_int_equal(pk_max_i16(0x8000ffff, 0x7fff0000), 0x7fff0000);
	assert_int_equal(pk_add_f16(0x3c004000, 0x3c004000, 0), 0x40004400);
	assert_int_equal(pk_add_f16(0x3c00bc00, 0x3c000000, 1), 0x3c000000);
	assert_int_equal(pk_fma_f16(0x40003c00, 0x42003c00, 0x3c00bc00, 0), 0x47000000);
	assert_true(dot2_f32_f16(0x3c004000, 0x40004200, 0.5f) == 8.5f);
	assert_int_equal(dot2_i32_i16(0xffff0002, 0x00030004, 10, 0), 15);
	assert_int_equal(dot4_i32_i8(0xff020304, 0x01020304, 1, 0), 29);
	assert_int_equal(dot4_u32_u8(0xffffffff, 0xffffffff, UINT32_MAX, 1), UINT32_MAX);
	assert_int_equal(dot8_i32_i4(0xf1000002, 0x11000007, 0, 0), 14);
	assert_int_equal(dot8_u32_u4(0xf1000002, 0x11000007, 0, 0), 30);
	assert_int_equal(mad_i32_i24(0x7fffff, 0x7fffff, 0, 1), INT32_MAX);
	assert_int_equal(mad_u32_u24(0xff000002, 3, 1, 0), 7);
	assert_int_equal(add_i32(INT32_MAX, 1, 1), INT32_MAX);
	assert_int_equal(sub_i32(INT32_MIN, 1, 0), INT32_MAX);
	assert_int_equal(med3_i32(-5, 7, 3), 3);
	assert_int_equal(med3_u32(5, 7, UINT32_MAX), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_conversions_match_the_host),
		cmocka_unit_test(half_fma_rounds_once),
		cmocka_unit_test(minimum_and_maximum_follow_nan_rules),
		cmocka_unit_test(number_classes_match),
		cmocka_unit_test(conversions_saturate),
		cmocka_unit_test(rounding_and_parts_match_libm),
		cmocka_unit_test(mad_rounds_and_flushes),
		cmocka_unit_test(division_sequence_is_ieee),
		cmocka_unit_test(transcendentals_are_within_one_ulp),
		cmocka_unit_test(trig_preop_gives_two_over_pi),
		cmocka_unit_test(bit_fields_match_a_slow_model),
		cmocka_unit_test(byte_functions_match),
		cmocka_unit_test(packed_functions_match),
	};

	return cmocka_run_group_tests_name("isa semantics", tests, NULL, NULL);
}
