/* Dot products of gfx906 and later, and float atomics of gfx908, as compiled code uses them, compared with C. */
#include "tests/programs/levels.h"

enum { ITEMS = 2048 };

static bool is_arch(const struct level *l, const char *arch)
{
	return !strcmp(l->arch, arch);
}

/* --- sums of products --- */
struct dot {
	const char *kernel;
	unsigned parts, bits;
	bool is_signed, clamp;
};

static int64_t factor(const struct dot *d, uint32_t v, unsigned k)
{
	uint32_t field = v >> k * d->bits << (32 - d->bits);

	return d->is_signed ? (int32_t)field >> (32 - d->bits) : (int64_t)(field >> (32 - d->bits));
}

static uint32_t product(const struct dot *d, uint32_t a, uint32_t b, uint32_t c)
{
	int64_t sum = d->is_signed ? (int32_t)c : (int64_t)c;

	for (unsigned k = 0; k < d->parts; k++)
		sum += factor(d, a, k) * factor(d, b, k);
	if (d->clamp && d->is_signed)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	if (d->clamp && !d->is_signed)
		sum = sum > UINT32_MAX ? UINT32_MAX : sum;
	return (uint32_t)sum;
}

static bool has_dot(const struct level *l, const struct dot *d)
{
	return !is_arch(l, "gfx900") && (d->bits < 16 || !is_arch(l, "gfx1100"));
}

/* Includes sums near the ends of the range, where clamping has an effect. */
static void spread(int *c)
{
	for (unsigned i = 0; i < ITEMS; i++)
		if (i % 3)
			c[i] = (int)((i % 3 == 1 ? 0x7fffff00u : i % 2 ? 0xffffff00u : 0x80000080u) + i % 256u);
}

static void dot_instructions_match_c(void **state)
{
	static const struct dot dot[] = {
		{"sdot4", 4, 8, true, false},
		{"sdot4_clamp", 4, 8, true, true},
		{"udot4", 4, 8, false, false},
		{"udot4_clamp", 4, 8, false, true},
		{"sdot8", 8, 4, true, false},
		{"sdot8_clamp", 8, 4, true, true},
		{"udot8", 8, 4, false, false},
		{"udot8_clamp", 8, 4, false, true},
		{"sdot2", 2, 16, true, false},
		{"sdot2_clamp", 2, 16, true, true},
		{"udot2", 2, 16, false, false},
		{"udot2_clamp", 2, 16, false, true},
	};
	unsigned run = 0;

	(void)state;
	for (unsigned n = 0; n < levels; n++)
		for (unsigned k = 0; k < sizeof dot / sizeof *dot; k++) {
			struct device *d = &level[n].device;
			uint32_t expected[ITEMS];
			if (!has_dot(&level[n], &dot[k]))
				continue;
			run++;
			device_args(d);
			int *a = random_ints(d, ITEMS, 32), *b = random_ints(d, ITEMS, 32),
			    *c = random_ints(d, ITEMS, 32);
			int *out = (int *)push_buffer(d, ITEMS * 4, 0);
			spread(c);
			for (unsigned i = 0; i < ITEMS; i++)
				expected[i] = product(&dot[k], (uint32_t)a[i], (uint32_t)b[i], (uint32_t)c[i]);
			launch_or_fail(&level[n], dot[k].kernel, ITEMS, 256);
			check_equal(&level[n], dot[k].kernel, out, expected, ITEMS, 4);
		}
	assert_true(run >= sizeof dot / sizeof *dot);
}

/* --- products of matrices --- */
enum { M = 32, N = 24, K = 64 };

static void half_matrix_product_matches_c(void **state)
{
	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		float expected[M * N] = {0};
		if (is_arch(&level[v], "gfx900"))
			continue;
		device_args(d);
		_Float16 *a = (_Float16 *)push_buffer(d, pages_of(M * K * 2), 0),
			 *b = (_Float16 *)push_buffer(d, pages_of(N * K * 2), 0);
		float *c = (float *)push_buffer(d, pages_of(M * N * 4), 0);
		for (unsigned i = 0; i < M * K; i++)
			a[i] = (_Float16)(float)(random_bits(&random_state) % 61 - 30.0);
		for (unsigned i = 0; i < N * K; i++)
			b[i] = (_Float16)(float)(random_bits(&random_state) % 41 - 20.0);
		push_int(d, N);
		push_int(d, K);
		for (unsigned e = 0; e < M * N; e++)
			for (unsigned p = 0; p < K; p++)
				expected[e] += (float)a[e / N * K + p] * (float)b[e % N * K + p];
		launch_or_fail(&level[v], "half_product", M * N, 256);
		check_equal(&level[v], "half_product", c, expected, M * N, 4);
	}
}

static void byte_matrix_product_matches_c(void **state)
{
	(void)state;
	for (unsigned v = 0; v < levels; v++) {
		struct device *d = &level[v].device;
		int expected[M * N] = {0};
		if (is_arch(&level[v], "gfx900"))
			continue;
		device_args(d);
		int8_t *a = (int8_t *)random_ints(d, M * K / 4, 32), *b = (int8_t *)random_ints(d, N * K / 4, 32);
		int *c = (int *)push_buffer(d, pages_of(M * N * 4), 0);
		push_int(d, N);
		push_int(d, K);
		for (unsigned e = 0; e < M * N; e++)
			for (unsigned p = 0; p < K; p++)
				expected[e] += a[e / N * K + p] * b[e % N * K + p];
		launch_or_fail(&level[v], "byte_product", M * N, 256);
		check_equal(&level[v], "byte_product", c, expected, M * N, 4);
	}
}

static void float_atomic_sums_match_c(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		float expected[5] = {0};
		_Float16 pairs[6] = {0};
		if (!is_arch(&level[n], "gfx908"))
			continue;
		device_args(d);
		int *in = random_ints(d, ITEMS, 31);
		float *sum = (float *)push_buffer(d, 4096, 0);
		_Float16 *pair = (_Float16 *)push_buffer(d, 4096, 0);
		for (unsigned i = 0; i < ITEMS; i++) {
			int v = in[i] % 16;
			expected[v % 5] += (float)v;
			pairs[v % 3 * 2] += (_Float16)(float)(v & 1);
			pairs[v % 3 * 2 + 1] += (_Float16)(float)(v & 2);
		}
		launch_or_fail(&level[n], "float_sums", ITEMS, 256);
		check_equal(&level[n], "float_sums: floats", sum, expected, 5, 4);
		check_equal(&level[n], "float_sums: pairs of halves", pair, pairs, 6, 2);
	}
}

static int open_all(void **state)
{
	(void)state;
	levels_open("dots.hip", "-nogpuinc -nogpulib -munsafe-fp-atomics");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dot_instructions_match_c),
		cmocka_unit_test(half_matrix_product_matches_c),
		cmocka_unit_test(byte_matrix_product_matches_c),
		cmocka_unit_test(float_atomic_sums_match_c),
	};
	return cmocka_run_group_tests(tests, open_all, levels_close);
}
