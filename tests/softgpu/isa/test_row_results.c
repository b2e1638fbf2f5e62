/* Results of the rows of gfx9, computed by hand from the Vega ISA guide. */
#include "tests/softgpu/isa/row_runner.h"

static void scalar_rows_match_the_guide(void **state)
{
	static const struct expectation rows[] = {
		{OP_s_add_u32, 0xffffffff, 1, 0, 0, 0, 0, 1},
		{OP_s_add_i32, 0x7fffffff, 1, 0, 0, 0, 0x80000000 | UINT64_C(0xffffffff) << 32, 1},
		{OP_s_sub_u32, 1, 2, 0, 0, 0, 0xffffffff, 1},
		{OP_s_sub_i32, 3, 1, 0, 0, 1, 2, 0},
		{OP_s_addc_u32, 0xffffffff, 0, 0, 0, 1, 0, 1},
		{OP_s_subb_u32, 5, 5, 0, 0, 1, 0xffffffff, 1},
		{OP_s_subb_u32, 5, 0xffffffff, 0, 0, 1, 5, 1},
		{OP_s_min_i32, (uint32_t)-3, 2, 0, 0, 0, -3, 1},
		{OP_s_max_u32, (uint32_t)-3, 2, 0, 0, 0, 0xfffffffd, 1},
		{OP_s_cselect_b64, 7, 9, 0, 0, 0, 9, 0},
		{OP_s_andn2_b64, 0xff, 0x0f, 0, 0, 0, 0xf0, 1},
		{OP_s_nor_b32, 0xffff0000, 0xffff, 0, 0, 1, 0, 0},
		{OP_s_lshl_b64, 1, 63, 0, 0, 0, UINT64_C(1) << 63, 1},
		{OP_s_ashr_i32, 0x80000000, 33, 0, 0, 0, UINT64_C(0xffffffffc0000000), 1},
		{OP_s_bfe_u32, 0x12345678, 8 | 12 << 16, 0, 0, 0, 0x456, 1},
		{OP_s_bfe_i64, UINT64_C(0x8000000000000000), 60 | 4 << 16, 0, 0, 0, (uint64_t)-8, 1},
		{OP_s_bfm_b64, 40, 8, 0, 0, 0, UINT64_C(0xffffffffff00), -1},
		{OP_s_absdiff_i32, 3, 5, 0, 0, 0, 2, 1},
		{OP_s_mul_hi_i32, (uint32_t)-2, 3, 0, 0, 0, UINT64_MAX, -1},
		{OP_s_lshl4_add_u32, 0x10000000, 3, 0, 0, 0, 3, 1},
		{OP_s_pack_lh_b32_b16, 0x11112222, 0x33334444, 0, 0, 0, 0x33332222, -1},
		{OP_s_movk_i32, 0, 0x8000, 0, 0, 0, UINT64_C(0xffffffffffff8000), -1},
		{OP_s_cmovk_i32, 0, 5, 0, 77, 0, 77, -1},
		{OP_s_cmpk_gt_u32, 0xffffffff, 0xffff, 0, 0, 0, 0, 1},
		{OP_s_cmpk_eq_i32, 0xffffffff, 0xffff, 0, 0, 0, 0, 1},
		{OP_s_addk_i32, 0, 0xffff, 0, 5, 0, 4, 0},
		{OP_s_mulk_i32, 0, 3, 0, 5, 1, 15, 1},
		{OP_s_bcnt0_i32_b64, 0xff, 0, 0, 0, 0, 56, 1},
		{OP_s_ff1_i32_b64, UINT64_C(1) << 40, 0, 0, 0, 0, 40, -1},
		{OP_s_ff0_i32_b32, 0xffffffff, 0, 0, 0, 0, UINT64_MAX, -1},
		{OP_s_flbit_i32_b32, 0x00010000, 0, 0, 0, 0, 15, -1},
		{OP_s_flbit_i32_i64, UINT64_MAX, 0, 0, 0, 0, UINT64_MAX, -1},
		{OP_s_flbit_i32_i64, UINT64_MAX << 4, 0, 0, 0, 0, 60, -1},
		{OP_s_sext_i32_i8, 0x180, 0, 0, 0, 0, (uint64_t)-128, -1},
		{OP_s_bitset1_b64, 40, 0, 0, 1, 0, UINT64_C(0x10000000001), -1},
		{OP_s_brev_b64, 1, 0, 0, 0, 0, UINT64_C(1) << 63, -1},
		{OP_s_abs_i32, 0x80000000, 0, 0, 0, 0, UINT64_C(0xffffffff80000000), 1},
		{OP_s_and_saveexec_b64, 0x0f, 0, 0xff, 0, 0, 0xff, 1},
		{OP_s_andn2_saveexec_b64, 0xff, 0, 0xff, 0, 1, 0xff, 0},
		{OP_s_andn1_wrexec_b64, 0x0f, 0, 0xff, 0, 0, 0xf0, 1},
		{OP_s_cmp_lt_i32, (uint32_t)-1, 0, 0, 0, 0, 0, 1},
		{OP_s_cmp_lt_u32, (uint32_t)-1, 0, 0, 0, 1, 0, 0},
		{OP_s_bitcmp0_b64, 1, 64, 0, 0, 1, 0, 0},
		{OP_s_cmp_lg_u64, UINT64_C(1) << 32, 0, 0, 0, 0, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(&rows[i], 0, 0);
}

static void vector_rows_match_the_guide(void **state)
{
	const struct expectation rows[] = {
		{OP_v_cndmask_b32, 1, 2, 0, 0, 1, 2, -1},
		{OP_v_subrev_f32, F32(1), F32(3), 0, 0, 0, F32(2), -1},
		{OP_v_mac_f32, F32(2), F32(3), 0, F32(1), 0, F32(7), -1},
		{OP_v_madak_f32, F32(2), F32(3), F32(4), 0, 0, F32(10), -1},
		{OP_v_mul_i32_i24, 0xffffff, 5, 0, 0, 0, (uint64_t)-5, -1},
		{OP_v_mul_hi_u32_u24, 0xffffff, 0xffffff, 0, 0, 0, 0xffff, -1},
		{OP_v_lshlrev_b32, 4, 0x10000001, 0, 0, 0, 0x10, -1},
		{OP_v_ashrrev_i32, 36, 0x80000000, 0, 0, 0, UINT64_C(0xfffffffff8000000), -1},
		{OP_v_add_co_u32, 0xffffffff, 2, 0, 0, 0, 1, 1},
		{OP_v_sub_co_u32, 1, 2, 0, 0, 0, 0xffffffff, 1},
		{OP_v_subrev_co_u32, 1, 2, 0, 0, 0, 1, 0},
		{OP_v_addc_co_u32, 0xffffffff, 0xffffffff, 0, 0, 1, 0xffffffff, 1},
		{OP_v_addc_co_u32, 0xfffffffe, 0, 0, 0, 1, 0xffffffff, 0},
		{OP_v_subb_co_u32, 5, 5, 0, 0, 1, 0xffffffff, 1},
		{OP_v_subbrev_co_u32, 4, 5, 0, 0, 1, 0, 0},
		{OP_v_mul_lo_u16, 0xffff, 0xffff, 0, 0, 0, 1, -1},
		{OP_v_ashrrev_i16, 17, 0x8000, 0, 0, 0, (uint64_t)-16384, -1},
		{OP_v_ldexp_f16, 0x3c00, 3, 0, 0, 0, 0x4800, -1},
		{OP_v_cvt_f32_ubyte2, 0x00fe0000, 0, 0, 0, 0, F32(254), -1},
		{OP_v_cvt_off_f32_i4, 0x18, 0, 0, 0, 0, F32(-0.5f), -1},
		{OP_v_cvt_off_f32_i4, 7, 0, 0, 0, 0, F32(0.4375f), -1},
		{OP_v_cvt_rpi_i32_f32, F32(-2.5f), 0, 0, 0, 0, (uint64_t)-2, -1},
		{OP_v_cvt_flr_i32_f32, F32(-2.5f), 0, 0, 0, 0, (uint64_t)-3, -1},
		{OP_v_rndne_f32, F32(2.5f), 0, 0, 0, 0, F32(2), -1},
		{OP_v_rcp_f32, F32(4), 0, 0, 0, 0, F32(0.25f), -1},
		{OP_v_sqrt_f64, F64(9), 0, 0, 0, 0, F64(3), -1},
		{OP_v_ffbh_u32, 1, 0, 0, 0, 0, 31, -1},
		{OP_v_frexp_exp_i16_f16, 0x0001, 0, 0, 0, 0, (uint64_t)-23, -1},
		{OP_v_cmp_nge_f32, F32(1), 0x7fc00000, 0, 0, 0, 1, -1},
		{OP_v_cmp_lg_f32, F32(1), 0x7fc00000, 0, 0, 0, 0, -1},
		{OP_v_cmp_neq_f64, F64(1), UINT64_C(0x7ff8) << 48, 0, 0, 0, 1, -1},
		{OP_v_cmp_lt_i64, UINT64_MAX, 0, 0, 0, 0, 1, -1},
		{OP_v_cmp_lt_u16, 0x1ffff, 0, 0, 0, 0, 0, -1},
		{OP_v_cmp_class_f32, 0x80000000, 1 << 5, 0, 0, 0, 1, -1},
		{OP_v_bfe_i32, 0xf0, 4, 4, 0, 0, UINT64_MAX, -1},
		{OP_v_bfi_b32, 0xff, 0x1234, 0x5678, 0, 0, 0x5634, -1},
		{OP_v_alignbit_b32, 0x11111111, 0x22222222, 4, 0, 0, 0x12222222, -1},
		{OP_v_alignbyte_b32, 0x11223344, 0x55667788, 5, 0, 0, 0x44556677, -1},
		{OP_v_mad_u64_u32, 0xffffffff, 0xffffffff, UINT64_MAX, 0, 0, UINT64_C(0xfffffffe00000000), 1},
		{OP_v_mad_i64_i32, 0xffffffff, 3, 1, 0, 0, (uint64_t)-2, 0},
		{OP_v_xad_u32, 0xff, 0x0f, 1, 0, 0, 0xf1, -1},
		{OP_v_lshl_add_u32, 3, 4, 5, 0, 0, 53, -1},
		{OP_v_add_lshl_u32, 3, 4, 1, 0, 0, 14, -1},
		{OP_v_and_or_b32, 0xff, 0x3c, 0x100, 0, 0, 0x13c, -1},
		{OP_v_lshrrev_b64, 4, 0x100, 0, 0, 0, 0x10, -1},
		{OP_v_bcnt_u32_b32, 0xff, 10, 0, 0, 0, 18, -1},
		{OP_v_mul_hi_i32, 0x80000000, 0x80000000, 0, 0, 0, 0x40000000, -1},
		{OP_v_cvt_pkrtz_f16_f32, F32(1), F32(-2), 0, 0, 0, 0xc0003c00, -1},
		{OP_v_cvt_pk_i16_i32, 40000, (uint32_t)-40000, 0, 0, 0, 0x80007fff, -1},
		{OP_v_pack_b32_f16, 0x3c00, 0x4000, 0, 0, 0, 0x40003c00, -1},
		{OP_v_fma_f64, F64(2), F64(3), F64(1), 0, 0, F64(7), -1},
		{OP_v_mad_mix_f32, F32(2), F32(3), F32(1), 0, 0, F32(7), -1},
		{OP_v_fmac_f32, F32(2), F32(3), 0, F32(1), 0, F32(7), -1},
	};
	const struct expectation clamped[] = {
		{OP_v_add_u32, 0xffffffff, 2, 0, 0, 0, 0xffffffff, -1},
		{OP_v_sub_u16, 1, 2, 0, 0, 0, 0, -1},
		{OP_v_add_i32, 0x80000000, 0xffffffff, 0, 0, 0, UINT64_C(0xffffffff80000000), -1},
		{OP_v_mad_u16, 0xffff, 2, 0, 0, 0, 0xffff, -1},
		{OP_v_add_co_u32, 0xffffffff, 2, 0, 0, 0, 0xffffffff, 1},
		{OP_v_sad_u32, 0, 2, 0xffffffff, 0, 0, 0xffffffff, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(&rows[i], 0, 0);
	for (size_t i = 0; i < sizeof clamped / sizeof *clamped; i++)
		check_row(&clamped[i], 1, 0);
}

/* v_mbcnt counts the bits of the mask below the lane. */
static void mbcnt_counts_bits_below_the_lane(void **state)
{
	(void)state;
	for (int lane = 0; lane < 64; lane++) {
		struct state lo = {.a = 0xffffffff, .b = 0, .lane = lane}, hi;

		run_row(OP_v_mbcnt_lo_u32_b32, &lo);
		hi = (struct state){.a = 0xffffffff, .b = lo.d, .lane = lane};
		run_row(OP_v_mbcnt_hi_u32_b32, &hi);
		assert_int_equal(hi.d, lane);
	}
}

/* A compare and its exact negation give opposite results; the x form gives the same result. */
static void negated_compares_are_opposite(void **state)
{
	static const uint32_t values[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 1};

	(void)state;
	for (int i = 0; i < 64; i++)
		for (int k = 0; k < 16; k++) {
			struct state s[3];

			for (int j = 0; j < 3; j++) {
				s[j] = (struct state){.a = values[i / 8], .b = values[i % 8]};
				run_row(OP_v_cmp_f_f32 + (j == 0 ? k : j == 1 ? 15 - k : 16 + k), &s[j]);
			}
			assert_int_equal(s[0].d, s[2].d);
			if (k < 7) /* f/tru, lt/nlt, eq/neq, le/nle, gt/ngt, lg/nlg and ge/nge are in reverse order */
				assert_int_equal(s[0].d, !s[1].d);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalar_rows_match_the_guide),
		cmocka_unit_test(vector_rows_match_the_guide),
		cmocka_unit_test(mbcnt_counts_bits_below_the_lane),
		cmocka_unit_test(negated_compares_are_opposite),
	};

	return cmocka_run_group_tests_name("isa rows", tests, NULL, NULL);
}
