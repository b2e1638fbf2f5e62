/* Shared by the tests of memory rows: 64 lanes execute one instruction. LDS is a copy of the first bytes of memory;
 * after the instruction it is copied after the data. v2 is the lane's offset, v[4:5] its address in memory, v[6:7] in
 * scratch, v[8:9] in memory or LDS (bit 5 of the offset), v[10:13] data, v[20:23] the returned value. */
#ifndef TESTS_SOFTGPU_CORE_ROW_LANES_H
#define TESTS_SOFTGPU_CORE_ROW_LANES_H

#include "tests/softgpu/core/device.h"

#include "tests/softgpu/isa/row_tests.h"
#include "tests/scratch.h"

enum { LANE_COUNT = 64, MEMORY = 65536, LDS_SIZE = 2048, RECORDS = 4001, STRIDE = 20, INDICES = 50, SOFFSET = 36 };

/* Arguments: memory, offsets, data, results, EXEC. */
static struct device d;
static uint8_t *memory;
static uint32_t *offset, (*data)[4], (*result)[4];

static inline void write_frame(FILE *f, const char *arch)
{
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_next_free_vgpr 40\n"
		"\t.amdhsa_next_free_sgpr 60\n\t.amdhsa_group_segment_fixed_size %d\n\t.end_amdhsa_kernel\n\t.text\n\\name:\n"
		"\ts_load_dwordx8 s[4:11], s[0:1], 0x0\n\ts_load_dwordx2 s[12:13], s[0:1], 0x20\n\tv_lshlrev_b32 v1, 2, v0\n"
		"\tv_lshlrev_b32 v19, 4, v0\n\ts_waitcnt lgkmcnt(0)\n\tglobal_load_dword v2, v1, s[6:7]\n"
		"\tglobal_load_dwordx4 v[10:13], v19, s[8:9]\n\tglobal_load_dwordx4 v[20:23], v19, s[10:11]\n",
		arch, LDS_SIZE);
	for (int k = 0; k < LDS_SIZE / 256; k++) /* copy the first bytes of memory to LDS */
		fprintf(f,
			"\tglobal_load_dword v24, v1, s[4:5] offset:%d\n\ts_waitcnt vmcnt(0)\n\tds_write_b32 v1, v24 offset:%d\n",
			k * 256, k * 256);
	fprintf(f,
		"\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v5, s5\n\tv_add_co_u32 v4, vcc, s4, v2\n\tv_addc_co_u32 v5, vcc, 0, v5, vcc\n"
		"\tv_mov_b32 v6, v2\n\tv_mov_b32 v7, 0x20000\n\tv_mov_b32 v8, v2\n\tv_mov_b32 v9, 0x10000\n"
		"\tv_and_b32 v9, 63, v2\n\tv_cmp_gt_u32 vcc, 32, v9\n\tv_mov_b32 v9, 0x10000\n" /* flat: some lanes in
	                                                                                           LDS, some in memory
	                                                                                         */
		"\tv_cndmask_b32 v8, v4, v2, vcc\n\tv_cndmask_b32 v9, v5, v9, vcc\n"
		"\tv_and_b32 v3, 63, v2\n\ts_mov_b32 flat_scratch_lo, s4\n\ts_mov_b32 flat_scratch_hi, s5\n"
		"\ts_mov_b32 s16, s4\n\ts_mov_b32 s17, s5\n\ts_movk_i32 s18, %d\n\ts_mov_b32 s19, 0x27000\n\ts_movk_i32 s20, %d\n"
		"\ts_mov_b32 s24, s4\n\ts_or_b32 s25, s5, 0x%x\n\ts_movk_i32 s26, %d\n\ts_mov_b32 s27, 0x27000\n"
		"\ts_mov_b32 s28, s4\n\ts_or_b32 s29, s5, 0x%x\n\ts_movk_i32 s30, %d\n\ts_mov_b32 s31, 0x27000\n"
		"\ts_mov_b64 exec, s[12:13]\n.endm\n"
		".macro finish\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_mov_b64 exec, -1\n\tglobal_store_dwordx4 v19, v[20:23], s[10:11]\n",
		RECORDS, SOFFSET, STRIDE << 16, INDICES, STRIDE << 16, INDICES);
	for (int k = 0; k < LDS_SIZE / 256; k++)
		fprintf(f,
			"\tds_read_b32 v24, v1 offset:%d\n\ts_waitcnt lgkmcnt(0)\n\tglobal_store_dword v1, v24, s[8:9] offset:%d\n",
			k * 256, 1024 + k * 256);
	fprintf(f, "\ts_endpgm\n.endm\n");
}

/* Assembles and loads the kernels that `write` writes after the macros. */
static inline void open_lanes(const char *arch, void (*write)(FILE *f))
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];
	struct model m;

	scratch_path(path, "lanes.s");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	write_frame(f, arch);
	write(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s -x assembler -target amdgcn-amd-amdhsa -mcpu=%s -o %s %s",
		toolchain_value("CLANG"), arch, co, path);
	assert_int_equal(system(command), 0);
	memset(&d, 0, sizeof d);
	assert_true(model_parse(&m, "mi25", why, sizeof why));
	snprintf(m.arch, sizeof m.arch, "%s", arch);
	d.gpu = gpu_open(&m);
	assert_non_null(d.gpu);
	bool loaded = loaded_object_open(&d.object, d.gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	device_map(&d);
	device_args(&d);
	memory = (uint8_t *)push_buffer(&d, MEMORY, 0);
	offset = push_buffer(&d, 4096, 0);
	data = (uint32_t(*)[4])push_buffer(&d, 8192, 0);
	result = (uint32_t(*)[4])push_buffer(&d, 4096, 0);
}

static inline void launch_lanes(const char *kernel, const char *name, uint64_t mask)
{
	d.used = 32;
	push(&d, &mask, 8);
	if (device_launch(&d, kernel, LANE_COUNT, LANE_COUNT) != LAUNCH_OK)
		fail_msg("%s: %s", name, d.out.message);
}

/* The contents of LDS after the kernel. */
static inline const uint8_t *lds_after(void)
{
	return (const uint8_t *)data + 1024;
}

static inline uint32_t random_u32(void)
{
	static uint64_t seed = 7;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static inline void check_results(const char *name, uint32_t (*expected)[4])
{
	for (unsigned l = 0; l < LANE_COUNT; l++)
		if (memcmp(result[l], expected[l], 16))
			fail_msg("%s lane %u offset %u: %08x %08x %08x %08x, expected %08x %08x %08x %08x", name, l,
				offset[l], result[l][0], result[l][1], result[l][2], result[l][3], expected[l][0],
				expected[l][1], expected[l][2], expected[l][3]);
}

static inline void check_bytes(
	const char *name, const char *where, const uint8_t *got, const uint8_t *expected, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (got[k] != expected[k])
			fail_msg("%s: byte %u of %s is %02x, expected %02x", name, k, where, got[k], expected[k]);
}

#endif
