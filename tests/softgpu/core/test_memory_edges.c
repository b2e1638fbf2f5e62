/* Accesses at the ends of buffers, scalar buffers, LDS and apertures, one kernel each: what is partly outside, sums
 * that wrap, and misaligned atomics. The comments name the sections of the guides. */
#include "softgpu/probe.h"
#include "tests/softgpu/core/row_lanes.h"

enum { ARGUMENTS = 40, WORDS = MEMORY / 4 };
#define ALL UINT64_MAX

/* Kernels by name. s[36:39] is a buffer and s41 a scalar offset, from the arguments; v[20:23] is the result. A kernel
 * with scalar results copies them from s[44:47]. */
static const struct edge {
	const char *name, *gfx9, *gfx11;
	bool scalar;
} edges[] = {
	{"load_x4", "buffer_load_dwordx4 v[20:23], v2, s[36:39], s41 offen",
		"buffer_load_b128 v[20:23], v2, s[36:39], s41 offen", false},
	{"load_x4_imm", "buffer_load_dwordx4 v[20:23], v2, s[36:39], 0 offen offset:16",
		"buffer_load_b128 v[20:23], v2, s[36:39], 0 offen offset:16", false},
	{"store_x4", "buffer_store_dwordx4 v[10:13], v2, s[36:39], s41 offen",
		"buffer_store_b128 v[10:13], v2, s[36:39], s41 offen", false},
	{"load_stride", "buffer_load_dword v20, off, s[36:39], 0", "buffer_load_b32 v20, off, s[36:39], 0", false},
	{"s_load_x2", "s_load_dwordx2 s[44:45], s[36:37], 0x9", "s_load_b64 s[44:45], s[36:37], 0x9", true},
	{"s_buffer_x4", "s_buffer_load_dwordx4 s[44:47], s[36:39], s41", "s_buffer_load_b128 s[44:47], s[36:39], s41",
		true},
	{"s_buffer_x16", "s_buffer_load_dwordx16 s[44:59], s[36:39], s41", "s_buffer_load_b512 s[44:59], s[36:39], s41",
		true},
	{"s_store_x4", "s_mov_b32 m0, s41\n\ts_buffer_store_dwordx4 s[4:7], s[36:39], m0\n\ts_dcache_wb", NULL, false},
	{"s_atomic_x2", "s_mov_b32 m0, s41\n\ts_buffer_atomic_add_x2 s[44:45], s[36:39], m0 glc", NULL, true},
	{"lds_load", "s_mov_b32 m0, s41\n\tbuffer_load_dword v2, s[36:39], 0 offen lds",
		"s_mov_b32 m0, s41\n\tbuffer_load_lds_b32 v2, s[36:39], 0 offen", false},
	{"ds_read_b64", "ds_read_b64 v[20:21], v2", "ds_load_b64 v[20:21], v2", false},
	{"ds_read_b96", "ds_read_b96 v[20:22], v2", "ds_load_b96 v[20:22], v2", false},
	{"ds_read_b128", "ds_read_b128 v[20:23], v2", "ds_load_b128 v[20:23], v2", false},
	{"ds_read2_b32", "ds_read2_b32 v[20:21], v2 offset0:0 offset1:1",
		"ds_load_2addr_b32 v[20:21], v2 offset0:0 offset1:1", false},
	{"ds_read_imm", "ds_read_b32 v20, v2 offset:64", "ds_load_b32 v20, v2 offset:64", false},
	{"ds_write_b64", "ds_write_b64 v2, v[10:11]", "ds_store_b64 v2, v[10:11]", false},
	{"ds_write_b128", "ds_write_b128 v2, v[10:13]", "ds_store_b128 v2, v[10:13]", false},
	{"flat", "v_mov_b32 v3, s41\n\tflat_load_dword v20, v[2:3] offset:64",
		"v_mov_b32 v3, s41\n\tflat_load_b32 v20, v[2:3] offset:64", false},
	{"flat_x2", "v_mov_b32 v3, s41\n\tflat_load_dwordx2 v[20:21], v[2:3]",
		"v_mov_b32 v3, s41\n\tflat_load_b64 v[20:21], v[2:3]", false},
	{"global_saddr", "global_load_dword v20, v2, s[36:37] offset:-8", "global_load_b32 v20, v2, s[36:37] offset:-8",
		false},
	{"global_atomic", "global_atomic_add v2, v10, s[36:37]", "global_atomic_add_u32 v2, v10, s[36:37]", false},
	{"global_atomic_x2", "global_atomic_add_x2 v2, v[10:11], s[36:37]",
		"global_atomic_add_u64 v2, v[10:11], s[36:37]", false},
	{"buffer_atomic", "buffer_atomic_swap v10, v2, s[36:39], 0 offen",
		"buffer_atomic_swap_b32 v10, v2, s[36:39], 0 offen", false},
	{"flat_atomic", "v_mov_b32 v3, s41\n\tflat_atomic_add v[2:3], v10",
		"v_mov_b32 v3, s41\n\tflat_atomic_add_u32 v[2:3], v10", false},
	{"ds_atomic", "ds_add_u32 v2, v10", "ds_add_u32 v2, v10", false},
	{"ds_atomic_x2", "ds_add_rtn_u64 v[20:21], v2, v[10:11]", "ds_add_rtn_u64 v[20:21], v2, v[10:11]", false},
	{"ds_exchange", "ds_wrxchg2_rtn_b32 v[20:21], v2, v10, v11 offset0:0 offset1:2",
		"ds_storexchg_2addr_rtn_b32 v[20:21], v2, v10, v11 offset0:0 offset1:2", false},
};
enum { EDGES = sizeof edges / sizeof *edges };

static const enum isa_target targets[] = {ISA_GFX900, ISA_GFX1100_WAVE64, ISA_GFX1100_WAVE32};
enum { GFX900, TARGETS = sizeof targets / sizeof *targets };

static bool is_gfx11(void)
{
	return lanes_target & ISA_GFX11;
}

static void write_edges(FILE *f)
{
	for (unsigned n = 0; n < EDGES; n++) {
		const char *text = is_gfx11() ? edges[n].gfx11 : edges[n].gfx9;
		if (!text)
			continue;
		fprintf(f,
			"\tkernel %s\n\ts_load_dwordx4 s[36:39], s[0:1], 0x%x\n\ts_load_dword s41, s[0:1], 0x%x\n"
			"\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\t%s\n",
			edges[n].name, ARGUMENTS, ARGUMENTS + 16, text);
		if (edges[n].scalar) {
			fprintf(f, "\ts_waitcnt lgkmcnt(0)\n");
			for (unsigned k = 0; k < 4; k++)
				fprintf(f, "\tv_mov_b32 v%u, s%u\n", 20 + k, 44 + k);
		}
		fprintf(f, "\tfinish\n");
	}
}

/* --- a device for each target --- */
static struct bench {
	struct device d;
	uint8_t *memory;
	uint32_t *offset, (*data)[4], (*result)[4];
} benches[TARGETS];

static int open_edges(void **state)
{
	(void)state;
	for (unsigned k = 0; k < TARGETS; k++) {
		open_lanes(targets[k], write_edges);
		benches[k] = (struct bench){d, memory, offset, data, result};
	}
	return 0;
}

static int close_edges(void **state)
{
	(void)state;
	for (unsigned k = 0; k < TARGETS; k++)
		device_close(&benches[k].d);
	return 0;
}

static void use_target(unsigned k)
{
	const struct bench *b = &benches[k];

	lanes_target = targets[k];
	lane_count = (unsigned)target_lanes(targets[k]);
	d = b->d;
	memory = b->memory;
	offset = b->offset;
	data = b->data;
	result = b->result;
}

static void on_each_target(void (*check)(void))
{
	for (unsigned k = 0; k < TARGETS; k++) {
		use_target(k);
		check();
	}
}

/* Memory dword n is n + 1, each lane's data is 1001, 1002, ..., results are 7. */
static void reset_memory(void)
{
	for (uint32_t n = 0; n < WORDS; n++)
		((uint32_t *)memory)[n] = n + 1;
	for (unsigned l = 0; l < lane_count; l++)
		for (unsigned e = 0; e < 4; e++)
			data[l][e] = 1001 + e, result[l][e] = 7;
}

static uint32_t memory_dword(uint32_t n)
{
	return ((const uint32_t *)memory)[n];
}

/* The last word of a raw buffer's descriptor: 32_UINT. */
static uint32_t raw_word3(void)
{
	return is_gfx11() ? 0x14000 | 3u << 28 : 0x27000;
}

static enum launch_status run_edge(const char *name, uint64_t base, uint32_t records, uint32_t word3, uint32_t scalar)
{
	const uint64_t mask = ALL;

	d.used = 32;
	push(&d, &mask, 8);
	push_int(&d, (uint32_t)base);
	push_int(&d, (uint32_t)(base >> 32));
	push_int(&d, records);
	push_int(&d, word3);
	push_int(&d, scalar);
	return device_launch(&d, name, lane_count, lane_count);
}

static void run_raw(const char *name, uint64_t base, uint32_t records, uint32_t scalar)
{
	if (run_edge(name, base, records, raw_word3(), scalar) != LAUNCH_OK)
		fail_msg("%s: %s", name, d.out.message);
}

/* --- vector buffers --- */
enum { LAST = 24 /* bytes of a buffer at the end of its mapping */ };
static const uint64_t LAST_VA = BUFFER_VA + MEMORY - LAST;

static void expect_loaded_inside(uint32_t first_dword)
{
	for (unsigned l = 0; l < lane_count; l++)
		for (unsigned e = 0; e < 4; e++) {
			const uint32_t at = first_dword + l + e;
			assert_int_equal(result[l][e], at < LAST / 4 ? WORDS - LAST / 4 + at + 1 : 0);
		}
}

/* The dwords beyond the end are not mapped, so an access to them would stop the kernel. */
static void check_end_of_mapping(void)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = 4 * l;
	reset_memory();
	run_raw("load_x4", LAST_VA, LAST, 0);
	expect_loaded_inside(0);
	reset_memory();
	run_raw("load_x4", LAST_VA, LAST, 8);
	expect_loaded_inside(2);
	reset_memory();
	run_raw("store_x4", LAST_VA + 8, LAST - 8, 0);
	for (unsigned n = 0; n < 4; n++) /* the highest lane's store counts: lane n writes its first dword */
		assert_int_equal(memory_dword(WORDS - 4 + n), 1001);
	assert_int_equal(memory_dword(WORDS - 5), WORDS - 4);
}

static void check_end_of_mapping_everywhere(void)
{
	check_end_of_mapping();
	gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES | SOFTGPU_PROFILE_SETS);
	check_end_of_mapping();
	gpu_set_profiling(d.gpu, 0);
}

/* Vega ISA 8.1.5 and RDNA3 ISA 9.4.1, note 4. */
static void dwords_inside_are_accessed(void **state)
{
	(void)state;
	on_each_target(check_end_of_mapping_everywhere);
}

static uint64_t line_reads(void)
{
	return device_counter(&d, "TCP_HIT_sum") + device_counter(&d, "TCP_MISS_sum");
}

/* A load that goes on behind the buffer and a line reads as many lines as one that ends there. */
static void check_lines(void)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = 1024 - 8;
	run_raw("load_x4", BUFFER_VA, 1024, 0);
	const uint64_t reads = line_reads();
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = 1024 - 16;
	run_raw("load_x4", BUFFER_VA, 1024, 0);
	assert_int_equal(line_reads(), reads);
}

static void lines_outside_are_not_fetched(void **state)
{
	(void)state;
	on_each_target(check_lines);
}

/* The sum of offsets wraps at 32 bits; the dwords of an access do not. */
static void check_wrapped_offsets(void)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = (uint32_t)-8;
	reset_memory();
	run_raw("load_x4", BUFFER_VA, 64, 0);
	assert_int_equal(result[0][0] | result[0][1] | result[0][2] | result[0][3], 0);
	run_raw("load_x4_imm", BUFFER_VA, 16, 0);
	assert_int_equal(result[5][0], 3);
	assert_int_equal(result[5][1], 4);
	assert_int_equal(result[5][2] | result[5][3], 0);
}

static void offsets_wrap_and_dwords_do_not(void **state)
{
	(void)state;
	on_each_target(check_wrapped_offsets);
}

/* CDNA4 ISA, buffer addressing: with ADD_TID_ENABLE, the data format is bits 17:14 of the stride. Nothing is checked,
 * so the first lane whose dword is not mapped stops the kernel. */
static void lane_numbers_extend_the_stride(void **state)
{
	const uint64_t base = BUFFER_VA | UINT64_C(4) << 48;
	const uint32_t add_tid = 1u << 23;

	(void)state;
	use_target(GFX900);
	reset_memory();
	assert_int_equal(run_edge("load_stride", base, 0, add_tid, 0), LAUNCH_OK);
	assert_int_equal(result[9][0], 10);
	assert_int_equal(run_edge("load_stride", base, 0, add_tid | 3u << 15, 0), LAUNCH_MEMORY_FAULT);
	assert_int_equal(d.out.fault_va, BUFFER_VA + 2 * (3 * 16384 + 4));
}

/* --- scalar memory --- */
static void expect_dwords(uint32_t a, uint32_t b, uint32_t c, uint32_t e)
{
	assert_int_equal(result[1][0], a);
	assert_int_equal(result[1][1], b);
	assert_int_equal(result[1][2], c);
	assert_int_equal(result[1][3], e);
}

static void check_scalar_loads(void)
{
	reset_memory();
	run_raw("s_buffer_x4", BUFFER_VA, 24, 16);
	expect_dwords(5, 6, 0, 0);
	run_raw("s_buffer_x16", BUFFER_VA, 5, 0); /* a dword counts if it begins inside */
	expect_dwords(1, 2, 0, 0);
	run_raw("s_buffer_x4", BUFFER_VA, 24, 24);
	expect_dwords(0, 0, 0, 0);
	run_raw("s_buffer_x4", BUFFER_VA | UINT64_C(8) << 48, 3, 16); /* in units of the stride */
	expect_dwords(5, 6, 0, 0);
	run_raw("s_buffer_x16", LAST_VA, LAST, 8); /* what follows is not mapped */
	expect_dwords(WORDS - 3, WORDS - 2, WORDS - 1, WORDS);
	run_raw("s_buffer_x4", BUFFER_VA + 2, 24, 2); /* low bits of base and offset are ignored */
	expect_dwords(1, 2, 3, 4);
	run_raw("s_load_x2", BUFFER_VA + 3, 0, 0);
	assert_int_equal(result[1][0], 3);
	assert_int_equal(result[1][1], 4);
}

/* "Any DWORDs that are out of range in memory from a buffer_load return zero" (RDNA3 ISA 8.4.1); "the operation is not
 * performed for any Dwords that are out-of-range" (Vega ISA). Low bits: Vega ISA, RDNA3 ISA 8.1. */
static void scalar_dwords_inside_are_loaded(void **state)
{
	(void)state;
	on_each_target(check_scalar_loads);
}

static void scalar_stores_and_atomics_end_with_the_buffer(void **state)
{
	(void)state;
	use_target(GFX900);
	reset_memory();
	run_raw("s_store_x4", BUFFER_VA, 24, 16); /* stores s[4:7], which begins with the address of memory */
	assert_int_equal(memory_dword(4), (uint32_t)BUFFER_VA);
	assert_int_equal(memory_dword(5), BUFFER_VA >> 32);
	assert_int_equal(memory_dword(6), 7);
	assert_int_equal(memory_dword(7), 8);
	run_raw("s_atomic_x2", BUFFER_VA, 44, 40);
	assert_int_equal(result[1][0] | result[1][1], 0);
	assert_int_equal(memory_dword(10), 11);
	assert_int_equal(memory_dword(11), 12);
	run_raw("s_atomic_x2", BUFFER_VA, 48, 40);
	assert_int_equal(result[1][0], 11);
	assert_int_equal(result[1][1], 12);
}

/* --- LDS --- */
static void run_lds(const char *name, uint32_t address)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = address;
	reset_memory();
	run_raw(name, BUFFER_VA, MEMORY, 0);
}

static uint32_t lds_dword_after(uint32_t n)
{
	return ((const uint32_t *)lds_after())[n];
}

static void check_lds_ends(void)
{
	enum { LDS_WORDS = LDS_SIZE / 4 };
	static const char *const loads[] = {"ds_read_b64", "ds_read_b96", "ds_read_b128"};

	for (unsigned k = 0; k < 3; k++) {
		run_lds(loads[k], LDS_SIZE - 4);
		for (unsigned e = 0; e < 4; e++)
			assert_int_equal(result[1][e], e < k + 2 ? 0 : 7);
		run_lds(loads[k], LDS_SIZE - 8 - 4 * k);
		assert_int_equal(result[1][k + 1], LDS_WORDS);
	}
	run_lds("ds_read2_b32", LDS_SIZE - 4);
	expect_dwords(LDS_WORDS, 0, 7, 7);
	run_lds("ds_read_imm", (uint32_t)-60);
	expect_dwords(2, 7, 7, 7);
	run_lds("ds_write_b64", LDS_SIZE - 4);
	assert_int_equal(lds_dword_after(LDS_WORDS - 1), LDS_WORDS);
	run_lds("ds_write_b128", LDS_SIZE - 8);
	assert_int_equal(lds_dword_after(LDS_WORDS - 2), LDS_WORDS - 1);
	run_lds("ds_write_b128", LDS_SIZE - 16);
	assert_int_equal(lds_dword_after(LDS_WORDS - 1), 1004);
}

/* RDNA3 ISA 3.3.4.1: "if any part of the LDS-address is out of range, the entire instruction returns zero". */
static void accesses_partly_outside_of_lds_do_nothing(void **state)
{
	(void)state;
	on_each_target(check_lds_ends);
}

static void check_loads_to_lds(void)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = 4 * l;
	reset_memory();
	run_raw("lds_load", LAST_VA, UINT32_MAX,
		LDS_SIZE - 16); /* lane 6 and later ones would read what is not mapped */
	for (unsigned l = 0; l < 4; l++)
		assert_int_equal(lds_dword_after(LDS_SIZE / 4 - 4 + l), WORDS - LAST / 4 + l + 1);
}

/* Vega ISA 8.1.7, clamping: lanes whose dword does not fit into LDS do not read memory either. */
static void loads_to_lds_end_with_lds(void **state)
{
	(void)state;
	on_each_target(check_loads_to_lds);
}

/* --- flat and global --- */
enum { SHARED_HIGH = 0x10000 /* of addresses in the shared aperture */ };

static void run_flat(const char *name, uint32_t high, uint32_t low, uint32_t step)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = low + step * l;
	reset_memory();
	run_edge(name, BUFFER_VA, MEMORY, raw_word3(), high);
}

static void check_apertures(void)
{
	run_flat("flat", SHARED_HIGH, 0, 4);
	assert_int_equal(d.out.status, LAUNCH_OK);
	assert_int_equal(result[3][0], 64 / 4 + 3 + 1);
	run_flat("flat", SHARED_HIGH, (uint32_t)-16, 0); /* the offset leads out of the aperture, and of LDS */
	assert_int_equal(d.out.status, LAUNCH_OK);
	assert_int_equal(result[3][0], 0);
	run_flat("flat_x2", SHARED_HIGH, LDS_SIZE - 4, 0);
	assert_int_equal(d.out.status, LAUNCH_OK);
	assert_int_equal(result[3][0] | result[3][1], 0);
	run_flat("flat", SHARED_HIGH - 1, (uint32_t)-32, 0); /* the offset leads into the aperture: still memory */
	assert_int_equal(d.out.status, LAUNCH_MEMORY_FAULT);
	assert_int_equal(d.out.fault_va, ((uint64_t)SHARED_HIGH << 32) + 32);
}

/* RDNA3 ISA 11.3: "The aperture check ... occurs before adding any address offsets". */
static void the_base_address_selects_the_aperture(void **state)
{
	(void)state;
	on_each_target(check_apertures);
}

/* RDNA3 ISA 11.2, GVS: the VGPR is an unsigned offset of 32 bits, the instruction's is signed. */
static void check_global_offsets(void)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = 0xffffff00 + 4 * l;
	reset_memory();
	run_raw("global_saddr", BUFFER_VA + 4096 - 0xffffff00, 0, 0);
	assert_int_equal(result[31][0], (4096 - 8) / 4 + 31 + 1);
}

static void offsets_of_global_accesses_are_unsigned(void **state)
{
	(void)state;
	on_each_target(check_global_offsets);
}

/* --- alignment --- */
static void check_misaligned(const char *name, uint32_t size, uint32_t high, uint64_t first)
{
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = (uint32_t)first + 16 * l;
	reset_memory();
	if (run_edge(name, BUFFER_VA, MEMORY, raw_word3(), high) != LAUNCH_OK)
		fail_msg("%s: %s", name, d.out.message);
	offset[5] += size / 2;
	assert_int_equal(run_edge(name, BUFFER_VA, MEMORY, raw_word3(), high), LAUNCH_MEMORY_FAULT);
	assert_non_null(strstr(d.out.message, "atomic not aligned to its size"));
	assert_int_equal(d.out.fault_item[0], 5);
	assert_int_equal(d.out.fault_bytes, size);
	assert_int_equal(d.out.fault_va & 0xffff, (first + 16 * 5 + size / 2) & 0xffff);
}

static void check_alignment(void)
{
	check_misaligned("global_atomic", 4, 0, 0);
	check_misaligned("global_atomic_x2", 8, 0, 0);
	check_misaligned("buffer_atomic", 4, 0, 0);
	check_misaligned("flat_atomic", 4, BUFFER_VA >> 32, BUFFER_VA & UINT32_MAX);
	check_misaligned("flat_atomic", 4, SHARED_HIGH, 0);
	check_misaligned("ds_atomic", 4, 0, 0);
	check_misaligned("ds_atomic_x2", 8, 0, 0);
	check_misaligned("ds_exchange", 4, 0, 0);
}

/* RDNA3 ISA 9.5 and 12.7; Vega ISA: alignment errors of atomics are memory violations. */
static void misaligned_atomics_stop_the_kernel(void **state)
{
	(void)state;
	on_each_target(check_alignment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dwords_inside_are_accessed),
		cmocka_unit_test(lines_outside_are_not_fetched),
		cmocka_unit_test(offsets_wrap_and_dwords_do_not),
		cmocka_unit_test(lane_numbers_extend_the_stride),
		cmocka_unit_test(scalar_dwords_inside_are_loaded),
		cmocka_unit_test(scalar_stores_and_atomics_end_with_the_buffer),
		cmocka_unit_test(accesses_partly_outside_of_lds_do_nothing),
		cmocka_unit_test(loads_to_lds_end_with_lds),
		cmocka_unit_test(the_base_address_selects_the_aperture),
		cmocka_unit_test(offsets_of_global_accesses_are_unsigned),
		cmocka_unit_test(misaligned_atomics_stop_the_kernel),
	};

	return cmocka_run_group_tests_name("memory edges", tests, open_edges, close_edges);
}
