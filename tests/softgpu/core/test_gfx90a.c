/* What gfx90a adds to gfx908, as programs: accumulation registers as data of loads, stores and atomics, modifiers of
 * packed f32, 64-bit DPP, and what its kernel descriptors say. */
#include "tests/softgpu/core/row_programs.h"

#define ASSEMBLE_FLAGS "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx90a"

/* v20 is 4 * lane, s[8:9] the results, s[10:11] other memory, s[12:15] a buffer of it. v[2:3] is 1.5 and 3 * lane, as
 * floats. */
#define TO_INTEGER "v_cvt_u32_f32 v1, v1\n"
static const struct program programs[] = {
	{OP_global_load_dword,
		"v_add_u32 v1, 7, v0\nglobal_store_dword v20, v1, s[10:11]\ns_waitcnt vmcnt(0)\n"
		"global_load_dword a3, v20, s[10:11]\ns_waitcnt vmcnt(0)\nv_accvgpr_read_b32 v1, a3\n",
		7, 1},
	{OP_global_store_dword,
		"v_accvgpr_write_b32 a255, v0\ns_nop 4\nglobal_store_dword v20, a255, s[10:11]\ns_waitcnt vmcnt(0)\n"
		"global_load_dword v1, v20, s[10:11]\ns_waitcnt vmcnt(0)\n",
		0, 1},
	{OP_buffer_load_dword,
		"v_add_u32 v1, 9, v0\nv_accvgpr_write_b32 a1, v1\ns_nop 4\n"
		"buffer_store_dword a1, v20, s[12:15], 0 offen\ns_waitcnt vmcnt(0)\n"
		"buffer_load_dword a7, v20, s[12:15], 0 offen\ns_waitcnt vmcnt(0)\nv_accvgpr_read_b32 v1, a7\n",
		9, 1},
	{OP_ds_read_b64,
		"v_lshlrev_b32 v4, 3, v0\nv_accvgpr_write_b32 a2, v20\nv_accvgpr_write_b32 a3, v0\ns_nop 4\n"
		"ds_write_b64 v4, a[2:3]\nds_read_b64 a[8:9], v4\ns_waitcnt lgkmcnt(0)\nv_accvgpr_read_b32 v1, a8\n"
		"v_accvgpr_read_b32 v4, a9\ns_nop 1\nv_add_u32 v1, v1, v4\n",
		0, 5},
	{OP_ds_read2_b32,
		"v_lshlrev_b32 v4, 3, v0\nv_accvgpr_write_b32 a2, v20\nv_accvgpr_write_b32 a3, v0\ns_nop 4\n"
		"ds_write2_b32 v4, a2, a3 offset1:1\nds_read2_b32 a[8:9], v4 offset0:1 offset1:0\n"
		"s_waitcnt lgkmcnt(0)\nv_accvgpr_read_b32 v1, a8\n",
		0, 1},
	{OP_ds_add_rtn_u32,
		"v_accvgpr_write_b32 a2, v20\ns_nop 4\nds_write_b32 v20, v0\nds_add_rtn_u32 a4, v20, a2\n"
		"ds_read_b32 v5, v20\ns_waitcnt lgkmcnt(0)\nv_accvgpr_read_b32 v1, a4\ns_nop 1\nv_add_u32 v1, v1, v5\n",
		0, 6},
	{OP_global_atomic_add,
		"global_store_dword v20, v0, s[10:11]\ns_waitcnt vmcnt(0)\nv_accvgpr_write_b32 a2, v20\ns_nop 4\n"
		"global_atomic_add a5, v20, a2, s[10:11] glc\ns_waitcnt vmcnt(0)\n"
		"global_load_dword v5, v20, s[10:11]\ns_waitcnt vmcnt(0)\nv_accvgpr_read_b32 v1, a5\ns_nop 1\n"
		"v_add_u32 v1, v1, v5\n",
		0, 6},
	{OP_buffer_wbl2, "v_add_u32 v1, 7, v0\nbuffer_wbl2\ns_waitcnt vmcnt(0)\n", 7, 1},
	{OP_buffer_invl2, "v_add_u32 v1, 7, v0\nbuffer_invl2\ns_waitcnt vmcnt(0)\n", 7, 1},
	{OP_v_pk_add_f32,
		"v_pk_add_f32 v[4:5], v[2:3], v[2:3] op_sel:[1,0] op_sel_hi:[0,1]\nv_mul_f32 v1, 2.0, v4\n" TO_INTEGER,
		3, 6},
	{OP_v_pk_add_f32,
		"v_pk_add_f32 v[4:5], v[2:3], v[2:3] op_sel_hi:[0,1] neg_hi:[1,0]\nv_add_f32 v1, 1.5, v5\n" TO_INTEGER,
		0, 3},
	{OP_v_pk_mul_f32, "v_pk_mul_f32 v[4:5], v[2:3], 2.0 op_sel_hi:[1,0]\nv_add_f32 v1, v4, v5\n" TO_INTEGER, 3, 6},
	{OP_v_pk_fma_f32,
		"v_pk_fma_f32 v[4:5], v[2:3], v[2:3], 1.0 op_sel_hi:[0,1,0] clamp\nv_add_f32 v1, v4, v5\n" TO_INTEGER,
		2, 0},
	{OP_v_pk_mov_b32, "v_pk_mov_b32 v[4:5], v[20:21], v[0:1] op_sel:[0,0]\nv_mov_b32 v1, v5\n", 0, 1},
	{OP_v_pk_mov_b32, "v_mov_b32 v5, v20\nv_pk_mov_b32 v[6:7], v[4:5], v[4:5] op_sel:[1,1]\nv_mov_b32 v1, v7\n", 0,
		4},
	{OP_v_mov_b32,
		"v_mov_b32_dpp v4, v0 row_newbcast:3 row_mask:0xf bank_mask:0xf\nv_and_b32 v5, 15, v0\n"
		"v_add_u32 v1, v4, v5\n",
		3, 1},
	{OP_v_ceil_f64,
		"v_cvt_f64_u32 v[4:5], v0\ns_nop 1\n"
		"v_ceil_f64_dpp v[6:7], v[4:5] row_newbcast:5 row_mask:0xf bank_mask:0xf\nv_cvt_u32_f64 v6, v[6:7]\n"
		"v_and_b32 v5, 15, v0\nv_add_u32 v1, v6, v5\n",
		5, 1},
	{OP_v_fmac_f64,
		"v_cvt_f64_u32 v[4:5], v0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0x40000000\nv_mov_b32 v8, 0\n"
		"v_mov_b32 v9, 0x40080000\nv_fmac_f64 v[8:9], v[4:5], v[6:7]\nv_cvt_u32_f64 v1, v[8:9]\n",
		3, 2},
};
enum { PROGRAMS = sizeof programs / sizeof *programs, LANES = 64 };

static struct device d;
static uint32_t *results;

/* --- kernels --- */
/* more: further directives. */
static void write_kernel(FILE *f, const char *name, unsigned vgprs, unsigned accum_offset, const char *more)
{
	fprintf(f,
		"\t.text\n\t.globl %s\n\t.p2align 8\n\t.type %s,@function\n\t.amdhsa_kernel %s\n"
		"\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_next_free_vgpr %u\n\t.amdhsa_accum_offset %u\n"
		"\t.amdhsa_next_free_sgpr 32\n\t.amdhsa_system_vgpr_workitem_id 2\n%s\t.end_amdhsa_kernel\n\t.text\n%s:\n"
		"\ts_load_dwordx4 s[8:11], s[0:1], 0x0\n\tv_lshlrev_b32 v20, 2, v0\n\ts_waitcnt lgkmcnt(0)\n",
		name, name, name, vgprs, accum_offset, more, name);
}

static void write_end(FILE *f)
{
	fprintf(f, "\n\tglobal_store_dword v20, v1, s[8:9]\n\ts_endpgm\n");
}

static void write_program(FILE *f, unsigned k)
{
	char name[32];

	snprintf(name, sizeof name, "program%u", k);
	write_kernel(f, name, 512, 256, "\t.amdhsa_group_segment_fixed_size 1024\n");
	fprintf(f,
		"\ts_mov_b32 s12, s10\n\ts_mov_b32 s13, s11\n\ts_mov_b32 s14, -1\n\ts_mov_b32 s15, 0x27000\n"
		"\tv_cvt_f32_u32 v3, v0\n\tv_mul_f32 v3, 0x40400000, v3\n\tv_mov_b32 v2, 0x3fc00000\n");
	fprintf(f, "%s", programs[k].text);
	write_end(f);
}

static void write_kernels(FILE *f)
{
	fprintf(f, "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n");
	for (unsigned k = 0; k < PROGRAMS; k++)
		write_program(f, k);
	write_kernel(f, "registers512", 512, 256, "");
	fprintf(f, "\tv_mov_b32 v255, 5\n\tv_accvgpr_write_b32 a255, v255\n\ts_nop 4\n\tv_accvgpr_read_b32 v1, a255\n");
	write_end(f);
	write_kernel(f, "registers128", 128, 4, "");
	write_end(f);
	write_kernel(f, "registers129", 129, 64, "");
	write_end(f);
	write_kernel(f, "ids", 32, 24, "");
	fprintf(f,
		"\tv_mov_b32 v1, v0\n\tv_bfe_u32 v2, v0, 10, 10\n\tv_bfe_u32 v3, v0, 20, 10\n"
		"\tv_and_b32 v4, 0x3ff, v0\n\tv_lshl_add_u32 v2, v3, 1, v2\n\tv_lshl_add_u32 v2, v2, 2, v4\n"
		"\tv_lshlrev_b32 v20, 2, v2\n");
	write_end(f);
	write_kernel(f, "split", 32, 24, "\t.amdhsa_tg_split 1\n");
	fprintf(f, "\tv_mov_b32 v1, v0\n");
	write_end(f);
	write_kernel(f, "split_with_lds", 32, 24, "\t.amdhsa_tg_split 1\n\t.amdhsa_group_segment_fixed_size 64\n");
	write_end(f);
}

static int open_kernels(void **state)
{
	(void)state;
	open_programs_on(&d, open_gpu("mi210"), ASSEMBLE_FLAGS, write_kernels);
	results = (uint32_t *)push_buffer(&d, 4096, 0);
	push_buffer(&d, 4096, 0);
	return 0;
}

static int close_kernels(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

/* --- tests --- */
static void programs_compute_what_is_expected(void **state)
{
	struct program of_rows[PROGRAMS];

	(void)state;
	memcpy(of_rows, programs, sizeof of_rows);
	for (unsigned k = 0; k < PROGRAMS; k++) {
		char kernel[32];
		snprintf(kernel, sizeof kernel, "program%u", k);
		if (device_launch(&d, kernel, LANES, LANES) != LAUNCH_OK)
			fail_msg("program %u: %s", k, d.out.message);
		for (unsigned l = 0; l < LANES; l++)
			if (results[l] != of_rows[k].expected + of_rows[k].step * l)
				fail_msg("%s, program %u, lane %u: %x, expected %x", isa_info(of_rows[k].op)->name, k,
					l, results[l], of_rows[k].expected + of_rows[k].step * l);
	}
}

/* A SIMD has 512 registers, counted together. */
static void waves_of_a_simd_are_limited_by_both_kinds_of_registers(void **state)
{
	(void)state;
	assert_int_equal(device_launch(&d, "registers512", 4 * LANES, 4 * LANES), LAUNCH_OK);
	assert_int_equal(results[0], 5);
	assert_int_not_equal(device_launch(&d, "registers512", 5 * LANES, 5 * LANES), LAUNCH_OK);
	assert_int_equal(device_launch(&d, "registers128", 16 * LANES, 16 * LANES), LAUNCH_OK);
	assert_int_not_equal(device_launch(&d, "registers129", 16 * LANES, 16 * LANES), LAUNCH_OK);
}

static void work_item_ids_are_in_one_register(void **state)
{
	static const uint32_t grid[3] = {4, 2, 3};
	static const uint16_t block[3] = {4, 2, 3};

	(void)state;
	assert_int_equal(device_launch_3d(&d, "ids", grid, block, 0), LAUNCH_OK);
	for (unsigned z = 0; z < 3; z++)
		for (unsigned y = 0; y < 2; y++)
			for (unsigned x = 0; x < 4; x++)
				assert_int_equal(results[(z * 2 + y) * 4 + x], x | y << 10 | z << 20);
}

static void threadgroup_split_excludes_lds(void **state)
{
	(void)state;
	assert_int_equal(device_launch(&d, "split", 4 * LANES, 4 * LANES), LAUNCH_OK);
	assert_int_equal(results[200], 200);
	assert_int_not_equal(device_launch(&d, "split_with_lds", LANES, LANES), LAUNCH_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_compute_what_is_expected),
		cmocka_unit_test(waves_of_a_simd_are_limited_by_both_kinds_of_registers),
		cmocka_unit_test(work_item_ids_are_in_one_register),
		cmocka_unit_test(threadgroup_split_excludes_lds),
	};

	return cmocka_run_group_tests_name("gfx90a", tests, open_kernels, close_kernels);
}
