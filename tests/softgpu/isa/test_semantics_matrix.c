/* One element of gfx11's matrix products, dot products of two, and bfloat16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "softgpu/isa/semantics_matrix.h"

static const struct matrix_modifiers none;
static uint64_t seed = 1;

static uint32_t random_u32(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static void fill_halves(uint32_t v[8], uint16_t half)
{
	for (int k = 0; k < 8; k++)
		v[k] = half | (uint32_t)half << 16;
}

enum { F16_1 = 0x3c00, F16_HALF = 0x3800, F16_MIN_DENORMAL = 1, BF16_1 = 0x3f80 };

/* --- bfloat16 --- */
static void bf16_converts_to_float_and_back(void **state)
{
	(void)state;
	for (uint32_t b = 0; b < 0x10000; b++) {
		float f = bf16_to_f32(b);
		assert_int_equal(f32_bits(f), b << 16);
		if (!isnan(f))
			assert_int_equal(f32_to_bf16(f), b);
		else
			assert_true(isnan(bf16_to_f32(f32_to_bf16(f))));
	}
}

/* The nearest of the two neighbors; the even one of two that are as near. */
static void floats_round_to_the_nearest_bf16(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint32_t u = random_u32(), low = u & 0xffff0000;
		double f = bits_f32(u), below, above, middle;

		if (i % 4 == 0)
			u = low | 0x8000, f = bits_f32(u);
		if ((u >> 23 & 255) >= 254)
			continue;
		below = bits_f32(low), above = bits_f32(low + 0x10000), middle = (below + above) / 2;
		bool up = fabs(f) > fabs(middle) || (f == middle && low & 0x10000);
		assert_int_equal(f32_to_bf16((float)f), (low >> 16) + up);
	}
	assert_int_equal(f32_to_bf16(bits_f32(0x7f7fffff)), 0x7f80);
	assert_int_equal(f32_to_bf16(bits_f32(0x00008000)), 0);
	assert_int_equal(f32_to_bf16(bits_f32(0x00018000)), 2);
}

/* --- products of floats --- */
/* Each sum is rounded: 2^24 + 1 is 2^24, sixteen times. From the other side, ones are added first. */
static void sums_are_rounded_one_after_another(void **state)
{
	uint32_t a[8], b[8];

	(void)state;
	fill_halves(a, F16_1);
	fill_halves(b, F16_1);
	assert_int_equal(wmma_f32_f16(a, b, f32_bits(0x1p24f), none), f32_bits(0x1p24f));
	a[7] = 0x6c00u << 16 | F16_1; /* 2^12 * 2^12 as the last product */
	b[7] = 0x6c00u << 16 | F16_1;
	assert_int_equal(wmma_f32_f16(a, b, f32_bits(1), none), f32_bits(0x1p24f + 16));
	fill_halves(a, BF16_1);
	fill_halves(b, BF16_1);
	assert_int_equal(wmma_f32_bf16(a, b, f32_bits(0x1p24f), none), f32_bits(0x1p24f));
	assert_int_equal(wmma_f32_bf16(a, b, f32_bits(0.5f), none), f32_bits(16.5f));
}

/* Results of 16 bits are rounded once, at the end. */
static void halves_are_rounded_at_the_end(void **state)
{
	uint32_t a[8], b[8];

	(void)state;
	fill_halves(a, F16_1);
	fill_halves(b, F16_HALF);
	assert_int_equal(wmma_f16_f16(a, b, 0x6800, none), 0x6804); /* 2048 + 8, where halves are 2 apart */
	fill_halves(b, 0x7bff);
	assert_int_equal(wmma_f16_f16(a, b, 0, none), 0x7c00); /* too large: infinity */
	fill_halves(b, F16_MIN_DENORMAL);
	assert_int_equal(wmma_f16_f16(a, b, 0, none), 16 * F16_MIN_DENORMAL);
	fill_halves(a, BF16_1);
	fill_halves(b, BF16_1);
	assert_int_equal(wmma_bf16_bf16(a, b, 0x4380, none), 0x4388); /* 256 + 16, where they are 2 apart */
}

static float product_of_ones(uint8_t neg, uint8_t neg_hi, float c)
{
	const struct matrix_modifiers m = {.neg = neg, .neg_hi = neg_hi};
	uint32_t a[8], b[8];

	fill_halves(a, F16_1);
	fill_halves(b, F16_1);
	return bits_f32(wmma_f32_f16(a, b, f32_bits(c), m));
}

static void modifiers_change_signs(void **state)
{
	(void)state;
	for (uint8_t bit = 1; bit < 4; bit <<= 1) {
		assert_true(product_of_ones(bit, 0, 1) == 1);
		assert_true(product_of_ones(0, bit, 1) == 1);
		assert_true(product_of_ones(bit, bit, 1) == -15);
	}
	assert_true(product_of_ones(3, 3, 1) == 17);
	assert_true(product_of_ones(4, 0, 1) == 15);
	assert_true(product_of_ones(0, 4, -1) == 17);
	assert_true(product_of_ones(4, 4, -1) == 15);
}

/* The signs of the even elements, and those of the odd ones. */
static void signs_belong_to_the_even_and_odd_elements(void **state)
{
	const struct matrix_modifiers even = {.neg = 1}, odd = {.neg_hi = 1};
	uint32_t a[8] = {F16_1}, b[8];

	(void)state;
	fill_halves(b, F16_1);
	assert_int_equal(wmma_f32_f16(a, b, 0, even), f32_bits(-1));
	assert_int_equal(wmma_f32_f16(a, b, 0, odd), f32_bits(1));
	a[0] <<= 16;
	assert_int_equal(wmma_f32_f16(a, b, 0, even), f32_bits(1));
	assert_int_equal(wmma_f32_f16(a, b, 0, odd), f32_bits(-1));
}

/* v_dot2 of gfx11: each sum is rounded, and denormal floats are 0. */
static void dot_products_of_two_are_sums_of_three(void **state)
{
	const uint32_t ones = F16_1 | F16_1 << 16, bf16_ones = BF16_1 | BF16_1 << 16;

	(void)state;
	assert_true(dot2_steps_f32_f16(ones, ones, 0x1p24f) == 0x1p24f);
	assert_true(dot2_f32_bf16(bf16_ones, bf16_ones, 0x1p24f) == 0x1p24f);
	assert_true(dot2_steps_f32_f16(0, 0, 0x1p-130f) == 0);
	assert_true(dot2_f32_bf16(1, BF16_1, 0) == 0); /* a denormal bfloat16 */
	assert_true(dot2_steps_f32_f16(F16_MIN_DENORMAL, F16_1, 0) == 0x1p-24f);
}

/* --- products of integers --- */
static int element(const uint32_t *v, int k, int bits, bool is_signed)
{
	int x = v[k * bits / 32] >> k * bits % 32 & ((1 << bits) - 1);

	return is_signed && x >> (bits - 1) ? x - (1 << bits) : x;
}

static void integers_match_a_slow_model(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct matrix_modifiers m = {.neg = i & 3, .clamp = i >> 2 & 1};
		int bits = i & 8 ? 8 : 4;
		uint32_t a[4], b[4], c = i & 16 ? random_u32() : 0x7fffffff - random_u32() % 4096, got;
		for (int k = 0; k < 4; k++)
			a[k] = random_u32(), b[k] = random_u32();
		int64_t sum = (int32_t)c;
		for (int k = 0; k < 16; k++)
			sum += element(a, k, bits, m.neg & 1) * element(b, k, bits, m.neg >> 1);
		if (m.clamp)
			sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
		got = bits == 8 ? wmma_i32_iu8(a, b, c, m) : wmma_i32_iu4(a, b, c, m);
		assert_int_equal(got, (uint32_t)sum);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bf16_converts_to_float_and_back),
		cmocka_unit_test(floats_round_to_the_nearest_bf16),
		cmocka_unit_test(sums_are_rounded_one_after_another),
		cmocka_unit_test(halves_are_rounded_at_the_end),
		cmocka_unit_test(modifiers_change_signs),
		cmocka_unit_test(signs_belong_to_the_even_and_odd_elements),
		cmocka_unit_test(dot_products_of_two_are_sums_of_three),
		cmocka_unit_test(integers_match_a_slow_model),
	};

	return cmocka_run_group_tests_name("isa matrix", tests, NULL, NULL);
}
