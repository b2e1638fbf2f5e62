/* Shared by the tests of memory rows: the lanes of a wave execute one instruction. LDS is a copy of the first bytes of
 * memory; after the instruction it is copied after the data. v2 is the lane's offset, v[4:5] its address in memory,
 * v[6:7] in scratch, v[8:9] in memory or LDS (bit 5 of the offset), v[10:13] data, v[20:23] the returned value;
 * s[16:19] is a raw buffer, s[24:27] and s[28:31] are structured ones. */
#ifndef TESTS_SOFTGPU_CORE_ROW_LANES_H
#define TESTS_SOFTGPU_CORE_ROW_LANES_H

#include "tests/softgpu/core/device.h"
#include "tests/softgpu/core/row_targets.h"
#include "tests/softgpu/isa/row_tests.h"
#include "tests/scratch.h"

enum {
	MAX_LANES = 64,
	MEMORY = 65536,
	LDS_SIZE = 2048,
	SCRATCH_BYTES = 8192,
	RECORDS = 4001,
	STRIDE = 20,
	INDICES = 50,
	SOFFSET = 36
};

/* Arguments: memory, offsets, data, results, EXEC. */
static struct device d;
static uint8_t *memory;
static uint32_t *offset, (*data)[4], (*result)[4];
static enum isa_target lanes_target;
static unsigned lane_count;

static inline void write_frame(FILE *f)
{
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n\t.set LANES, %u\n\t.set GFX11, %d\n\t.set GFX90A, %d\n\t.set LDS_SIZE, %d\n"
		"\t.set RECORDS, %d\n\t.set STRIDE, %d\n\t.set INDICES, %d\n\t.set SOFFSET, %d\n"
		"\t.set SCRATCH_BYTES, %d\n\t.include \"tests/softgpu/core/row_lanes.inc\"\n",
		target_arch(lanes_target), lane_count, (lanes_target & ISA_GFX11) != 0, lanes_target == ISA_GFX90A,
		LDS_SIZE, RECORDS, STRIDE, INDICES, SOFFSET, SCRATCH_BYTES);
}

/* Assembles and loads the kernels that `write` writes after the macros. */
static inline void open_lanes(enum isa_target target, void (*write)(FILE *f))
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	lanes_target = target;
	lane_count = (unsigned)target_lanes(target);
	scratch_path(path, "lanes.s");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	write_frame(f);
	write(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s -x assembler -target amdgcn-amd-amdhsa %s -I. -o %s %s",
		toolchain_value("CLANG"), target_flags(target), co, path);
	assert_int_equal(system(command), 0);
	memset(&d, 0, sizeof d);
	d.gpu = open_gpu(target_model(target));
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

/* A wave executes the kernel. Waves of 32 lanes use the lower half of the mask. */
static inline void launch_lanes(const char *kernel, const char *name, uint64_t mask)
{
	d.used = 32;
	push(&d, &mask, 8);
	if (device_launch(&d, kernel, lane_count, lane_count) != LAUNCH_OK)
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
	for (unsigned l = 0; l < lane_count; l++)
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
