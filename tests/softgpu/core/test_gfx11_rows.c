/* Rows that only gfx11 has and that operate on the wave or on memory. Each has a small program that computes v1, in a
 * wave of 32 lanes. Expected values are from the RDNA3 ISA guide. */
#include "tests/softgpu/core/row_programs.h"

#include "tests/softgpu/isa/row_tests.h"

static struct device d;
static uint32_t *buffer; /* v1 of each lane; from dword 256 on a cell for each */

enum { LANES = 32, F_1 = 0x3f800000, F_2 = 0x40000000, F_3 = 0x40400000, D_2 = 0x40000000 };

/* --- scalar --- */
#define NOTHING(op, operands)                                                            \
	{                                                                                \
		OP_##op, "v_add_nc_u32 v1, 7, v0\n" #op " " operands "\ns_nop 0\n", 7, 1 \
	}
/* Loads what was stored, and waits with one of the counters. */
#define ROUND_TRIP                                                                             \
	"v_add_nc_u32 v4, 9, v0\nglobal_store_b32 v3, v4, s[10:11]\ns_waitcnt_vscnt null, 0\n" \
	"global_load_b32 v1, v3, s[10:11]\ns_waitcnt_vmcnt null, 0\n"
#define MODE_BITS(op, value, at, width)                                                          \
	{                                                                                        \
		OP_##op,                                                                         \
			#op " " #value "\ns_getreg_b32 s20, hwreg(HW_REG_MODE, " #at ", " #width \
			    ")\nv_mov_b32 v1, s20\n",                                            \
			value, 0                                                                 \
	}

/* --- atomics: the returned value and twice the new one --- */
#define CELL(bits) "v_mov_b32 v4, " bits "\nglobal_store_b32 v3, v4, s[10:11]\ns_waitcnt_vscnt null, 0\n"
#define SUM_OF_CELL                                                                             \
	"s_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_load_b32 v9, v3, s[10:11]\ns_waitcnt vmcnt(0)\n" \
	"v_lshl_add_u32 v1, v9, 1, v8\n"
#define ATOMIC(op, operands, old, data, new)                                                          \
	{                                                                                             \
		OP_##op, CELL(#old) data #op " " operands " glc\n" SUM_OF_CELL, (old) + 2u * (new), 0 \
	}
#define FLAT_ROW(op, old, data, new)   ATOMIC(op, "v8, v[6:7], v4", old, data, new)
#define GLOBAL_ROW(op, old, data, new) ATOMIC(op, "v8, v3, v4, s[10:11]", old, data, new)
#define BUFFER_ROW(op, old, data, new) ATOMIC(op, "v8, v3, s[16:19], 0 offen offset:1024", old, data, new)
/* The rows whose mnemonic is not that of the row. */
#define RENAMED(op, name, operands, old, data, new)                                                    \
	{                                                                                              \
		OP_##op, CELL(#old) data name " " operands " glc\n" SUM_OF_CELL, (old) + 2u * (new), 0 \
	}
#define DATA(bits)            "v_mov_b32 v4, " #bits "\nv_mov_b32 v8, " #bits "\n"
#define SWAP_IF(new, compare) "v_mov_b32 v4, " #new "\nv_mov_b32 v5, " #compare "\nv_mov_b32 v8, v4\nv_mov_b32 v9, v5\n"
#define SWAPS_OF_PAIR(op, operands)                                                                             \
	{OP_##op, CELL("1.0") SWAP_IF(2.0, 1.0) #op " " operands " glc\n" SUM_OF_CELL, F_1 + 2u * F_2, 0},      \
	{                                                                                                       \
		OP_##op, CELL("1.0") SWAP_IF(2.0, 3.0) #op " " operands " glc\n" SUM_OF_CELL, F_1 + 2u * F_1, 0 \
	}

/* --- LDS: v4, or v[4:5], is stored if the cell is v6, or v[6:7] --- */
#define LDS_CELL "ds_store_b64 v12, v[14:15]\ns_waitcnt lgkmcnt(0)\n"
#define SUM_OF_LDS                                                                                               \
	"s_waitcnt lgkmcnt(0)\nds_load_b64 v[14:15], v12\ns_waitcnt lgkmcnt(0)\nv_lshl_add_u32 v1, v14, 1, v8\n" \
	"v_lshl_add_u32 v1, v15, 2, v1\nv_lshl_add_u32 v1, v9, 3, v1\n"
#define FOUR_REGISTERS(a, b, c, e) \
	"v_mov_b32 v4, " #a "\nv_mov_b32 v5, " #b "\nv_mov_b32 v6, " #c "\nv_mov_b32 v7, " #e "\n"
#define LDS_ROW(op, operands, lo, hi, registers, expected)                                                \
	{                                                                                                 \
		OP_##op,                                                                                  \
			"v_lshlrev_b32 v12, 3, v0\nv_mov_b32 v8, 0\nv_mov_b32 v9, 0\nv_mov_b32 v14, " #lo \
			"\nv_mov_b32 v15, " #hi "\n" LDS_CELL registers #op " " operands "\n" SUM_OF_LDS, \
			expected, 0                                                                       \
	}

/* --- matrices of one value --- */
#define MATRIX(op, element, tuple, c, expected)                                                            \
	{                                                                                                  \
		OP_##op,                                                                                   \
			".irp n,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\nv_mov_b32 v\\n, " element \
			"\n.endr\n.irp n,32,33,34,35,36,37,38,39\nv_mov_b32 v\\n, " c "\n.endr\n" #op      \
			" v[32:39], " tuple ", v[32:39]\nv_mov_b32 v1, v39\n",                             \
			expected, 0                                                                        \
	}

static const struct program programs[] = {
	NOTHING(s_version, "0x8048"),
	NOTHING(s_set_inst_prefetch_distance, "0x1"),
	NOTHING(s_clause, "0x1"),
	NOTHING(s_delay_alu, "instid0(VALU_DEP_1)"),
	NOTHING(s_waitcnt_depctr, "0xfffe"),
	NOTHING(s_wait_idle, ""),
	NOTHING(s_wait_event, "0x1"),
	NOTHING(s_ttracedata_imm, "0x1"),
	NOTHING(s_gl1_inv, ""),
	NOTHING(buffer_gl1_inv, ""),
	NOTHING(v_pipeflush, ""),
	NOTHING(s_waitcnt_expcnt, "null, 0x0"),
	{OP_s_waitcnt_vscnt, ROUND_TRIP, 9, 1},
	{OP_s_waitcnt_vmcnt, ROUND_TRIP, 9, 1},
	{OP_s_waitcnt_lgkmcnt,
		"s_load_b64 s[20:21], s[0:1], 0x0\ns_waitcnt_lgkmcnt null, 0\ns_sub_u32 s20, s20, s8\nv_mov_b32 v1, s20\n",
		0, 0},
	{OP_s_movrelsd_2_b32,
		"s_mov_b32 s20, 40\ns_mov_b32 s21, 50\ns_mov_b32 s24, 0\ns_mov_b32 m0, 0x30001\ns_movrelsd_2_b32 s21, s20\n"
		"v_mov_b32 v1, s24\n",
		50, 0},
	{OP_s_sendmsg_rtn_b32,
		"s_mov_b32 s20, 5\ns_sendmsg_rtn_b32 s20, sendmsg(MSG_RTN_GET_DOORBELL)\ns_waitcnt lgkmcnt(0)\n"
		"v_mov_b32 v1, s20\n",
		0, 0},
	{OP_s_sendmsg_rtn_b64, /* time does not run backward */
		"s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)\ns_waitcnt lgkmcnt(0)\ns_sleep 100\n"
		"s_sendmsg_rtn_b64 s[22:23], sendmsg(MSG_RTN_GET_REALTIME)\ns_waitcnt lgkmcnt(0)\n"
		"s_sub_u32 s22, s22, s20\ns_subb_u32 s23, s23, s21\ns_cmp_lt_i32 s23, 0\ns_cselect_b32 s20, 1, 0\n"
		"s_cmp_eq_u64 s[22:23], 0\ns_cselect_b32 s21, 2, 0\ns_or_b32 s20, s20, s21\nv_mov_b32 v1, s20\n",
		0, 0},
	MODE_BITS(s_round_mode, 0x9, 0, 4),
	MODE_BITS(s_denorm_mode, 0x6, 4, 4),
	/* --- a condition as both operands --- */
	{OP_s_add_u32, "s_cmp_eq_u32 0, 0\ns_add_u32 s20, src_scc, src_scc\nv_mov_b32 v1, s20\n", 2, 0},
	/* --- relative registers --- */
	{OP_v_movrelsd_b32,
		"v_mov_b32 v20, 40\nv_mov_b32 v22, v0\nv_mov_b32 v26, 0\ns_mov_b32 m0, 2\nv_movrelsd_b32 v24, v20\n"
		"v_mov_b32 v1, v26\n",
		0, 1},
	{OP_v_movreld_b32, /* the lanes of each row mirrored, into v26 */
		"v_and_b32 v4, 15, v0\nv_and_b32 v5, 16, v0\nv_sub_nc_u32 v20, 15, v4\ns_mov_b32 m0, 2\n"
		"v_movreld_b32_dpp v24, v20 row_mirror row_mask:0xf bank_mask:0xf\nv_add_nc_u32 v1, v26, v5\n",
		0, 1},
	{OP_v_movreld_b32, /* v25 - 1; and v0 of a register that the wave lacks */
		"v_mov_b32 v24, 0\nv_mov_b32 v20, 7\nv_mov_b32 v4, v0\ns_mov_b32 m0, -1\nv_movreld_b32 v25, v20\n"
		"s_mov_b32 m0, 0x7fffffff\nv_movreld_b32 v25, v20\nv_sub_nc_u32 v5, v0, v24\n"
		"v_add3_u32 v1, v4, v5, v24\n",
		7, 1},
	{OP_v_swaprel_b32,
		"v_mov_b32 v21, 40\nv_mov_b32 v26, v0\ns_mov_b32 m0, 0x20001\nv_swaprel_b32 v24, v20\n"
		"v_lshl_add_u32 v1, v26, 8, v21\n",
		40 << 8, 1},
	/* --- memory --- */
	FLAT_ROW(flat_atomic_min_f32, F_2, DATA(1.0), F_1),
	FLAT_ROW(flat_atomic_max_f32, F_2, DATA(3.0), F_3),
	FLAT_ROW(flat_atomic_add_f32, F_2, DATA(1.0), F_3),
	GLOBAL_ROW(global_atomic_min_f32, F_2, DATA(1.0), F_1),
	GLOBAL_ROW(global_atomic_max_f32, F_2, DATA(1.0), F_2),
	RENAMED(global_atomic_add_f32_gfx11, "global_atomic_add_f32", "v8, v3, v4, s[10:11]", F_2, DATA(1.0), F_3),
	BUFFER_ROW(buffer_atomic_min_f32, F_2, DATA(1.0), F_1),
	BUFFER_ROW(buffer_atomic_max_f32, F_2, DATA(3.0), F_3),
	RENAMED(buffer_atomic_add_f32_gfx11, "buffer_atomic_add_f32", "v8, v3, s[16:19], 0 offen offset:1024", F_2,
		DATA(1.0), F_3),
	SWAPS_OF_PAIR(flat_atomic_cmpswap_f32, "v8, v[6:7], v[4:5]"),
	SWAPS_OF_PAIR(global_atomic_cmpswap_f32, "v8, v3, v[4:5], s[10:11]"),
	SWAPS_OF_PAIR(buffer_atomic_cmpswap_f32, "v[8:9], v3, s[16:19], 0 offen offset:1024"),
	GLOBAL_ROW(global_atomic_csub_u32, 10, DATA(3), 7),
	GLOBAL_ROW(global_atomic_csub_u32, 2, DATA(3), 0),
	BUFFER_ROW(buffer_atomic_csub_u32, 10, DATA(3), 7),
	BUFFER_ROW(buffer_atomic_csub_u32, 2, DATA(3), 0),
	/* --- LDS: 2 * low and 4 * high dword of the cell, the returned low dword and 8 * the high one --- */
	LDS_ROW(ds_cmpstore_b32, "v12, v4, v6", 10, 20, FOUR_REGISTERS(3, 0, 10, 0), 2 * 3 + 4 * 20),
	LDS_ROW(ds_cmpstore_b32, "v12, v4, v6", 10, 20, FOUR_REGISTERS(3, 0, 11, 0), 2 * 10 + 4 * 20),
	LDS_ROW(ds_cmpstore_rtn_b32, "v8, v12, v4, v6", 10, 20, FOUR_REGISTERS(3, 0, 10, 0), 10 + 2 * 3 + 4 * 20),
	LDS_ROW(ds_cmpstore_f32, "v12, v4, v6", 0x80000000, 20, FOUR_REGISTERS(3, 0, 0, 0), 2 * 3 + 4 * 20),
	LDS_ROW(ds_cmpstore_rtn_f32, "v8, v12, v4, v6", 1.0, 20, FOUR_REGISTERS(3, 0, 1.0, 0), F_1 + 2 * 3 + 4 * 20),
	LDS_ROW(ds_cmpstore_b64, "v12, v[4:5], v[6:7]", 10, 20, FOUR_REGISTERS(3, 4, 10, 20), 2 * 3 + 4 * 4),
	LDS_ROW(ds_cmpstore_b64, "v12, v[4:5], v[6:7]", 10, 20, FOUR_REGISTERS(3, 4, 10, 21), 2 * 10 + 4 * 20),
	LDS_ROW(ds_cmpstore_rtn_b64, "v[8:9], v12, v[4:5], v[6:7]", 10, 20, FOUR_REGISTERS(3, 4, 10, 20),
		10 + 8 * 20 + 2 * 3 + 4 * 4),
	LDS_ROW(ds_cmpstore_f64, "v12, v[4:5], v[6:7]", 0, 0x80000000, FOUR_REGISTERS(3, 4, 0, 0), 2 * 3 + 4 * 4),
	LDS_ROW(ds_cmpstore_rtn_f64, "v[8:9], v12, v[4:5], v[6:7]", 5, D_2, FOUR_REGISTERS(3, 4, 5, D_2),
		5 + 8u * D_2 + 2 * 3 + 4 * 4),
	/* --- matrices: 16 products of 1 and 1 --- */
	MATRIX(v_wmma_f32_16x16x16_bf16, "0x3f803f80", "v[16:23], v[24:31]", "2.0", 0x41900000),
	MATRIX(v_wmma_f16_16x16x16_f16, "0x3c003c00", "v[16:23], v[24:31]", "0x12344000", 0x12344c80),
	MATRIX(v_wmma_bf16_16x16x16_bf16, "0x3f803f80", "v[16:23], v[24:31]", "0x12344000", 0x12344190),
	MATRIX(v_wmma_i32_16x16x16_iu4, "0x11111111", "v[16:17], v[24:25]", "5", 21),
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void write_programs(FILE *f)
{
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
		"\t.amdhsa_wavefront_size32 1\n\t.amdhsa_next_free_vgpr 64\n\t.amdhsa_next_free_sgpr 64\n"
		"\t.amdhsa_group_segment_fixed_size 1024\n\t.end_amdhsa_kernel\n\t.text\n\\name:\n"
		"\ts_load_b64 s[8:9], s[0:1], 0x0\n\tv_and_b32 v0, 0x3ff, v0\n\tv_lshlrev_b32 v3, 2, v0\n"
		"\ts_waitcnt lgkmcnt(0)\n\ts_add_u32 s10, s8, 0x400\n\ts_addc_u32 s11, s9, 0\n"
		"\tv_add_co_u32 v6, vcc_lo, s10, v3\n\tv_add_co_ci_u32_e64 v7, vcc_lo, s11, 0, vcc_lo\n"
		"\ts_mov_b32 s16, s8\n\ts_mov_b32 s17, s9\n\ts_movk_i32 s18, 0x1000\n\ts_mov_b32 s19, 0x30016000\n.endm\n");
	fprintf(f, "\t.set F_1, %d\n\t.set F_2, %d\n\t.set F_3, %d\n\t.set D_2, %d\n", F_1, F_2, F_3, D_2);
	for (unsigned k = 0; k < PROGRAMS; k++)
		fprintf(f, "\tkernel program%u\n%s\tglobal_store_b32 v3, v1, s[8:9]\n\ts_endpgm\n", k,
			programs[k].text);
	fprintf(f, "\tkernel ends\n\ts_code_end\n\ts_endpgm\n");
}

static int open_gfx11_programs(void **state)
{
	(void)state;
	open_programs_device(&d, "rx7900xtx", "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100", write_programs);
	buffer = push_buffer(&d, 4096, 0);
	return 0;
}

static void rows_of_gfx11_give_the_expected_value(void **state)
{
	(void)state;
	run_programs(&d, buffer, programs, PROGRAMS, LANES);
}

static void code_end_is_illegal(void **state)
{
	(void)state;
	assert_int_equal(device_launch(&d, "ends", LANES, LANES), LAUNCH_ILLEGAL);
}

/* Each row that row_tests.h assigns to this test has a program here, or a test in test_gfx11.c. */
static void every_row_of_gfx11_has_a_program(void **state)
{
	static const unsigned others[] = {OP_s_code_end, OP_s_subvector_loop_begin, OP_s_subvector_loop_end,
		OP_v_movrels_b32, OP_v_movrelsd_2_b32, OP_v_swap_b16, OP_v_permlane16_b32, OP_v_permlanex16_b32,
		OP_v_permlane64_b32, OP_v_wmma_f32_16x16x16_f16, OP_v_wmma_i32_16x16x16_iu8, OP_global_load_addtid_b32,
		OP_global_store_addtid_b32};

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		bool found = has_program(programs, PROGRAMS, op);
		for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
			found = found || others[k] == op;
		if (row_test(op) && !strcmp(row_test(op), "core/test_gfx11_rows") && !found)
			fail_msg("%s has no program", isa_info(op)->name);
	}
}

static int close_gfx11_programs(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_gfx11_give_the_expected_value),
		cmocka_unit_test(code_end_is_illegal),
		cmocka_unit_test(every_row_of_gfx11_has_a_program),
	};

	return cmocka_run_group_tests_name("rows of gfx11", tests, open_gfx11_programs, close_gfx11_programs);
}
