/* Kernels whose waves and workgroups cooperate, compared with C, at every level and on every target. */
#include <math.h>

#include "tests/programs/levels.h"

enum { NUMBERS = 5000, GROUPS = 7, PARTS = 200, STEPS = 6, MEETING = 90 };

static void check_reduction(const char *kernel)
{
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		uint32_t expected = 0;
		device_args(d);
		int *in = random_ints(d, NUMBERS, 32), *out = (int *)push_buffer(d, 4096, 0);
		push_int(d, NUMBERS);
		push_int(d, GROUPS * 256);
		for (unsigned i = 0; i < NUMBERS; i++)
			expected += (uint32_t)in[i];
		launch_or_fail(&level[n], kernel, GROUPS * 256, 256);
		check_equal(&level[n], kernel, out, &expected, 1, 4);
	}
}

static void dpp_reduction_matches_c(void **state)
{
	(void)state;
	check_reduction("reduce_dpp");
}
static void barrier_free_reduction_matches_c(void **state)
{
	(void)state;
	check_reduction("reduce_wave");
}
static void atomic_reduction_matches_c(void **state)
{
	(void)state;
	check_reduction("reduce_atomics");
}

static void global_histogram_matches_c(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		uint32_t expected[61] = {0};
		device_args(d);
		uint8_t *in = (uint8_t *)random_ints(d, NUMBERS / 4, 32);
		uint32_t *bins = push_buffer(d, 4096, 0);
		push_int(d, NUMBERS);
		push_int(d, GROUPS * 256);
		for (unsigned i = 0; i < NUMBERS; i++)
			expected[in[i] % 61]++;
		launch_or_fail(&level[n], "histogram_global", GROUPS * 256, 256);
		check_equal(&level[n], "histogram_global", bins, expected, 61, 4);
	}
}

static void look_back_scan_matches_c(void **state)
{
	static uint32_t expected[PARTS * 256];

	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		uint32_t sum = 0;
		device_args(d);
		int *in = random_ints(d, PARTS * 256, 32), *out = (int *)push_buffer(d, PARTS * 256 * 4, 0);
		push_buffer(d, pages_of(PARTS * 8), 0);
		push_buffer(d, 4096, 0);
		for (unsigned i = 0; i < PARTS * 256; i++)
			expected[i] = sum += (uint32_t)in[i];
		launch_or_fail(&level[n], "scan_look_back", PARTS * 256, 256);
		check_equal(&level[n], "scan_look_back", out, expected, PARTS * 256, 4);
	}
}

static void grid_barrier_stencil_matches_c(void **state)
{
	enum { N = MEETING * 256 };
	static uint32_t now[N], next[N];

	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		device_args(d);
		int *a = random_ints(d, N, 32);
		push_buffer(d, pages_of(N * 4), 0);
		push_buffer(d, 4096, 0);
		push_int(d, MEETING);
		push_int(d, STEPS);
		memcpy(now, a, sizeof now);
		for (unsigned k = 0; k < STEPS; k++) {
			for (unsigned i = 0; i < N; i++)
				next[i] = now[(i + N - 1) % N] + 3 * now[i] - now[(i + 1) % N];
			memcpy(now, next, sizeof now);
		}
		launch_or_fail(&level[n], "stencil", N, 256);
		check_equal(&level[n], "stencil", a, now, N, 4);
	}
}

static void double_buffered_sgemm_matches_c(void **state)
{
	enum { M = 128, N = 64, K = 40 };

	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		static float expected[M * N];
		device_args(d);
		float *a = (float *)random_ints(d, M * K, 20), *b = (float *)random_ints(d, K * N, 20);
		float *c = (float *)push_buffer(d, pages_of(M * N * 4), 0);
		for (unsigned i = 0; i < M * K; i++)
			a[i] = (float)((int *)a)[i] / 1000.0f - 500.0f;
		for (unsigned i = 0; i < K * N; i++)
			b[i] = (float)((int *)b)[i] / 300000.0f;
		push_int(d, N);
		push_int(d, K);
		memset(expected, 0, sizeof expected);
		for (unsigned e = 0; e < M * N; e++)
			for (unsigned i = 0; i < K; i++)
				expected[e] = fmaf(a[e / N * K + i], b[i * N + e % N], expected[e]);
		launch_or_fail(&level[n], "sgemm_buffers", M / 64 * (N / 64) * 256, 256);
		check_equal(&level[n], "sgemm_buffers", c, expected, M * N, 4);
	}
}

static int open_all(void **state)
{
	(void)state;
	levels_open("groups.hip", "-nogpuinc -nogpulib");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dpp_reduction_matches_c),
		cmocka_unit_test(barrier_free_reduction_matches_c),
		cmocka_unit_test(atomic_reduction_matches_c),
		cmocka_unit_test(global_histogram_matches_c),
		cmocka_unit_test(look_back_scan_matches_c),
		cmocka_unit_test(grid_barrier_stencil_matches_c),
		cmocka_unit_test(double_buffered_sgemm_matches_c),
	};
	return cmocka_run_group_tests(tests, open_all, levels_close);
}
