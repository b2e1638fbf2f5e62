/* Rows that operate on the wave, and scalar memory: branches, the program counter, relative registers, MODE, lanes,
 * scalar loads and stores. Each has a small program that computes v1 or stops the launch. */
#include "tests/softgpu/core/row_programs.h"

#include "tests/softgpu/isa/row_tests.h"

static struct device d;
static uint32_t *buffer; /* v1 of each lane; data from dword 256 on */

/* Two branches; the first one must not be taken. */
#define BRANCH(op, no, yes)                                                                                                                   \
	{                                                                                                                                     \
		OP_##op,                                                                                                                      \
			"s_mov_b32 s20, 1\n" no "\n" #op " 1f\ns_mov_b32 s20, 2\n1:\ns_mov_b32 s21, 1\n" yes "\n" #op                         \
			" 2f\ns_mov_b32 s21, 2\n2:\ns_mov_b64 exec, -1\ns_lshl_b32 s21, s21, 4\ns_or_b32 s20, s20, s21\nv_mov_b32 v1, s20\n", \
			0x12, 0                                                                                                               \
	}
#define BRANCH_NEVER(op)                                                                                 \
	{                                                                                                \
		OP_##op, "s_mov_b32 s20, 1\n" #op " 1f\ns_mov_b32 s20, 2\n1:\nv_mov_b32 v1, s20\n", 2, 0 \
	}
#define NOTHING(op, operands)                                                                               \
	{                                                                                                   \
		OP_##op, "v_add_u32 v1, 7, v0\n" #op " " operands "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n", 7, 1 \
	}
#define ADDRESS(to) "s_getpc_b64 s[20:21]\n1:\ns_add_u32 s20, s20, " to "-1b\ns_addc_u32 s21, s21, 0\n"
#define FOUR        "s_mov_b32 s20, 10\ns_mov_b32 s21, 11\ns_mov_b32 s22, 12\ns_mov_b32 s23, 13\ns_mov_b32 m0, 2\n"
#define PAIR(a, b)  "s_lshl_b32 s40, " b ", 8\ns_or_b32 s40, s40, " a "\nv_mov_b32 v1, s40\n"
#define REGISTERS \
	"v_mov_b32 v4, 40\nv_mov_b32 v5, 50\nv_mov_b32 v6, 60\nv_mov_b32 v1, 0\ns_mov_b32 s20, 2\ns_mov_b32 s21, 1\n"

static const struct program programs[] = {
	BRANCH(s_cbranch_scc0, "s_cmp_eq_u32 s8, s8", "s_cmp_lg_u32 s8, s8"),
	BRANCH(s_cbranch_scc1, "s_cmp_lg_u32 s8, s8", "s_cmp_eq_u32 s8, s8"),
	BRANCH(s_cbranch_vccz, "s_mov_b64 vcc, 1", "s_mov_b64 vcc, 0"),
	BRANCH(s_cbranch_vccnz, "s_mov_b64 vcc, 0", "s_mov_b32 vcc_hi, 1"),
	BRANCH(s_cbranch_execz, "s_mov_b64 exec, 1", "s_mov_b64 exec, 0"),
	BRANCH(s_cbranch_execnz, "s_mov_b64 exec, 0", "s_mov_b32 exec_hi, 1"),
	BRANCH_NEVER(s_cbranch_cdbgsys),
	BRANCH_NEVER(s_cbranch_cdbguser),
	BRANCH_NEVER(s_cbranch_cdbgsys_or_user),
	BRANCH_NEVER(s_cbranch_cdbgsys_and_user),
	{OP_s_setpc_b64,
		"s_mov_b32 s30, 5\n" ADDRESS("2f") "s_setpc_b64 s[20:21]\ns_mov_b32 s30, 9\n2:\nv_mov_b32 v1, s30\n", 5,
		0},
	{OP_s_getpc_b64, "s_getpc_b64 s[20:21]\n1:\ns_getpc_b64 s[22:23]\ns_sub_u32 s22, s22, s20\nv_mov_b32 v1, s22\n",
		4, 0},
	{OP_s_swappc_b64,
		ADDRESS("2f") "s_swappc_b64 s[30:31], s[20:21]\ns_add_u32 s32, s32, 100\ns_branch 3f\n2:\ns_mov_b32 s32, 7\n"
			      "s_setpc_b64 s[30:31]\n3:\nv_mov_b32 v1, s32\n",
		107, 0},
	{OP_s_call_b64,
		"s_call_b64 s[30:31], 2f\ns_add_u32 s32, s32, 100\ns_branch 3f\n2:\ns_mov_b32 s32, 7\ns_setpc_b64 s[30:31]\n"
		"3:\nv_mov_b32 v1, s32\n",
		107, 0},
	{OP_s_cbranch_g_fork, /* lanes below 20 add 7, the others 100; then all add 100 * lane */
		"v_cmp_gt_u32 vcc, 20, v0\ns_getreg_b32 s38, hwreg(HW_REG_MODE, 29, 3)\nv_mov_b32 v1, 0\ns_mov_b64 s[36:37], exec\n" ADDRESS(
			"2f") "s_cbranch_g_fork vcc, s[20:21]\nv_add_u32 v1, v0, v1\nv_add_u32 v1, 1000, v1\ns_cbranch_join s38\ns_branch 3f\n2:\n"
			      "v_add_u32 v1, v0, v1\nv_add_u32 v1, 1000, v1\ns_cbranch_join s38\n3:\ns_mov_b64 exec, s[36:37]\n",
		1000, 1},
	{OP_s_setreg_imm32_b32,
		"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0xa\ns_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 10)\nv_mov_b32 v1, s20\n",
		0x3ca, 0},
	{OP_s_movrels_b32, FOUR "s_movrels_b32 s30, s20\nv_mov_b32 v1, s30\n", 12, 0},
	{OP_s_movrels_b64, FOUR "s_movrels_b64 s[30:31], s[20:21]\n" PAIR("s30", "s31"), 12 | 13 << 8, 0},
	{OP_s_movreld_b32, FOUR "s_movreld_b32 s20, s21\n" PAIR("s20", "s22"), 10 | 11 << 8, 0},
	{OP_s_movreld_b64, FOUR "s_movreld_b64 s[20:21], s[20:21]\n" PAIR("s22", "s23"), 10 | 11 << 8, 0},
	{OP_s_set_gpr_idx_on, REGISTERS "s_set_gpr_idx_on s20, gpr_idx(SRC0)\nv_mov_b32 v1, v4\ns_set_gpr_idx_off\n",
		60, 0},
	{OP_s_set_gpr_idx_idx,
		REGISTERS
		"s_set_gpr_idx_on s20, gpr_idx(SRC0)\ns_set_gpr_idx_idx s21\nv_mov_b32 v1, v4\ns_set_gpr_idx_off\n",
		50, 0},
	{OP_s_set_gpr_idx_mode,
		REGISTERS "s_set_gpr_idx_on s20, gpr_idx(SRC0)\ns_set_gpr_idx_mode gpr_idx(DST)\nv_mov_b32 v4, v5\n"
			  "s_set_gpr_idx_off\nv_mov_b32 v1, v6\n",
		50, 0},
	{OP_s_set_gpr_idx_off,
		REGISTERS "s_set_gpr_idx_on s20, gpr_idx(SRC0,SRC1,DST)\ns_set_gpr_idx_off\nv_add_u32 v1, v4, v5\n", 90,
		0},
	{OP_s_sleep,
		"s_memtime s[20:21]\ns_waitcnt lgkmcnt(0)\ns_sleep 8\ns_memtime s[22:23]\ns_waitcnt lgkmcnt(0)\ns_sub_u32 s20, s22, s20\n"
		"s_cmp_ge_u32 s20, 512\ns_cselect_b32 s20, 1, 0\nv_mov_b32 v1, s20\n",
		1, 0},
	{OP_s_memtime,
		"s_memtime s[20:21]\ns_waitcnt lgkmcnt(0)\ns_memtime s[22:23]\ns_waitcnt lgkmcnt(0)\ns_sub_u32 s22, s22, s20\n"
		"s_sub_u32 s20, s22, 1\ns_cmp_lt_u32 s20, 1000\ns_cselect_b32 s20, 1, 0\nv_mov_b32 v1, s20\n",
		1, 0},
	{OP_s_memrealtime, /* 8128 cycles at 1.5 GHz are 146 at 27 MHz */
		"s_memrealtime s[20:21]\ns_waitcnt lgkmcnt(0)\ns_sleep 127\ns_memrealtime s[22:23]\ns_waitcnt lgkmcnt(0)\ns_sub_u32 s22, s22, s20\n"
		"s_sub_u32 s20, s22, 100\ns_cmp_lt_u32 s20, 100\ns_cselect_b32 s20, 1, 0\nv_mov_b32 v1, s20\n",
		1, 0},
	NOTHING(s_nop, "3"),
	NOTHING(s_wakeup, ""),
	NOTHING(s_setprio, "2"),
	NOTHING(s_sendmsg, "sendmsg(MSG_INTERRUPT)"),
	NOTHING(s_icache_inv, ""),
	NOTHING(s_incperflevel, "1"),
	NOTHING(s_decperflevel, "1"),
	NOTHING(s_ttracedata, ""),
	NOTHING(s_dcache_inv, ""),
	NOTHING(s_dcache_wb, ""),
	NOTHING(s_dcache_inv_vol, ""),
	NOTHING(s_dcache_wb_vol, ""),
	NOTHING(s_dcache_discard, "s[8:9], 0x0"),
	NOTHING(s_dcache_discard_x2, "s[8:9], 0x0"),
	NOTHING(s_atc_probe, "3, s[8:9], 0x0"),
	NOTHING(s_atc_probe_buffer, "3, s[16:19], 0x0"),
	NOTHING(buffer_wbinvl1, ""),
	NOTHING(buffer_wbinvl1_vol, ""),
	NOTHING(v_nop, ""),
	NOTHING(v_clrexcp, ""),
	NOTHING(s_barrier, ""),
	{OP_v_readlane_b32,
		"v_lshlrev_b32 v4, 1, v0\ns_mov_b64 exec, 1\ns_movk_i32 s20, 101\nv_readlane_b32 s21, v4, s20\ns_mov_b64 exec, -1\n"
		"v_mov_b32 v1, s21\n",
		74, 0},
	{OP_v_readfirstlane_b32,
		"v_lshlrev_b32 v4, 1, v0\ns_mov_b64 exec, 0x30\nv_readfirstlane_b32 s21, v4\ns_mov_b64 exec, -1\nv_mov_b32 v1, s21\n",
		8, 0},
	{OP_v_writelane_b32,
		"v_mov_b32 v4, 3\ns_mov_b64 exec, 1\ns_movk_i32 s20, 69\nv_writelane_b32 v4, 33, s20\n"
		"s_mov_b64 exec, -1\ns_nop 4\nv_readlane_b32 s21, v4, 5\nv_readlane_b32 s22, v4, 6\n" PAIR(
			"s21", "s22"),
		33 | 3 << 8, 0},
	{OP_v_swap_b32, /* swaps 3 and the lane number in lanes above 7 */
		"v_mov_b32 v4, 3\nv_mov_b32 v5, v0\ns_mov_b64 exec, 0xff\ns_not_b64 exec, exec\nv_swap_b32 v4, v5\ns_mov_b64 exec, 0xff\n"
		"v_add_u32 v4, v5, v4\nv_sub_u32 v4, v4, 3\nv_mov_b32 v5, 3\ns_mov_b64 exec, -1\nv_sub_u32 v5, v5, 3\nv_add_u32 v1, v4, v5\n",
		0, 1},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* --- scalar loads and stores --- */
/* Address modes: an immediate offset; an SGPR, whose low bits are ignored; the last dword beyond the 0x500 bytes of the
 * descriptor. */
enum { ADDRESS_MODES = 3, AT = 0x404, RECORDS = 0x500 };

static bool is_scalar_memory(unsigned op)
{
	return isa_info(op)->enc == ENC_SMEM && is_plain_memory(op);
}

static unsigned dwords_of(const char *name)
{
	const char *x = strstr(name, "dwordx");

	return x ? (unsigned)atoi(x + 6) : 1;
}

static bool has_address_mode(unsigned op, int mode)
{
	return mode < 2 || isa_info(op)->src[0] == T_SRSRC;
}

static bool is_store(unsigned op)
{
	return strstr(isa_info(op)->name, "_store_") != NULL;
}

static void write_scalar(FILE *f, unsigned op, int mode)
{
	const struct isa_info *row = isa_info(op);
	unsigned n = dwords_of(row->name);

	fprintf(f, "\tkernel memory%u_%d\n\tv_mov_b32 v1, -1\n\ts_movk_i32 s20, %d\n", op, mode,
		strstr(row->name, "scratch") ? 17 : AT + 3);
	for (unsigned k = 0; k < 16; k++)
		fprintf(f, "\ts_movk_i32 s%u, %u\n", 24 + k, 100 + k);
	fprintf(f, n > 1 ? "\t%s s[24:%u]" : "\t%s s%u", row->name, n > 1 ? 23 + n : 24);
	fprintf(f, ", %s, ", row->src[0] == T_SRSRC ? "s[16:19]" : "s[8:9]");
	if (mode == 1)
		fprintf(f, "s20\n");
	else
		fprintf(f, "0x%x\n", mode ? RECORDS - 4 * n + 4 : AT);
	fprintf(f, "\ts_dcache_wb\n\ts_waitcnt lgkmcnt(0)\n");
	for (unsigned k = 0; k < n && !is_store(op); k++)
		fprintf(f, "\tv_writelane_b32 v1, s%u, %u\n", 24 + k, k);
	fprintf(f, "\tglobal_store_dword v3, v1, s[8:9]\n\ts_endpgm\n");
}

static void check_scalar(unsigned op, int mode)
{
	const char *name = isa_info(op)->name;
	unsigned n = dwords_of(name), inside = mode == 2 ? n - 1 : n;
	unsigned at = (mode == 2 ? RECORDS - 4 * inside : mode == 1 && strstr(name, "scratch") ? 17 * 64 : AT) / 4;
	char kernel[32];

	for (unsigned k = 0; k < 1024; k++)
		buffer[k] = 0x5000 + k * 3;
	snprintf(kernel, sizeof kernel, "memory%u_%d", op, mode);
	if (device_launch(&d, kernel, 64, 64) != LAUNCH_OK)
		fail_msg("%s: %s", name, d.out.message);
	for (unsigned k = 0; k < 16; k++)
		if (!is_store(op) && buffer[k] != (k >= n ? UINT32_MAX : k >= inside ? 0 : 0x5000 + (at + k) * 3))
			fail_msg("%s address mode %d: dword %u is %x", name, mode, k, buffer[k]);
	for (unsigned k = 64; k < 1024; k++) {
		bool written = is_store(op) && k >= at && k < at + inside;
		if (buffer[k] != (written ? 100 + k - at : 0x5000 + k * 3))
			fail_msg("%s address mode %d: memory dword %u is %x", name, mode, k, buffer[k]);
	}
}

/* --- the code object --- */
static void write_programs(FILE *f)
{
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_next_free_vgpr 24\n"
		"\t.amdhsa_group_segment_fixed_size 1024\n\t.amdhsa_next_free_sgpr 64\n\t.end_amdhsa_kernel\n\t.text\n\\name:\n\ts_load_dwordx2 s[8:9], s[0:1], 0x0\n"
		"\tv_lshlrev_b32 v3, 2, v0\n\ts_waitcnt lgkmcnt(0)\n\ts_mov_b32 s16, s8\n\ts_mov_b32 s17, s9\n\ts_movk_i32 s18, %d\n"
		"\ts_mov_b32 s19, 0x27000\n.endm\n",
		RECORDS);
	for (unsigned k = 0; k < PROGRAMS; k++)
		fprintf(f, "\tkernel program%u\n%s\tglobal_store_dword v3, v1, s[8:9]\n\ts_endpgm\n", k,
			programs[k].text);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int mode = 0; mode < ADDRESS_MODES; mode++)
			if (is_scalar_memory(op) && has_address_mode(op, mode))
				write_scalar(f, op, mode);
	fprintf(f,
		"\tkernel halts\n\ts_sethalt 1\n\ts_endpgm\n\tkernel traps\n\ts_trap 2\n\ts_endpgm\n\tkernel restores\n"
		"\ts_rfe_restore_b64 s[8:9], s10\n\ts_endpgm\n\tkernel ends\n\tv_mov_b32 v1, 3\n\tglobal_store_dword v3, v1, s[8:9]\n"
		"\ts_endpgm_ordered_ps_done\n\tv_mov_b32 v1, 4\n\tglobal_store_dword v3, v1, s[8:9]\n\ts_endpgm\n"
		"\tkernel barrier\n\tv_lshlrev_b32 v4, 2, v0\n\tv_cmp_gt_u32 vcc, 64, v0\n\ts_cbranch_vccnz 1f\n\ts_sleep 20\n1:\n\tds_write_b32 v4, v0\n"
		"\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\tv_xor_b32 v5, 0x100, v4\n\tds_read_b32 v1, v5\n\ts_waitcnt lgkmcnt(0)\n"
		"\tglobal_store_dword v3, v1, s[8:9]\n\ts_endpgm\n"
		"\t.globl modes\n\t.p2align 8\n\t.type modes,@function\n\t.amdhsa_kernel modes\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
		"\t.amdhsa_next_free_vgpr 8\n\t.amdhsa_next_free_sgpr 16\n\t.amdhsa_ieee_mode 0\n\t.amdhsa_dx10_clamp 0\n"
		"\t.amdhsa_fp16_overflow 1\n\t.amdhsa_float_round_mode_32 3\n\t.amdhsa_float_round_mode_16_64 2\n"
		"\t.amdhsa_float_denorm_mode_32 1\n\t.amdhsa_float_denorm_mode_16_64 2\n\t.end_amdhsa_kernel\n\t.text\nmodes:\n"
		"\ts_load_dwordx2 s[8:9], s[0:1], 0x0\n\tv_lshlrev_b32 v3, 2, v0\n\ts_getreg_b32 s10, hwreg(HW_REG_MODE)\n"
		"\tv_mov_b32 v1, s10\n\ts_waitcnt lgkmcnt(0)\n\tglobal_store_dword v3, v1, s[8:9]\n\ts_endpgm\n");
}

static int open_programs(void **state)
{
	(void)state;
	open_programs_device(&d, "mi25", ASSEMBLE, write_programs);
	buffer = push_buffer(&d, 4096, 0);
	return 0;
}

static void wave_rows_give_the_expected_value(void **state)
{
	(void)state;
	run_programs(&d, buffer, programs, PROGRAMS, 64);
}

/* Ends, traps, the initial MODE, and barriers. */
static void end_and_trap_rows_stop_the_wave(void **state)
{
	(void)state;
	assert_int_equal(device_launch(&d, "halts", 64, 64), LAUNCH_TRAP);
	assert_int_equal(device_launch(&d, "traps", 64, 64), LAUNCH_TRAP);
	assert_int_equal(device_launch(&d, "restores", 64, 64), LAUNCH_ILLEGAL);
	assert_int_equal(device_launch(&d, "ends", 64, 64), LAUNCH_OK);
	assert_int_equal(buffer[63], 3);
	assert_int_equal(device_launch(&d, "modes", 64, 64), LAUNCH_OK);
	assert_int_equal(buffer[0],
		0x80009b); /* from the descriptor: FP16_OVFL, denormals and rounding; IEEE and DX10_CLAMP off */
	assert_int_equal(device_launch(&d, "barrier", 128, 128), LAUNCH_OK);
	for (unsigned l = 0; l < 128; l++)
		assert_int_equal(buffer[l], l ^ 64);
}

static void scalar_loads_and_stores_match(void **state)
{
	unsigned rows = 0;

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int mode = 0; mode < ADDRESS_MODES; mode++)
			if (is_scalar_memory(op) && has_address_mode(op, mode)) {
				check_scalar(op, mode);
				rows += mode == 0;
			}
	printf("# %u rows\n", rows);
	assert_int_equal(rows, 22);
}

/* Each row that row_tests.h assigns to this test has a program. */
static void every_assigned_row_was_run(void **state)
{
	static const unsigned others[] = {OP_s_sethalt, OP_s_trap, OP_s_rfe_restore_b64, OP_s_endpgm_ordered_ps_done};

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		bool found = is_scalar_memory(op) || has_program(programs, PROGRAMS, op);
		for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
			found = found || others[k] == op;
		if (isa_info(op)->targets & ISA_GFX9 && row_test(op) && !strcmp(row_test(op), "core/test_row_waves") &&
			!found)
			fail_msg("%s has no program", isa_info(op)->name);
	}
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(wave_rows_give_the_expected_value),
		cmocka_unit_test(end_and_trap_rows_stop_the_wave), cmocka_unit_test(scalar_loads_and_stores_match),
		cmocka_unit_test(every_assigned_row_was_run)};

	return cmocka_run_group_tests_name("row waves", tests, open_programs, close_device);
}
