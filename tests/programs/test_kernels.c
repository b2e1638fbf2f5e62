/* Common kernels on the software GPU compared with C: matrix products, reductions, scans, transposes, sorts,
 * histograms, images, locks, generic pointers; at every level and on every target. */
#include <math.h>

#include "tests/programs/levels.h"

/* --- matrix products --- */
static void sgemm(
	const char *kernel, unsigned m, unsigned n, unsigned k, uint32_t gx, uint32_t gy, uint32_t bx, uint32_t by)
{
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		device_args(d);
		float *a = (float *)random_ints(d, m * k, 20), *b = (float *)random_ints(d, k * n, 20);
		float *c = (float *)push_buffer(d, pages_of(m * n * 4), 0), *expected = calloc(m * n, 4);
		for (unsigned i = 0; i < m * k; i++)
			a[i] = (float)((int *)a)[i] / 1000.0f - 500.0f;
		for (unsigned i = 0; i < k * n; i++)
			b[i] = (float)((int *)b)[i] / 300000.0f;
		push_int(d, m);
		push_int(d, n);
		push_int(d, k);
		launch_2d(&level[v], kernel, gx, gy, bx, by);
		for (unsigned r = 0; r < m; r++)
			for (unsigned s = 0; s < n; s++)
				for (unsigned i = 0; i < k; i++)
					expected[r * n + s] = fmaf(a[r * k + i], b[i * n + s], expected[r * n + s]);
		check_equal(&level[v], kernel, c, expected, m * n, 4);
		free(expected);
	}
}

static void naive_sgemm_matches_c(void **state)
{
	(void)state;
	sgemm("sgemm_naive", 45, 70, 33, 5, 3, 16, 16);
}
static void tiled_sgemm_matches_c(void **state)
{
	(void)state;
	sgemm("sgemm_tile", 45, 70, 33, 5, 3, 16, 16);
}
static void register_blocked_sgemm_matches_c(void **state)
{
	(void)state;
	sgemm("sgemm_registers", 128, 64, 40, 1, 2, 256, 1);
}

static void tiled_dgemm_matches_c(void **state)
{
	enum { M = 20, N = 37, K = 50 };

	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		double expected[M * N] = {0};
		device_args(d);
		double *a = (double *)push_buffer(d, pages_of(M * K * 8), 0),
		       *b = (double *)push_buffer(d, pages_of(K * N * 8), 0);
		double *c = (double *)push_buffer(d, pages_of(M * N * 8), 0);
		for (unsigned i = 0; i < M * K; i++)
			a[i] = (double)(int64_t)random_bits(&random_state) * 1e-17;
		for (unsigned i = 0; i < K * N; i++)
			b[i] = (double)(int64_t)random_bits(&random_state) * 1e-10;
		push_int(d, M);
		push_int(d, N);
		push_int(d, K);
		launch_2d(&level[v], "dgemm_tile", (N + 15) / 16, (M + 15) / 16, 16, 16);
		for (unsigned e = 0; e < M * N; e++)
			for (unsigned i = 0; i < K; i++)
				expected[e] = fma(a[e / N * K + i], b[i * N + e % N], expected[e]);
		check_equal(&level[v], "dgemm_tile", c, expected, M * N, 8);
	}
}

static void packed_hgemm_matches_c(void **state)
{
	enum { M = 16, N = 32, K = 20 };

	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		_Float16 expected[M * N];
		device_args(d);
		_Float16 *a = (_Float16 *)push_buffer(d, 4096, 0), *b = (_Float16 *)push_buffer(d, 4096, 0),
			 *c = (_Float16 *)push_buffer(d, 4096, 0);
		for (unsigned i = 0; i < M * K; i++)
			a[i] = (_Float16)(float)(random_bits(&random_state) % 15 - 7.0);
		for (unsigned i = 0; i < K * N; i++)
			b[i] = (_Float16)(float)(random_bits(&random_state) % 11 - 5.0);
		push_int(d, M);
		push_int(d, N);
		push_int(d, K);
		launch_2d(&level[v], "hgemm_packed", 1, 1, 16, 16);
		for (unsigned e = 0; e < M * N; e++) {
			float sum = 0;
			for (unsigned i = 0; i < K; i++)
				sum += (float)a[e / N * K + i] * (float)b[i * N + e % N];
			expected[e] = (_Float16)sum;
		}
		check_equal(&level[v], "hgemm_packed", c, expected, M * N, 2);
	}
}

/* --- reductions, scans, sorts --- */
enum { NUMBERS = 5000, GROUPS = 7 };

static void reduce(const char *kernel, bool two)
{
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		uint32_t expected = 0, got = 0;
		device_args(d);
		int *in = random_ints(d, NUMBERS, 32), *part = (int *)push_buffer(d, 4096, 0),
		    *out = two ? (int *)push_buffer(d, 4096, 0) : part;
		push_int(d, NUMBERS);
		launch_or_fail(&level[v], kernel, GROUPS * 256, 256);
		for (unsigned i = 0; i < NUMBERS; i++)
			expected += (uint32_t)in[i];
		for (unsigned g = 0; g < (two ? 1 : GROUPS); g++)
			got += (uint32_t)out[g];
		check_equal(&level[v], kernel, &got, &expected, 1, 4);
	}
}

static void tree_reduction_matches_c(void **state)
{
	(void)state;
	reduce("reduce_tree", false);
}
static void shuffle_reduction_matches_c(void **state)
{
	(void)state;
	reduce("reduce_shuffle", false);
}
static void last_block_reduction_matches_c(void **state)
{
	(void)state;
	reduce("reduce_last", true);
	reduce("reduce_last", true);
}

static void scan(const char *kernel, unsigned width, bool inclusive)
{
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		uint32_t expected[2048], sum = 0;
		device_args(d);
		int *in = random_ints(d, 2048, 32), *out = (int *)push_buffer(d, pages_of(2048 * 4), 0);
		launch_2d(&level[v], kernel, 2048 / width, 1, 256, 1);
		for (unsigned i = 0; i < 2048; i++) {
			sum = i % width ? sum : 0;
			expected[i] = inclusive ? sum + (uint32_t)in[i] : sum;
			sum += (uint32_t)in[i];
		}
		check_equal(&level[v], kernel, out, expected, 2048, 4);
	}
}

static void doubling_scan_matches_c(void **state)
{
	(void)state;
	scan("scan_doubling", 256, true);
}
static void tree_scan_matches_c(void **state)
{
	(void)state;
	scan("scan_tree", 512, false);
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void bitonic_sort_matches_c(void **state)
{
	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		uint32_t expected[2048];
		device_args(&level[v].device);
		int *data = random_ints(&level[v].device, 2048, 32);
		memcpy(expected, data, sizeof expected);
		launch_or_fail(&level[v], "sort_bitonic", 1024, 256);
		for (unsigned k = 0; k < 2048; k += 512)
			qsort(expected + k, 512, 4, by_value);
		check_equal(&level[v], "sort_bitonic", data, expected, 2048, 4);
	}
}

static void lds_histogram_matches_c(void **state)
{
	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		uint32_t expected[256] = {0};
		struct device *d = &level[v].device;
		device_args(d);
		uint8_t *in = (uint8_t *)random_ints(d, NUMBERS / 4, 32);
		uint32_t *bins = push_buffer(d, 4096, 0);
		push_int(d, NUMBERS);
		launch_or_fail(&level[v], "histogram", GROUPS * 256, 256);
		for (unsigned i = 0; i < NUMBERS; i++)
			expected[in[i]]++;
		check_equal(&level[v], "histogram", bins, expected, 256, 4);
	}
}

/* --- images --- */
enum { W = 70, H = 45 };

static void transpose(const char *kernel, uint32_t by)
{
	for (unsigned v = 0; v < levels; v++) {
		int expected[W * H];
		struct device *d = &level[v].device;
		device_args(d);
		int *in = random_ints(d, W * H, 32), *out = (int *)push_buffer(d, pages_of(W * H * 4), 0);
		push_int(d, W);
		push_int(d, H);
		launch_2d(&level[v], kernel, (W + 31) / 32, (H + 31) / 32 * (by == 8 ? 1 : 4), 32, 8);
		for (unsigned k = 0; k < W * H; k++)
			expected[k] = in[k % H * W + k / H];
		check_equal(&level[v], kernel, out, expected, W * H, 4);
	}
}

static void naive_transpose_matches_c(void **state)
{
	(void)state;
	transpose("transpose_naive", 32);
}
static void tiled_transpose_matches_c(void **state)
{
	(void)state;
	transpose("transpose_tile", 8);
}

static void mandelbrot_matches_c(void **state)
{
	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		uint8_t expected[W * H];
		device_args(&level[v].device);
		uint32_t *out = push_buffer(&level[v].device, 4096, 0);
		push_int(&level[v].device, W);
		push_int(&level[v].device, H);
		push_int(&level[v].device, 200);
		launch_2d(&level[v], "mandelbrot", (W + 15) / 16, (H + 15) / 16, 16, 16);
		for (int k = 0; k < W * H; k++) {
			float cr = (float)(k % W) * 3.0f / (float)W - 2.0f,
			      ci = (float)(k / W) * 2.0f / (float)H - 1.0f, r = 0, i = 0;
			for (expected[k] = 0; expected[k] < 200 && r * r + i * i <= 4.0f; expected[k]++) {
				float t = r * r - i * i + cr;
				i = 2.0f * r * i + ci;
				r = t;
			}
		}
		check_equal(&level[v], "mandelbrot", out, expected, W * H, 1);
	}
}

static int between(int low, int v, int high)
{
	return v < low ? low : v > high ? high : v;
}

static void image_blur_matches_c(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		uint16_t expected[W * H] = {0};
		device_args(&level[n].device);
		uint8_t *in = (uint8_t *)random_ints(&level[n].device, W * H / 4 + 1, 32);
		uint32_t *out = push_buffer(&level[n].device, pages_of(W * H * 2), 0);
		push_int(&level[n].device, W);
		push_int(&level[n].device, H);
		launch_2d(&level[n], "blur", (W + 63) / 64, (H + 3) / 4, 64, 4);
		for (int k = 0; k < W * H; k++)
			for (int e = 0; e < 9; e++)
				expected[k] += (1 << (e % 3 == 1) << (e / 3 == 1)) *
					in[between(0, k / W + e / 3 - 1, H - 1) * W +
						between(0, k % W + e % 3 - 1, W - 1)];
		check_equal(&level[n], "blur", out, expected, W * H, 2);
	}
}

/* --- memory --- */
static void spin_lock_protects_a_value(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		uint64_t expected = 1;
		device_args(&level[n].device);
		push_buffer(&level[n].device, 4096, 0);
		uint64_t *value = (uint64_t *)push_buffer(&level[n].device, 4096, 0);
		*value = 1;
		launch_or_fail(&level[n], "locked", 40 * 64, 64);
		for (unsigned k = 0; k < 40; k++)
			expected = expected * 3 + 1;
		check_equal(&level[n], "locked", value, &expected, 1, 8);
	}
}

static void generic_pointers_match_c(void **state)
{
	static const int own[4] = {11, 22, 33, 44};

	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		int expected[1024];
		device_args(&level[n].device);
		int *in = random_ints(&level[n].device, 1024, 16), *out = (int *)push_buffer(&level[n].device, 4096, 0);
		launch_or_fail(&level[n], "generic", 1024, 256);
		for (int i = 0; i < 1024; i++)
			expected[i] = 7 * (i & 255) + own[i & 3] + in[i] + 1005 + (in[i] % 3 == 0);
		check_equal(&level[n], "generic", out, expected, 1024, 4);
	}
}

static int open_all(void **state)
{
	(void)state;
	levels_open("kernels.hip", HIP_HEADERS);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(naive_sgemm_matches_c),
		cmocka_unit_test(tiled_sgemm_matches_c),
		cmocka_unit_test(register_blocked_sgemm_matches_c),
		cmocka_unit_test(tiled_dgemm_matches_c),
		cmocka_unit_test(packed_hgemm_matches_c),
		cmocka_unit_test(tree_reduction_matches_c),
		cmocka_unit_test(shuffle_reduction_matches_c),
		cmocka_unit_test(last_block_reduction_matches_c),
		cmocka_unit_test(doubling_scan_matches_c),
		cmocka_unit_test(tree_scan_matches_c),
		cmocka_unit_test(bitonic_sort_matches_c),
		cmocka_unit_test(lds_histogram_matches_c),
		cmocka_unit_test(naive_transpose_matches_c),
		cmocka_unit_test(tiled_transpose_matches_c),
		cmocka_unit_test(mandelbrot_matches_c),
		cmocka_unit_test(image_blur_matches_c),
		cmocka_unit_test(spin_lock_protects_a_value),
		cmocka_unit_test(generic_pointers_match_c),
	};
	return cmocka_run_group_tests(tests, open_all, levels_close);
}
