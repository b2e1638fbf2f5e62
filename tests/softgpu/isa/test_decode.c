/* Compares the decoder and printer with llvm-objdump: every row of gfx9.def in every form, every single bit flipped,
 * random fields, random words. Text and size must match; words that objdump decodes and that have a row must decode;
 * and llvm-mc must assemble the text to words that print the same. tests/long/test_round_trip.c does this for every
 * value of every field. */
#include "tests/softgpu/isa/round_trip.h"
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

static void start_cases(uint64_t s)
{
	case_count = 0;
	seed = s;
}

/* Each form of each row must have matched. */
static void check_all_forms_seen(enum isa_target target)
{
	unsigned forms = 0;

	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct isa_info *r = isa_info(op);
		bool vop = r->enc == ENC_VOP1 || r->enc == ENC_VOP2 || r->enc == ENC_VOPC;
		bool has[4] = {true, vop && isa_has_sdwa(r), vop && isa_has_dpp(r), vop && isa_has_long(r)};

		for (int f = 0; f < 4 && r->targets & target; f++) {
			forms += has[f];
			if (has[f] && !seen[op][f])
				fail_msg("%s: form %d never matched objdump", r->name, f);
		}
	}
	printf("# all %u forms of the target's rows match\n", forms);
}

static void every_row_matches_objdump(void **state)
{
	(void)state;
	start_cases(1);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int i = 0; i < 10; i++)
			make_case(op);
	assert_true(case_count < MAX_CASES);
	run_cases("gfx900");
	check_all_forms_seen(ISA_GFX900);
}

static void every_flipped_bit_matches_objdump(void **state)
{
	(void)state;
	start_cases(2);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		size_t from = case_count;

		make_case(op);
		flip_bits(from);
	}
	assert_true(case_count < MAX_CASES);
	run_cases("gfx900");
}

static void random_words_match_objdump(void **state)
{
	(void)state;
	start_cases(3);
	for (int i = 0; i < 60000; i++)
		add_case(random_u32(), random_u32(), random_u32());
	for (int i = 0; i < 65536; i += 3) { /* all symbolic forms of 16-bit immediates */
		add_case(0xbf8c0000 | i, S_NOP, S_NOP);
		add_case(0xbf900000 | i, S_NOP, S_NOP);
		add_case(0xb8840000 | i, S_NOP, S_NOP);
		add_case(0xbf9d0000 | i, S_NOP, S_NOP);
		add_case(0xd87a0000 | i, 0x01000002, S_NOP);
	}
	run_cases("gfx900");
}

static void gfx906_and_gfx908_match_objdump(void **state)
{
	static const char *const targets[] = {"gfx906", "gfx908"};

	(void)state;
	for (int t = 0; t < 2; t++) {
		start_cases(4 + t);
		for (unsigned op = 1; op < OP_COUNT; op++) {
			bool everywhere = isa_info(op)->targets == ISA_GFX9;
			size_t from = case_count;

			make_case(op);
			if (!everywhere)
				flip_bits(from);
			for (int i = 0; i < 30 && !everywhere; i++)
				make_case(op);
		}
		run_cases(targets[t]);
		check_all_forms_seen(isa_target_by_name(targets[t]));
	}
}

/* Reassembles a few matching texts of each row and form. */
static void text_reassembles_to_the_same_instruction(void **state)
{
	static const char *const targets[] = {"gfx900", "gfx906", "gfx908"};
	static bool taken[OP_COUNT][4];
	char path[SCRATCH_PATH];
	struct reassembly all = {0};

	(void)state;
	close(mkstemp(scratch_path(path, "back-XXXXXX")));
	for (int t = 0; t < 3; t++) {
		start_cases(10 + (uint64_t)t);
		agreed = fopen(path, "w");
		assert_non_null(agreed);
		for (unsigned op = 1; op < OP_COUNT; op++)
			for (int i = 0; i < 2; i++)
				make_case(op);
		run_cases(targets[t]);
		fclose(agreed);
		agreed = NULL;
		struct reassembly b = reassemble(targets[t], path, taken);
		all.lines += b.lines, all.same += b.same, all.refused += b.refused;
	}
	unlink(path);
	printf("# %zu texts, %zu the same after llvm-mc, %zu rejected\n", all.lines, all.same, all.refused);
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
		cmocka_unit_test(every_row_matches_objdump),
		cmocka_unit_test(every_flipped_bit_matches_objdump),
		cmocka_unit_test(random_words_match_objdump),
		cmocka_unit_test(gfx906_and_gfx908_match_objdump),
		cmocka_unit_test(text_reassembles_to_the_same_instruction),
	};

	return cmocka_run_group_tests_name("isa decode", tests, allocate_cases, free_cases);
}
