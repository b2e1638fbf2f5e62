/* C references for sums and planes against values computed by hand or in the simplest form, for odd sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "kernels/reference/references.h"

static void each_block_is_summed(void **state)
{
	(void)state;
	static int buf[3 * 64];
	int out[3] = {-1, -1, -1};
	struct launch_shape shape = {{3, 1, 1}, {64, 1, 1}};
	for (int i = 0; i < 192; i++)
		buf[i] = i;
	reference_reduce(&shape, buf, 192, INT_MIN, out);
	assert_int_equal(out[0], 63 * 64 / 2);
	assert_int_equal(out[1], 63 * 64 / 2 + 64 * 64);
	assert_int_equal(out[2], 63 * 64 / 2 + 64 * 128);
}

static void sums_of_several_elements_respect_the_guard(void **state)
{
	(void)state;
	static int buf[2 * 64 * 3];
	int out[2] = {-1, -1};
	struct launch_shape shape = {{2, 1, 1}, {64, 1, 1}};
	for (int i = 0; i < 384; i++)
		buf[i] = i % 128 < 64 ? 1 : INT_MAX; /* the sum of the second block wraps: 192 * (2^31 - 1) */
	reference_reduce(&shape, buf, 384, 192, out);
	assert_int_equal(out[0], 192);
	assert_int_equal(out[1], -1); /* -192 is below the guard */
	reference_reduce(&shape, buf, 384, INT_MIN, out);
	assert_int_equal(out[1], -192);
}

static void planes_are_padded_with_zeros(void **state)
{
	(void)state;
	enum { SIDE = 3, PAD = 2, PADDED = 7, PLANES = 6 };
	float in[PLANES * SIDE * SIDE], out[PLANES * PADDED * PADDED];
	struct launch_shape shape = {{1, 3, 2}, {256, 1, 1}};
	double sum = 0, expected = 0;
	for (int i = 0; i < PLANES * SIDE * SIDE; i++)
		expected += in[i] = (float)(i + 1);
	memset(out, 0xff, sizeof out);
	reference_pad(&shape, in, out, SIDE, PAD, 3, 1);
	for (int i = 0; i < PLANES * PADDED * PADDED; i++)
		sum += out[i];
	assert_true(sum == expected);
	for (int plane = 0; plane < PLANES; plane++)
		for (int i = 0; i < SIDE * SIDE; i++)
			assert_true(out[(plane * PADDED + i / SIDE + PAD) * PADDED + i % SIDE + PAD] ==
				(float)(plane * SIDE * SIDE + i + 1));
}

static void batches_are_normalized(void **state)
{
	(void)state;
	enum { IMAGES = 4, POSITIONS = 5 };
	float in[IMAGES * POSITIONS], out[IMAGES * POSITIONS];
	struct launch_shape shape = {{1, 1, 1}, {256, 1, 1}};
	for (int i = 0; i < IMAGES; i++)
		for (int p = 0; p < POSITIONS; p++)
			in[i * POSITIONS + p] = p == 4
				? 7.0f
				: (float)(1000 * p +
					  (i % 2 ? 2 : -2)); /* mean 1000 p, variance 4; the last is constant */
	reference_batchnorm(&shape, in, out, IMAGES, POSITIONS, 3.0f, 0.5f, 12.0f);
	for (int i = 0; i < IMAGES; i++) {
		for (int p = 0; p < 4; p++)
			assert_float_equal(out[i * POSITIONS + p], (i % 2 ? 2.0 : -2.0) * 3.0 / 4.0 + 0.5, 1e-6);
		assert_true(out[i * POSITIONS + 4] == 0.5f);
	}
}

static void nchw_indices_are_correct(void **state)
{
	(void)state;
	unsigned out[2 * 15];
	struct launch_shape shape = {{1, 2, 1}, {256, 1, 1}};
	reference_nchw_index(&shape, out, 7, 3, 5);
	for (unsigned x = 0; x < 15; x++) {
		assert_int_equal(out[x], x);
		assert_int_equal(out[15 + x], 7 * 15 + x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block_is_summed),
		cmocka_unit_test(sums_of_several_elements_respect_the_guard),
		cmocka_unit_test(planes_are_padded_with_zeros),
		cmocka_unit_test(batches_are_normalized),
		cmocka_unit_test(nchw_indices_are_correct),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
