/* The matrix products for gfx1100 on the software GPU, against sums in double: the machine code of kernels/gfx11 in all
 * its variants, and the HIP kernels. */
#include "tests/softgpu/core/device.h"

#include <math.h>

#define KERNELS        "../../../kernels/"
#define ASSEMBLE_GFX11 "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100 -I. "
/* With the device libraries that the HIP headers use, but not the number of the target, which Debian 12 lacks. */
#define COMPILE                                                                                                        \
	"-x hip -nogpulib --rocm-path=$ROCM_PATH --offload-arch=gfx1100 --offload-device-only --no-gpu-bundle-output " \
	"-mcode-object-version=4 -O3 --gpu-max-threads-per-block=1024 $(for l in hip ockl oclc_abi_version_400; do "   \
	"[ -e $BITCODE/$l.bc ] && echo -Xclang -mlink-builtin-bitcode -Xclang $BITCODE/$l.bc; done) "

enum { MAPPED = 4096 };

struct problem {
	int n;
	float alpha, beta;
};

/* Values that are not exact: each sum is rounded. */
static float element(uint32_t matrix, uint32_t at)
{
	uint32_t h = (at + 1) * 2654435761u ^ matrix * 0x9e3779b9u;
	h = (h ^ h >> 15) * 0x2c1b3c6du;
	return (float)((h ^ h >> 13) & 0xffff) / 32768.0f - 1.0f + 1e-5f;
}

static float *push_matrix(struct device *d, int n, uint32_t matrix)
{
	float *m = (float *)push_buffer(d, ((uint64_t)n * (uint64_t)n * 4 + MAPPED - 1) / MAPPED * MAPPED, 0);
	for (uint32_t k = 0; k < (uint32_t)(n * n); k++)
		m[k] = element(matrix, k);
	return m;
}

static void compare(const struct problem *p, const float *a, const float *b, const float *c, const char *name)
{
	for (int row = 0; row < p->n; row++)
		for (int col = 0; col < p->n; col++) {
			double sum = 0, before = (double)element(2, (uint32_t)(row * p->n + col));
			for (int k = 0; k < p->n; k++)
				sum += (double)a[row * p->n + k] * (double)b[k * p->n + col];
			double expected = (double)p->alpha * sum + (double)p->beta * before;
			if (fabs((double)c[row * p->n + col] - expected) > 1e-5 * p->n)
				fail_msg("%s, n %d, alpha %g, beta %g: row %d column %d is %.7g, expected %.7g", name,
					p->n, (double)p->alpha, (double)p->beta, row, col, (double)c[row * p->n + col],
					expected);
		}
}

struct kernel {
	const char *source, *flags, *name;
	uint32_t block[2], tile; /* threads, results */
};

static void multiply(struct device *d, const struct kernel *k, const struct problem *p)
{
	device_args(d);
	float *a = push_matrix(d, p->n, 0), *b = push_matrix(d, p->n, 1), *c = push_matrix(d, p->n, 2);
	push_int(d, (uint32_t)p->n);
	push(d, &p->alpha, 4);
	push(d, &p->beta, 4);
	uint32_t blocks = ((uint32_t)p->n + k->tile - 1) / k->tile;
	const uint32_t grid[3] = {blocks * k->block[0], blocks * k->block[1], 1};
	const uint16_t block[3] = {(uint16_t)k->block[0], (uint16_t)k->block[1], 1};
	if (device_launch_3d(d, k->name, grid, block, 0) != LAUNCH_OK)
		fail_msg("%s %s: %s", k->name, k->flags, d->out.message);
	compare(p, a, b, c, k->flags);
}

static void check(const struct kernel *k, const struct problem *problems, size_t count)
{
	struct device d;
	device_open(&d, "rx7900xtx", k->source, k->flags);
	for (size_t i = 0; i < count; i++)
		multiply(&d, k, &problems[i]);
	device_close(&d);
}

#define DUAL(banks, unroll, priority, scalar, spread)                                                         \
	{                                                                                                     \
		KERNELS "gfx11/sgemm_dual.s",                                                                 \
			ASSEMBLE_GFX11 "-Wa,-defsym,BANKS=" #banks " -Wa,-defsym,UNROLL=" #unroll             \
				       " -Wa,-defsym,PRIORITY=" #priority " -Wa,-defsym,SCALAR_BASE=" #scalar \
				       " -Wa,-defsym,SPREAD=" #spread,                                        \
			"sgemm_dual", {128, 1}, 128                                                           \
	}

static const struct problem tiles[] = {{128, 1, 0}, {256, 1.5f, 0.5f}};

static void dual_issue_kernels_multiply(void **state)
{
	(void)state;
	static const struct kernel kernels[] = {DUAL(0, 1, 1, 0, 0), DUAL(1, 1, 1, 0, 0), DUAL(1, 2, 0, 0, 0),
		DUAL(1, 4, 1, 1, 0), DUAL(1, 8, 1, 0, 0), DUAL(0, 8, 0, 1, 0), DUAL(1, 8, 1, 0, 1), DUAL(1, 8, 1, 1, 0),
		DUAL(1, 8, 1, 1, 1)};
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		check(&kernels[i], tiles, sizeof tiles / sizeof *tiles);
}

#define HIP_PATCH(flags, name, threads)                                           \
	{                                                                         \
		KERNELS "sgemm_patch.hip", COMPILE flags, name, {threads, 1}, 128 \
	}

static void compiled_patches_multiply(void **state)
{
	(void)state;
	static const struct kernel kernels[] = {HIP_PATCH("", "sgemm_k3", 256), HIP_PATCH("", "sgemm_k4", 256),
		HIP_PATCH("", "sgemm_k4_unbounded", 256), HIP_PATCH("", "sgemm_k5", 128),
		HIP_PATCH("-mcumode", "sgemm_k5", 128), HIP_PATCH("", "sgemm_k5_double", 128),
		HIP_PATCH("-DSHAPED -DUNROLLED=8 -DPRIORITY=1 -DSCALAR_BASE=1 -DSPREAD=1", "sgemm_patch", 128)};
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		check(&kernels[i], tiles, 1);
}

static void compiled_single_results_multiply(void **state)
{
	(void)state;
	static const struct problem sizes[] = {{33, 1.5f, 0.5f}, {128, 1, 0}};
	static const struct kernel naive = {KERNELS "sgemm.hip", COMPILE, "sgemm_naive", {16, 16}, 16};
	static const struct kernel tile = {KERNELS "sgemm.hip", COMPILE "-DBOUNDS=1", "sgemm_tile", {32, 32}, 32};
	check(&naive, sizes, 2);
	check(&tile, sizes, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dual_issue_kernels_multiply),
		cmocka_unit_test(compiled_patches_multiply),
		cmocka_unit_test(compiled_single_results_multiply),
	};
	toolchain_value("CLANG");
	return cmocka_run_group_tests_name("matrix products", tests, NULL, NULL);
}
