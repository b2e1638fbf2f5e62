/* C references against the simplest form of the same computation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/reference/reference.h"
#include "kernels/reference/references.h"

static const struct launch_shape one = {{1, 1, 1}, {1, 1, 1}}, wave = {{1, 1, 1}, {64, 1, 1}};

static void every_reference_is_found_by_name(void **state)
{
	(void)state;
	const struct reference *list;
	size_t n = reference_list(&list);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(reference_find(list[i].name), &list[i]);
	assert_null(reference_find("no such kernel"));
	assert_true(reference_find("chase_range")->call == (void (*)(void))reference_chase_range);
}

/* The full length without early end: unfused in float, fused with an exact product in double. */
static void fma_chains_are_exact(void **state)
{
	(void)state;
	enum { LENGTH = 30000 };
	struct launch_shape shape = {{2, 1, 1}, {256, 1, 1}};
	static float unfused[512], fused[512];
	unsigned differ = 0;
	reference_fma_unfused(&shape, unfused, LENGTH);
	reference_fma_fused(&shape, fused, LENGTH);
	for (int i = 0; i < 512; i += 51) {
		volatile float a = (float)i / ((float)i + 1.0f), b = 1.0f / 1.0e8f, product, s = 0, f = 0;
		for (int j = 0; j < LENGTH; j++) {
			product = a * s;
			s = product + b;
			f = (float)fmal(
				a, f, b); /* a 64-bit mantissa: 48 bits for the product, and guard bits for the sum */
		}
		assert_memory_equal(&(float){s}, &unfused[i], 4);
		assert_memory_equal(&(float){f}, &fused[i], 4);
		differ += unfused[i] != fused[i];
	}
	assert_true(differ > 0);
}

static void short_fma_chains_are_exact(void **state)
{
	(void)state;
	struct launch_shape shape = {{1, 1, 1}, {2, 1, 1}};
	float out[2] = {9, 9};
	reference_fma_unfused(&shape, out, 3);
	assert_true(out[0] == 1e-8f);    /* a = 0 */
	assert_true(out[1] == 1.75e-8f); /* a = 1/2: 1, 1.5, 1.75; exact except for the rounding of b */
	reference_fma_unfused(&shape, out, 0);
	assert_true(out[0] == 0 && out[1] == 0);
}

/* Launches with more work-items, fewer, or another length: chains depend only on their index and the length. */
static void fma_chains_do_not_depend_on_earlier_launches(void **state)
{
	(void)state;
	static float small[40], large[2000], again[2000];
	struct launch_shape few = {{1, 1, 1}, {37, 1, 1}}, many = {{20, 1, 1}, {100, 1, 1}};
	reference_fma_unfused(&few, small, 500);
	reference_fma_unfused(&many, large, 500);
	assert_memory_equal(small, large, 37 * sizeof *small);
	reference_fma_fused(&many, again, 500);
	assert_memory_not_equal(again, large, sizeof large);
	reference_fma_unfused(&many, again, 100);
	assert_memory_not_equal(again, large, sizeof large);
	reference_fma_unfused(&many, again, 500);
	assert_memory_equal(again, large, sizeof large);
	for (unsigned i = 0; i < 2000; i += 333) {
		volatile float a = (float)i / ((float)i + 1.0f), b = 1.0f / 1.0e8f, product, s = 0;
		for (int j = 0; j < 500; j++) {
			product = a * s;
			s = product + b;
		}
		assert_memory_equal(&(float){s}, &large[i], 4);
	}
}

/* The first `lanes` work-items of each block compute a * s + b, the others b * s + a, for any number of loops. */
static void divergent_chains_swap_their_operands(void **state)
{
	(void)state;
	static float plain[600], split[600], spread[600];
	struct launch_shape shape = {{2, 1, 1}, {300, 1, 1}};
	reference_fma_unfused(&shape, plain, 400);
	reference_divergence_unfused(&shape, split, 400, 5, 2);
	reference_divergence_unfused(&shape, spread, 400, 5, 16);
	assert_memory_equal(split, spread, sizeof split);
	for (unsigned i = 0; i < 600; i++) {
		volatile float a = (float)i / ((float)i + 1.0f), b = 1.0f / 1.0e8f, product, s = 0;
		for (int j = 0; j < 400; j++) {
			product = b * s;
			s = product + a;
		}
		assert_memory_equal(i % 300 < 5 ? &plain[i] : &(float){s}, &split[i], 4);
	}
	reference_divergence_unfused(&shape, split, 400, 300, 2);
	assert_memory_equal(split, plain, sizeof split);
	reference_fma_fused(&shape, plain, 400);
	reference_divergence_fused(&shape, split, 400, 300, 1);
	assert_memory_equal(split, plain, sizeof split);
}

/* Different odd values, so that every address matters. */
static void chases_follow_the_data(void **state)
{
	(void)state;
	static int buf[1 << 16];
	int out = -1, v;
	for (int i = 0; i < 1 << 16; i++)
		buf[i] = 1 + 2 * (i % 5);
	reference_chase_range(&one, buf, 4096, 1000, &out);
	v = buf[0];
	for (int i = 1; i < 1000; i++)
		v = buf[(i * v - 1) % 4096];
	assert_int_equal(out, v);

	for (int i = 0; i < 1 << 16; i++)
		buf[i] = 1;
	reference_chase_stride(&one, buf, 16, 1 << 12, &out);
	assert_int_equal(out, 1);
	buf[(4095 * 16) - 1] = 77; /* the last address of 4096 reads */
	reference_chase_stride(&one, buf, 16, 1 << 12, &out);
	assert_int_equal(out, 77);
	buf[0] = 256;
	buf[256] = 128;
	buf[256 + 0] = 128;
	buf[128 * 2] = 5;
	reference_chase_dram(&one, buf, 2, &out);
	assert_int_equal(out, buf[256]);
}

/* 64 lines of 16 elements; the cycle visits every third line. */
static void a_shuffled_chase_follows_offsets(void **state)
{
	(void)state;
	static int buf[64 * 16];
	int out = -1;
	for (int i = 0; i < 64; i++)
		buf[i * 16] = (i + 3) % 64 * 64;
	reference_chase_shuffled(&one, buf, 0, 10, &out);
	assert_int_equal(out, (1 + 10) * 3 * 64);
	reference_chase_shuffled(&one, buf, 0, 63, &out);
	assert_int_equal(out, 0);
}

static void lds_chains_follow_the_data(void **state)
{
	(void)state;
	static int buf[4096], out[64];
	unsigned v;
	for (int i = 0; i < 4096; i++)
		buf[i] = i * 7 + 3;
	reference_lds_bank_conflict(&wave, buf, 5, 2, out);
	for (unsigned t = 0; t < 64; t++) {
		v = t * 5 % 4096;
		for (int i = 0; i < 200; i++)
			v = ((unsigned)buf[v] + t) * 5 % 4096;
		assert_int_equal(out[t], v);
	}
	reference_lds_latency(&wave, buf, 63, 1, out);
	for (unsigned t = 0; t < 64; t++) {
		v = t;
		for (int i = 0; i < 100; i++)
			v = (unsigned)buf[v] & 63;
		assert_int_equal(out[t], v);
	}
}

static void channel_stores_reach_their_words(void **state)
{
	(void)state;
	static unsigned buf[1024];
	struct launch_shape shape = {{4, 1, 1}, {256, 1, 1}};
	memset(buf, 0xff, sizeof buf);
	reference_channel_store(&shape, buf, 32, 512);
	for (unsigned i = 0; i < 1024; i++)
		assert_int_equal(buf[i], i % 512 < 32 ? i : 0xffffffff);
}

/* Whole numbers, so sums are exact in any order. Tests sizes that are not a multiple of a patch, and that a changed
 * matrix is multiplied again. */
static void matrix_products_are_exact_for_any_size(void **state)
{
	(void)state;
	enum { MOST = 37 };
	static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], wanted[MOST * MOST];
	static const int sizes[] = {1, 2, 5, 16, 17, MOST, MOST};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		int n = sizes[s];
		for (int i = 0; i < n * n; i++) {
			a[i] = (float)(i * 7 % 13 - 6);
			b[i] = (float)(i * (5 + (int)s) % 11 - 4);
			c[i] = (float)(i % 9);
		}
		for (int i = 0; i < n * n; i++) {
			int dot = 0;
			for (int k = 0; k < n; k++)
				dot += (int)a[i / n * n + k] * (int)b[k * n + i % n];
			wanted[i] = 1.5f * (float)dot + 0.5f * c[i];
		}
		reference_sgemm(&one, a, b, c, n, 1.5f, 0.5f);
		assert_memory_equal(c, wanted, (size_t)(n * n) * sizeof *c);
	}
}

static void tile_dot_products_are_exact(void **state)
{
	(void)state;
	static float a[512], b[512], out[512];
	struct launch_shape shape = {{2, 1, 1}, {16, 16, 1}};
	for (int i = 0; i < 512; i++) {
		a[i] = (float)(i / 16 % 16 + i / 256); /* the row, one more in the second block */
		b[i] = (float)(i % 16);                /* the column */
	}
	reference_tile_dot(&shape, a, b, out, 3);
	for (int i = 0; i < 512; i++)
		assert_true(out[i] == (float)(3 * 16 * (i / 16 % 16 + i / 256) * (i % 16)));
}

static void padded_lds_stores_reach_their_words(void **state)
{
	(void)state;
	static int out[8 * 136];
	reference_lds_store_padding(&wave, out, 132, 10);
	assert_int_equal(out[0], 9);
	assert_int_equal(out[1], 8 + 9);   /* lane 8 */
	assert_int_equal(out[132], 1 + 9); /* lane 1 */
	assert_int_equal(out[7 * 132 + 7], 63 + 9);
	assert_int_equal(out[8], -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_reference_is_found_by_name),
		cmocka_unit_test(fma_chains_are_exact),
		cmocka_unit_test(short_fma_chains_are_exact),
		cmocka_unit_test(fma_chains_do_not_depend_on_earlier_launches),
		cmocka_unit_test(divergent_chains_swap_their_operands),
		cmocka_unit_test(chases_follow_the_data),
		cmocka_unit_test(a_shuffled_chase_follows_offsets),
		cmocka_unit_test(lds_chains_follow_the_data),
		cmocka_unit_test(channel_stores_reach_their_words),
		cmocka_unit_test(matrix_products_are_exact_for_any_size),
		cmocka_unit_test(tile_dot_products_are_exact),
		cmocka_unit_test(padded_lds_stores_reach_their_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
