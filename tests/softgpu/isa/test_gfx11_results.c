/* Results of the rows that gfx11 added, computed by hand from the RDNA3 ISA guide. */
#include "tests/softgpu/isa/row_runner.h"

static void scalar_rows_of_gfx11_match_the_guide(void **state)
{
	static const struct expectation rows[] = {
		{OP_s_max_i32_gfx11, (uint32_t)-3, 2, 0, 0, 1, 2, 0},
		{OP_s_max_i32_gfx11, 5, 5, 0, 0, 0, 5, 1},
		{OP_s_max_u32_gfx11, (uint32_t)-3, 2, 0, 0, 0, 0xfffffffd, 1},
		{OP_s_max_u32_gfx11, 7, 7, 0, 0, 0, 7, 1},
		{OP_s_pack_hl_b32_b16, 0x11112222, 0x33334444, 0, 0, 0, 0x44441111, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(&rows[i], 0, 0);
}

/* The lower half of EXEC; the upper one stays. */
static void exec_rows_of_gfx11_match_the_guide(void **state)
{
	enum { A = 0x0f0f0f0f, E = 0x00ff00ff };
	static const struct {
		unsigned op;
		uint32_t a, d, exec;
		int scc;
	} rows[] = {
		{OP_s_and_saveexec_b32, A, E, 0x000f000f, 1},
		{OP_s_and_saveexec_b32, 0xff00ff00, E, 0, 0},
		{OP_s_or_saveexec_b32, A, E, 0x0fff0fff, 1},
		{OP_s_xor_saveexec_b32, A, E, 0x0ff00ff0, 1},
		{OP_s_xor_saveexec_b32, E, E, 0, 0},
		{OP_s_nand_saveexec_b32, A, E, 0xfff0fff0, 1},
		{OP_s_nor_saveexec_b32, A, E, 0xf000f000, 1},
		{OP_s_nor_saveexec_b32, ~(uint32_t)E, E, 0, 0},
		{OP_s_xnor_saveexec_b32, A, E, 0xf00ff00f, 1},
		{OP_s_and_not0_saveexec_b32, A, E, 0x00f000f0, 1},
		{OP_s_or_not0_saveexec_b32, A, E, 0xf0fff0ff, 1},
		{OP_s_and_not1_saveexec_b32, A, E, 0x0f000f00, 1},
		{OP_s_and_not1_saveexec_b32, E, E, 0, 0},
		{OP_s_or_not1_saveexec_b32, A, E, 0xff0fff0f, 1},
		{OP_s_and_not0_wrexec_b32, A, 0x00f000f0, 0x00f000f0, 1},
		{OP_s_and_not1_wrexec_b32, A, 0x0f000f00, 0x0f000f00, 1},
		{OP_s_and_not1_wrexec_b32, E, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t high = UINT64_C(0x89abcdef) << 32;
		struct state s = {.a = rows[i].a, .exec = high | E, .scc = !rows[i].scc};

		run_row(rows[i].op, &s);
		was_run[rows[i].op] = true;
		if (s.d != rows[i].d || s.exec != (high | rows[i].exec) || s.scc != rows[i].scc)
			fail_msg("%s: %llx, EXEC %llx, SCC %d", isa_info(rows[i].op)->name, (unsigned long long)s.d,
				(unsigned long long)s.exec, s.scc);
	}
}

/* Pairs of halves (1.0, 2.0) and (3.0, 4.0): their dot product and 0.5 are 11.5. */
enum { H_1_2 = 0x40003c00, H_3_4 = 0x44004200, BF_1_2 = 0x40003f80, BF_3_4 = 0x40804040 };

static void vector_rows_of_gfx11_match_the_guide(void **state)
{
	const uint32_t infinity = 0x7f800000, lowest = 0xff7fffff;
	const struct expectation rows[] = {
		{OP_v_dot2acc_f32_f16, H_1_2, H_3_4, 0, F32(0.5f), 0, F32(11.5f), -1},
		{OP_v_dot2_f32_f16_gfx11, H_1_2, H_3_4, F32(0.5f), 0, 0, F32(11.5f), -1},
		{OP_v_dot2_f32_bf16, BF_1_2, BF_3_4, F32(0.5f), 0, 0, F32(11.5f), -1},
		{OP_v_dual_dot2acc_f32_bf16, BF_1_2, BF_3_4, 0, F32(0.5f), 0, F32(11.5f), -1},
		{OP_v_dot2_f16_f16, H_1_2, H_3_4, 0x3800, 0, 0, 0x49c0, -1},
		{OP_v_dot2_bf16_bf16, BF_1_2, BF_3_4, 0x3f00, 0, 0, 0x4138, -1},
		{OP_v_fmac_dx9_zero_f32, 0, infinity, 0, F32(5), 0, F32(5), -1},
		{OP_v_fmac_dx9_zero_f32, F32(2), F32(3), 0, F32(1), 0, F32(7), -1},
		{OP_v_fma_dx9_zero_f32, infinity, 0x80000000, F32(3), 0, 0, F32(3), -1},
		{OP_v_fma_dx9_zero_f32, F32(2), F32(3), F32(1), 0, 0, F32(7), -1},
		{OP_v_fmamk_f32, F32(2), F32(3), F32(4), 0, 0, F32(10), -1},
		{OP_v_fmaak_f32, F32(2), F32(3), F32(4), 0, 0, F32(10), -1},
		{OP_v_fmac_f16, 0x4000, 0x4200, 0, 0x3c00, 0, 0x4700, -1},
		{OP_v_fmamk_f16, 0x4000, 0x4200, 0x4400, 0, 0, 0x4900, -1},
		{OP_v_fmaak_f16, 0x4000, 0x4200, 0x4400, 0, 0, 0x4900, -1},
		{OP_v_mov_b16, 0xabcd, 0, 0, 0, 0, 0xabcd, -1},
		{OP_v_sin_f32_gfx11, F32(0.25f), 0, 0, 0, 0, F32(1), -1},
		{OP_v_not_b16, 0x00ff, 0, 0, 0, 0, 0xff00, -1},
		{OP_v_cvt_i32_i16, 0x8000, 0, 0, 0, 0, (uint64_t)-32768, -1},
		{OP_v_cvt_u32_u16, 0x8000, 0, 0, 0, 0, 0x8000, -1},
		{OP_v_cmp_class_f16_gfx11, 0x8000, 1 << 5, 0, 0, 0, 1, -1},
		{OP_v_cmp_class_f16_gfx11, 0x7e00, 1 << 5, 0, 0, 0, 0, -1},
		{OP_v_cmpx_class_f16_gfx11, 0x7e00, 1 << 1, 0, 0, 0, 1, -1},
		{OP_v_mullit_f32, F32(2), F32(3), F32(1), 0, 0, F32(6), -1},
		{OP_v_mullit_f32, F32(2), F32(3), F32(0), 0, 0, lowest, -1},
		{OP_v_mullit_f32, F32(2), lowest, F32(1), 0, 0, lowest, -1},
		{OP_v_xor3_b32, 0xff, 0x0f, 1, 0, 0, 0xf1, -1},
		{OP_v_cndmask_b16, 1, 2, 0, 0, 1, 2, -1},
		{OP_v_cndmask_b16, 1, 2, 0, 0, 0, 1, -1},
		{OP_v_maxmin_f32, F32(1), F32(5), F32(3), 0, 0, F32(3), -1},
		{OP_v_maxmin_f32, 0x7fc00000, F32(2), F32(3), 0, 0, F32(2), -1},
		{OP_v_minmax_f32, F32(4), F32(5), F32(3), 0, 0, F32(4), -1},
		{OP_v_maxmin_f16, 0x3c00, 0x4500, 0x4200, 0, 0, 0x4200, -1},
		{OP_v_minmax_f16, 0x4400, 0x4500, 0x4200, 0, 0, 0x4400, -1},
		{OP_v_maxmin_u32, 1, 0xffffffff, 3, 0, 0, 3, -1},
		{OP_v_minmax_u32, 1, 0xffffffff, 3, 0, 0, 3, -1},
		{OP_v_maxmin_i32, 1, 0xffffffff, 3, 0, 0, 1, -1},
		{OP_v_minmax_i32, 1, 0xffffffff, (uint32_t)-3, 0, 0, UINT64_MAX, -1},
		{OP_v_cvt_pk_i16_f32, F32(40000), F32(-3.75f), 0, 0, 0, 0xfffd7fff, -1},
		{OP_v_cvt_pk_u16_f32, F32(70000), F32(-1), 0, 0, 0, 0x0000ffff, -1},
		{OP_v_and_b16, 0x0ff0, 0xff00, 0, 0, 0, 0x0f00, -1},
		{OP_v_or_b16, 0x0ff0, 0xff00, 0, 0, 0, 0xfff0, -1},
		{OP_v_xor_b16, 0x0ff0, 0xff00, 0, 0, 0, 0xf0f0, -1},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(&rows[i], 0, 0);
}

/* Products of integers, each source signed or not. */
static void dot_rows_of_gfx11_match_the_guide(void **state)
{
	static const struct {
		int neg, clamp;
		struct expectation row;
	} rows[] = {
		{0, 0, {OP_v_dot4_i32_iu8, 0x010000ff, 0x05000002, 10, 0, 0, 525, -1}},
		{1, 0, {OP_v_dot4_i32_iu8, 0x010000ff, 0x05000002, 10, 0, 0, 13, -1}},
		{2, 0, {OP_v_dot4_i32_iu8, 0x010000ff, 0xfb000002, 10, 0, 0, 515, -1}},
		{0, 0, {OP_v_dot4_i32_iu8, 0xff, 2, 0x7fffffff, 0, 0, UINT64_C(0xffffffff800001fd), -1}},
		{0, 1, {OP_v_dot4_i32_iu8, 0xff, 2, 0x7fffffff, 0, 0, 0x7fffffff, -1}},
		{1, 1, {OP_v_dot4_i32_iu8, 0xff, 2, 0x80000000, 0, 0, UINT64_C(0xffffffff80000000), -1}},
		{0, 0, {OP_v_dot8_i32_iu4, 0x1000000f, 0x50000002, 10, 0, 0, 45, -1}},
		{1, 0, {OP_v_dot8_i32_iu4, 0x1000000f, 0x50000002, 10, 0, 0, 13, -1}},
		{2, 0, {OP_v_dot8_i32_iu4, 0x1000000f, 0xb0000002, 10, 0, 0, 35, -1}},
		{0, 1, {OP_v_dot8_i32_iu4, 0xf, 2, 0x7fffffff, 0, 0, 0x7fffffff, -1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(&rows[i].row, rows[i].clamp, rows[i].neg);
}

static void every_row_of_gfx11_has_an_expectation(void **state)
{
	unsigned rows = 0;

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		bool assigned = row_test(op) && !strcmp(row_test(op), "isa/test_gfx11_results");
		rows += assigned;
		if (assigned && !was_run[op])
			fail_msg("%s has no expectation", isa_info(op)->name);
	}
	printf("# %u rows\n", rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalar_rows_of_gfx11_match_the_guide),
		cmocka_unit_test(exec_rows_of_gfx11_match_the_guide),
		cmocka_unit_test(vector_rows_of_gfx11_match_the_guide),
		cmocka_unit_test(dot_rows_of_gfx11_match_the_guide),
		cmocka_unit_test(every_row_of_gfx11_has_an_expectation),
	};

	return cmocka_run_group_tests_name("isa rows of gfx11", tests, NULL, NULL);
}
