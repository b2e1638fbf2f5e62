/* Compares the decoder and printer with llvm-objdump: every row in every form, a fourth of the bits of each row flipped
 * one by one, random fields, random words. Text and size must match; words that objdump decodes and that have a row
 * must decode; and llvm-mc must assemble the text to words that print the same. tests/long/test_round_trip.c does this
 * for every value of every field. */
#include "tests/softgpu/isa/round_trip_targets.h"
#include "tests/scratch.h"

/* --- tests --- */
static int allocate_cases(void **state)
{
	(void)state;
	cases = calloc(MAX_CASES, sizeof *cases);
	return cases == NULL;
}

static int free_cases(void **state)
{
	(void)state;
	free(cases);
	return 0;
}

/* Each form of each row must have matched. */
static void check_all_forms_seen(void)
{
	const struct round_trip_family *family = current->family;
	unsigned forms = 0;

	for (unsigned row = 1; family->row_name(row); row++)
		for (unsigned f = 0; f < FORMS && row_is_on_target(row); f++) {
			bool has = family->forms(row) >> f & 1;
			forms += has;
			if (has && !seen[row][f])
				fail_msg("%s: form %u never matched objdump", family->row_name(row), f);
		}
	printf("# all %u forms of the target's rows match\n", forms);
}

/* Cases for each row of the target's family: also of the rows that the target lacks. */
static void every_row_matches_objdump(const struct round_trip_target *target, uint64_t s)
{
	start_cases(target, s);
	memset(seen, 0, sizeof seen);
	for (unsigned row = 1; target->family->row_name(row); row++)
		for (int i = 0; i < 10; i++)
			target->family->make_case(row);
	assert_true(case_count < MAX_CASES);
	run_cases();
	check_all_forms_seen();
}

static bool is_any_row(unsigned row)
{
	(void)row;
	return true;
}

static void flipped_bits_match_objdump(
	const struct round_trip_target *target, uint64_t s, bool (*is_tested)(unsigned row))
{
	start_cases(target, s);
	for (unsigned row = 1; target->family->row_name(row); row++) {
		size_t from = case_count;

		if (!is_tested(row))
			continue;
		target->family->make_case(row);
		flip_bits(from, row);
		if (case_count > MAX_CASES / 2) {
			run_cases();
			case_count = 0;
		}
	}
	run_cases();
}

static void random_words_match_objdump(const struct round_trip_target *target, uint64_t s)
{
	start_cases(target, s);
	for (int i = 0; i < 20000; i++)
		add_case(random_u32(), random_u32(), random_u32());
	run_cases();
}

/* The symbolic forms of immediates: the first words of instructions, whose lower half is the immediate. */
static void immediates_match_objdump(
	const struct round_trip_target *target, const uint32_t *words, size_t count, uint32_t second)
{
	start_cases(target, 0);
	for (uint32_t i = 0; i < 65536; i += 13)
		for (size_t k = 0; k < count; k++)
			add_case(words[k] | i, second, S_NOP);
	run_cases();
}

/* --- gfx9 --- */
static void rows_of_gfx900_match(void **state)
{
	(void)state;
	every_row_matches_objdump(&gfx900, 1);
}

static void flipped_bits_of_gfx900_match(void **state)
{
	(void)state;
	flipped_bits_match_objdump(&gfx900, 2, is_any_row);
}

static void random_words_of_gfx900_match(void **state)
{
	/* s_waitcnt, s_sendmsg, s_getreg, s_set_gpr_idx_mode */
	static const uint32_t scalar[] = {0xbf8c0000, 0xbf900000, 0xb8840000, 0xbf9d0000}, swizzle[] = {0xd87a0000};

	(void)state;
	random_words_match_objdump(&gfx900, 3);
	immediates_match_objdump(&gfx900, scalar, 4, S_NOP);
	immediates_match_objdump(&gfx900, swizzle, 1, 0x01000002);
}

/* Data of images in the last registers, where some of what dmask, d16 and tfe ask for has no room. */
static void last_registers_of_images_match(void **state)
{
	enum { DMASK = 15 << 8, TFE = 1 << 16, VDATA = 255 << 8, D16 = INT32_MIN };

	(void)state;
	start_cases(&gfx900, 8);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const size_t from = case_count;

		if (isa_info(op)->enc != ENC_MIMG || !row_is_on_target(op))
			continue;
		gfx9_make_case(op);
		const struct test_case base = cases[from];
		case_count = from;
		for (uint32_t n = 0; n < 512; n++) /* v248 to v255, all of dmask, tfe, d16 */
			add_case((base.word[0] & ~(uint32_t)(DMASK | TFE)) | (n & 15) << 8 | (n >> 4 & 1) << 16,
				(base.word[1] & ~(uint32_t)(VDATA | D16)) | (248 + (n >> 6)) << 8 | (n >> 5 & 1) << 31,
				S_NOP);
	}
	run_cases();
}

/* More cases for rows that not all GPUs have. Of the others, forms may have matched on gfx900. */
static void later_targets_of_gfx9_match_objdump(void **state)
{
	static const struct round_trip_target *const targets[] = {&gfx906, &gfx908, &gfx90a};

	(void)state;
	for (int t = 0; t < 3; t++) {
		start_cases(targets[t], 4 + (uint64_t)t);
		for (unsigned op = 1; op < OP_COUNT; op++) {
			bool everywhere = !(ISA_BEFORE_GFX90A & ~isa_info(op)->targets);
			size_t from = case_count;

			gfx9_make_case(op);
			if (!everywhere)
				flip_bits(from, op);
			for (int i = 0; i < 30 && !everywhere; i++)
				gfx9_make_case(op);
		}
		run_cases();
		check_all_forms_seen();
	}
}

/* --- gfx11 --- */
/* Newer versions of LLVM name registers' halves in another way. */
static void require_llvm_15(void)
{
	if (llvm_version() == 15)
		return;
	printf("# texts for gfx1100 are compared with LLVM 15 only\n");
	skip();
}

static void rows_of_gfx1100_match(void **state)
{
	(void)state;
	require_llvm_15();
	every_row_matches_objdump(&gfx1100_wave32, 30);
	every_row_matches_objdump(&gfx1100_wave64, 31);
}

/* Rows whose operands depend on the wave's size. */
static bool depends_on_wave_size(unsigned row)
{
	const struct isa_info *r = isa_info(gfx11_encoding_at(row)->op);
	const uint8_t types[] = {r->dst, r->dst2, r->src[0], r->src[1], r->src[2]};

	for (size_t i = 0; i < sizeof types; i++)
		if (types[i] == T_MASK || types[i] == T_CARRY || types[i] == T_EXEC || types[i] == T_MATRIX)
			return true;
	return r->traits & READS_VCC;
}

/* Half of the others in each wave size; tests/long/test_round_trip.c has all of both. */
static bool is_tested_in_wave32(unsigned row)
{
	return depends_on_wave_size(row) || gfx11_row_encoding(row) == ENC_VOPD || row % 2;
}

static bool is_tested_in_wave64(unsigned row)
{
	return depends_on_wave_size(row) || row % 2 == 0;
}

static void flipped_bits_of_gfx1100_match(void **state)
{
	(void)state;
	require_llvm_15();
	flipped_bits_match_objdump(&gfx1100_wave32, 32, is_tested_in_wave32);
	flipped_bits_match_objdump(&gfx1100_wave64, 33, is_tested_in_wave64);
}

static void random_words_of_gfx1100_match(void **state)
{
	/* s_delay_alu, s_waitcnt_depctr, s_waitcnt, s_sendmsg, s_getreg */
	static const uint32_t scalar[] = {0xbf870000, 0xbf880000, 0xbf890000, 0xbfb60000, 0xb8800000},
			      swizzle[] = {0xd8d40000};

	(void)state;
	require_llvm_15();
	random_words_match_objdump(&gfx1100_wave32, 34);
	random_words_match_objdump(&gfx1100_wave64, 35);
	immediates_match_objdump(&gfx1100_wave32, scalar, 5, S_NOP);
	immediates_match_objdump(&gfx1100_wave32, swizzle, 1, 0x01000002);
}

/* What LLVM 15 lacks or prints with the operands at the wrong places: the fields are those of the RDNA3 ISA guide,
 * chapter 15, the texts those of other instructions of the form. */
static void texts_that_llvm_lacks_match(void **state)
{
	static const struct {
		uint32_t words[3];
		unsigned size;
		const char *text;
	} rows[] = {
		{{0x7e023902}, 4, "v_mov_b16_e32 v1, v2"},
		{{0x7f023982}, 4, "v_mov_b16_e32 v1.h, v2.h"},
		{{0xd59c4801, 0x00000102}, 8, "v_mov_b16_e64 v1, v2 op_sel:[1,1]"},
		{{0x7e02cd02}, 4, "v_swap_b16 v1, v2"},
		{{0x7f02cd02}, 4, "v_swap_b16 v1.h, v2"},
		{{0x64830702}, 4, "v_add_f16_e32 v65, v2, v3.h"},
		{{0xd5324801, 0x00020702}, 8, "v_add_f16_e64 v1, v2, v3 op_sel:[1,0,1]"},
		{{0xbfb20000}, 4, "s_endpgm_ordered_ps_done"},
		{{0xcb580702, 0x02000904}, 8,
			"v_dual_dot2acc_f32_bf16 v2, v2, v3 :: v_dual_dot2acc_f32_f16 v1, v4, v4"},
		{{0xcc1a4005, 0x1c0e0501}, 8, "v_dot2_f32_bf16 v5, v1, v2, v3"},
		{{0xcc1a0005, 0x040e04fa, 0xff011101}, 12,
			"v_dot2_f32_bf16_e64_dpp v5, v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf"},
		{{0xd52b0005, 0x000204fa, 0xff001b01}, 12,
			"v_fmac_f32_e64_dpp v5, v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf"},
		{{0xd5360005, 0x000204e9, 0x05397701}, 12, "v_fmac_f16_e64_dpp v5, v1, v2 dpp8:[7,6,5,4,3,2,1,0]"},
		{{0xd5c20005, 0x000000fa, 0xff014001}, 12,
			"v_movreld_b32_e64_dpp v5, v1 row_mirror row_mask:0xf bank_mask:0xf"},
		{{0xd5c40005, 0x000000fa, 0xff014001}, 12,
			"v_movrelsd_b32_e64_dpp v5, v1 row_mirror row_mask:0xf bank_mask:0xf"},
		{{0xd5c80005, 0x000000e9, 0x05397701}, 12, "v_movrelsd_2_b32_e64_dpp v5, v1 dpp8:[7,6,5,4,3,2,1,0]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct isa_inst in;
		char text[300] = "";
		assert_int_equal(isa_decode(rows[i].words, 12, ISA_GFX1100_WAVE32, &in), rows[i].size);
		isa_print(&in, 0, text, sizeof text);
		assert_string_equal(text, rows[i].text);
	}
}

/* Reassembles a few matching texts of each row and form. */
static void text_reassembles_to_the_same_instruction(void **state)
{
	static const struct round_trip_target *const targets[] = {
		&gfx900, &gfx906, &gfx908, &gfx90a, &gfx1100_wave32, &gfx1100_wave64};
	static bool taken[MAX_ROWS][FORMS];
	char path[SCRATCH_PATH];
	struct reassembly all = {0};

	(void)state;
	close(mkstemp(scratch_path(path, "back-XXXXXX")));
	for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
		if (targets[t]->family == &gfx11_family && llvm_version() != 15)
			continue;
		start_cases(targets[t], 10 + (uint64_t)t);
		agreed = fopen(path, "w");
		assert_non_null(agreed);
		for (unsigned row = 1; current->family->row_name(row); row++)
			for (int i = 0; i < 2; i++)
				current->family->make_case(row);
		run_cases();
		fclose(agreed);
		agreed = NULL;
		struct reassembly b = reassemble(path, taken);
		printf("# %s: %zu texts, %zu the same after llvm-mc, %zu rejected\n", current->name, b.lines, b.same,
			b.refused);
		all.lines += b.lines, all.same += b.same;
	}
	unlink(path);
	assert_true(all.same > all.lines / 10 * 9);
}

/* The differences between versions of LLVM hide no wrong register, number or modifier. */
static void differences_of_llvm_versions_are_narrow(void **state)
{
	static const struct {
		const char *theirs, *ours;
		uint32_t second_dword;
		bool same;
	} texts[] = {
		{"v_mov_b32_e32 v1, 0x40", "v_mov_b32_e32 v1, 64", 0, true},
		{"v_mov_b32_e32 v1, 0x40", "v_mov_b32_e32 v1, 65", 0, false},
		{"v_mov_b32_e32 v1, 0x40", "v_mov_b32_e32 v2, 0x40", 0, false},
		{"v_mov_b32_e32 v1, 0x10040", "v_mov_b32_e32 v1, 64", 0, false},
		{"v_add_u16_e32 v1, 0x10040, v2", "v_add_u16_e32 v1, 64, v2", 0, true},
		{"v_pk_max_u16 v1, 0.5, v2", "v_pk_max_u16 v1, 0x3800, v2", 0, true},
		{"v_pk_max_u16 v1, 0.5, v2", "v_pk_max_u16 v1, 0x3c00, v2", 0, false},
		{"s_load_dword m0/*Invalid register*/, s[0:1], 4", "s_load_dword m0, s[0:1], 4", 0, true},
		{"s_load_dword m0/*Invalid register*/, s[0:1], 4", "s_load_dword m0, s[0:1], 8", 0, false},
		{"s_load_dword m0, s[0:1], 4", "s_load_dword m0, s[0:1], 4 glc", 0, false},
		{"v_cndmask_b32_dpp v1, -|v2|, v3, vcc", "v_cndmask_b32_dpp v1, v2, v3, vcc", 0, true},
		{"v_cndmask_b32_dpp v1, -v2, v3, vcc", "v_cndmask_b32_dpp v1, v20, v3, vcc", 0, false},
		{"s_add_u32 s1, lit(0x3f800000), s2", "s_add_u32 s1, 1.0, s2", 0, true},
		{"v_ldexp_f32 v1, v2, v3", "v_ldexp_f32 v1, v2, sext(v3)", 0, true},
		{"v_ldexp_f32 v1, v2, v3", "v_ldexp_f32 v1, sext(v2), v30", 0, false},
		{"v_add_u16_sdwa v1, v2, v3", "v_add_u16_sdwa v1, v2, sext(v3)", 0, false},
		{"ds_swizzle_b32 v1, v2 offset:swizzle(FFT,5)", "ds_swizzle_b32 v1, v2 offset:57349", 0, true},
		{"ds_swizzle_b32 v1, v2 offset:swizzle(FFT,5)", "ds_swizzle_b32 v1, v2 offset:57350", 0, false},
		{"v_dot4_i32_i8 v1, v2, v3, v4", "v_dot4_i32_i8 v1, v2, v3, v4 op_sel_hi:[0,0,0]", 0, true},
		{"v_dot4_i32_i8 v1, v2, v3, v4", "v_dot4_i32_i8 v1, v2, v3, v5 op_sel_hi:[0,0,0]", 0, false},
		{"ds_add_u32 a1, v2", "ds_add_u32 v1, v2", 0, false},
		{"v_max_f32_dpp v1, -v2, v3", "v_max_f32_dpp v1, v2, v3", 0, false},
		{"buffer_load_dword v[1:2], off, s[0:3], 0", "buffer_load_dword v1, off, s[0:3], 0", TFE_BIT, true},
		{"buffer_load_dword v[1:2], off, s[0:3], 0", "buffer_load_dword v1, off, s[0:3], 0", 0, false},
		{"buffer_load_dword v[1:3], off, s[0:3], 0", "buffer_load_dword v1, off, s[0:3], 0", TFE_BIT, false},
	};
	char version[16];

	(void)state;
	snprintf(version, sizeof version, "%u", llvm_version());
	setenv("LLVM_VERSION", "22", 1);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const uint32_t word[] = {0, texts[i].second_dword};
		if (is_printed_differently(texts[i].theirs, texts[i].ours, word) != texts[i].same)
			fail_msg("\"%s\" and \"%s\" must be %s", texts[i].theirs, texts[i].ours,
				texts[i].same ? "the same" : "different");
	}
	setenv("LLVM_VERSION", version, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_of_llvm_versions_are_narrow),
		cmocka_unit_test(rows_of_gfx900_match),
		cmocka_unit_test(flipped_bits_of_gfx900_match),
		cmocka_unit_test(random_words_of_gfx900_match),
		cmocka_unit_test(last_registers_of_images_match),
		cmocka_unit_test(later_targets_of_gfx9_match_objdump),
		cmocka_unit_test(rows_of_gfx1100_match),
		cmocka_unit_test(flipped_bits_of_gfx1100_match),
		cmocka_unit_test(random_words_of_gfx1100_match),
		cmocka_unit_test(texts_that_llvm_lacks_match),
		cmocka_unit_test(text_reassembles_to_the_same_instruction),
	};

	return cmocka_run_group_tests_name("isa decode", tests, allocate_cases, free_cases);
}
