/* Decoder and printer against llvm-objdump-15: every row of gfx9.def in every form, every single bit flipped, random
 * fields, random words. Text and size must agree; what objdump knows and the table holds must decode; what llvm-mc-15
 * makes of the text must print as it again. tests/long/test_round_trip.c does the same with every value of every field.
 */
#include "tests/softgpu/isa/round_trip.h"

/* --- tests --- */
static int setup(void **state)
{
	(void)state;
	cases = calloc(MAX_CASES, sizeof *cases);
	return cases == NULL;
}

static int teardown(void **state)
{
	(void)state;
	free(cases);
	return 0;
}

static void start(uint64_t s)
{
	case_count = 0;
	seed = s;
}

/* Every row and every form it has must have been agreed on. */
static void check_seen(enum isa_target target)
{
	unsigned forms = 0;

	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct isa_info *r = isa_info(op);
		bool vop = r->enc == ENC_VOP1 || r->enc == ENC_VOP2 || r->enc == ENC_VOPC;
		bool has[4] = {true, vop && isa_has_sdwa(r), vop && isa_has_dpp(r), vop && isa_has_long(r)};

		for (int f = 0; f < 4 && r->targets & target; f++) {
			forms += has[f];
			if (has[f] && !seen[op][f])
				fail_msg("%s: form %d never agreed on", r->name, f);
		}
	}
	printf("# all %u forms of the target's rows agree\n", forms);
}

static void test_rows(void **state)
{
	(void)state;
	start(1);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int i = 0; i < 10; i++)
			make_case(op);
	assert_true(case_count < MAX_CASES);
	run_cases("gfx900");
	check_seen(ISA_GFX900);
}

static void test_bits(void **state)
{
	(void)state;
	start(2);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		size_t from = case_count;

		make_case(op);
		flip_bits(from);
	}
	assert_true(case_count < MAX_CASES);
	run_cases("gfx900");
}

static void test_random(void **state)
{
	(void)state;
	start(3);
	for (int i = 0; i < 60000; i++)
		add_case(rnd(), rnd(), rnd());
	for (int i = 0; i < 65536; i += 3) { /* every form of the 16-bit immediates, in turns */
		add_case(0xbf8c0000 | i, S_NOP, S_NOP);
		add_case(0xbf900000 | i, S_NOP, S_NOP);
		add_case(0xb8840000 | i, S_NOP, S_NOP);
		add_case(0xbf9d0000 | i, S_NOP, S_NOP);
		add_case(0xd87a0000 | i, 0x01000002, S_NOP);
	}
	run_cases("gfx900");
}

static void test_other_targets(void **state)
{
	static const char *const targets[] = {"gfx906", "gfx908"};

	(void)state;
	for (int t = 0; t < 2; t++) {
		start(4 + t);
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
		check_seen(isa_target_by_name(targets[t]));
	}
}

/* A few texts of each row and form, as they agreed, to words and back. */
static void test_back(void **state)
{
	static const char *const targets[] = {"gfx900", "gfx906", "gfx908"};
	static bool taken[OP_COUNT][4];
	char path[] = "/tmp/isa-back-XXXXXX";
	struct back all = {0};

	(void)state;
	close(mkstemp(path));
	for (int t = 0; t < 3; t++) {
		start(10 + (uint64_t)t);
		agreed = fopen(path, "w");
		assert_non_null(agreed);
		for (unsigned op = 1; op < OP_COUNT; op++)
			for (int i = 0; i < 2; i++)
				make_case(op);
		run_cases(targets[t]);
		fclose(agreed);
		agreed = NULL;
		struct back b = assemble_again(targets[t], path, taken);
		all.lines += b.lines, all.same += b.same, all.refused += b.refused;
	}
	unlink(path);
	printf("# %zu texts, %zu came back the same, %zu refused\n", all.lines, all.same, all.refused);
	assert_true(all.same > all.lines / 10 * 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_other_targets),
		cmocka_unit_test(test_back),
	};

	return cmocka_run_group_tests_name("isa decode", tests, setup, teardown);
}
