/* Kernels that load, store and sample an image of gfx9, one texel or sample for each work-item. */
#ifndef TESTS_SOFTGPU_CORE_IMAGE_BENCH_H
#define TESTS_SOFTGPU_CORE_IMAGE_BENCH_H

#include "tests/softgpu/core/device.h"

/* Texels of the image, in rows of one work-group; the bytes hold the largest texels. */
enum {
	BENCH_WIDTH = 256,
	BENCH_HEIGHT = 256,
	BENCH_ITEMS = BENCH_WIDTH * BENCH_HEIGHT,
	BENCH_BYTES = BENCH_ITEMS * 16
};
enum { BENCH_IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9 };

static struct device bench;
static uint32_t *bench_descriptors;                                  /* an image's, then a sampler's */
static uint32_t (*bench_data)[4], (*bench_result)[4], *bench_texels; /* data and results by work-item */
static uint64_t bench_image_va;

static inline void bench_write_kernels(FILE *f)
{
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
		"\t.amdhsa_next_free_vgpr 16\n\t.amdhsa_next_free_sgpr 40\n\t.end_amdhsa_kernel\n\t.text\n\\name:\n"
		"\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_load_dwordx2 s[8:9], s[0:1], 0x10\n\tv_mov_b32 v1, s2\n"
		"\tv_lshlrev_b32 v2, 8, v1\n\tv_add_u32 v2, v2, v0\n\tv_lshlrev_b32 v2, 4, v2\n\ts_waitcnt lgkmcnt(0)\n"
		"\ts_load_dwordx8 s[16:23], s[4:5], 0x0\n\ts_load_dwordx4 s[24:27], s[4:5], 0x20\n"
		"\tglobal_load_dwordx4 v[8:11], v2, s[6:7]\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n.endm\n"
		".macro finish\n\ts_waitcnt vmcnt(0)\n\tglobal_store_dwordx4 v2, v[4:7], s[8:9]\n\ts_endpgm\n.endm\n"
		"\tkernel load\n\timage_load v[4:7], v[0:1], s[16:23] dmask:0xf unorm\n\tfinish\n"
		"\tkernel store\n\timage_store v[8:11], v[0:1], s[16:23] dmask:0xf unorm\n\ts_endpgm\n"
		"\tkernel sample\n\timage_sample v[4:7], v[8:10], s[16:23], s[24:27] dmask:0xf\n\tfinish\n"
		"\tkernel layer\n\timage_sample v[4:7], v[8:10], s[16:23], s[24:27] dmask:0xf da\n\tfinish\n"
		"\tkernel gather\n\timage_gather4_lz v[4:7], v[8:9], s[16:23], s[24:27] dmask:0x1\n\tfinish\n"
		"\tkernel compare\n\timage_sample_c_lz v4, v[8:11], s[16:23], s[24:27] dmask:0x1\n\tfinish\n"
		".macro samples name, count\n\tkernel \\name\n\t.rept \\count\n"
		"\timage_sample v[4:7], v[8:10], s[16:23], s[24:27] dmask:0xf\n\t.endr\n\tfinish\n.endm\n"
		"\tsamples samples_32, 32\n\tsamples samples_64, 64\n");
}

static inline int bench_open(void **state)
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	(void)state;
	FILE *f = fopen(scratch_path(path, "image_bench.s"), "w");
	assert_non_null(f);
	bench_write_kernels(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s " ASSEMBLE " -o %s %s", toolchain_value("CLANG"), co, path);
	assert_int_equal(system(command), 0);
	bench.gpu = open_gpu("mi25");
	bool loaded = loaded_object_open(&bench.object, bench.gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	device_map(&bench);
	device_args(&bench);
	bench_descriptors = push_buffer(&bench, 4096, 0);
	bench_data = (uint32_t(*)[4])push_buffer(&bench, BENCH_BYTES, 0);
	bench_result = (uint32_t(*)[4])push_buffer(&bench, BENCH_BYTES, 0);
	bench_image_va = bench.next;
	bench_texels = push_buffer(&bench, BENCH_BYTES, 0);
	return 0;
}

static inline int bench_close(void **state)
{
	(void)state;
	device_close(&bench);
	return 0;
}

/* One work-item for each texel of `rows` rows. */
static inline void bench_launch(const char *kernel, unsigned rows)
{
	if (device_launch(&bench, kernel, rows * BENCH_WIDTH, BENCH_WIDTH) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, bench.out.message);
}

static inline uint32_t bench_random(void)
{
	static uint64_t seed = 5;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static inline uint32_t bench_float_bits(double v)
{
	const float f = (float)v;
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static inline float bench_float(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

#endif
