/* What nvdisasm, cuobjdump and ptxas of CUDA 13.0 printed about kernels for sm_90, and lines made up for rare cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "kernels/inspect/sass/sass_text.h"

#define RECORDED "tests/e2e/cuda/recorded/"

static char *read_recorded(const char *path)
{
	struct buf text = {0};
	const char *why;
	assert_true(input_file_read(path, 1 << 20, &text, &why));
	return text.data;
}

static void free_code(struct sass_code *c)
{
	free(c->lines);
	free(c->code);
	free(c->source_line);
}

static void check_chase(const struct sass_code *c)
{
	assert_int_equal(c->count, 84); /* up to EXIT: without the branch to itself and the NOPs */
	assert_string_equal(c->lines[7].text, "LDG.E.64 R4, desc[UR4][R2.64]");
	assert_int_equal(c->lines[7].va, 0x70);
	assert_string_equal(c->lines[8].text, "@!P0 BRA 0x4d0");
	assert_string_equal(c->lines[83].text, "EXIT");
	const uint8_t encoding[SASS_BYTES] = {0x81, 0x79, 4, 2, 4, 0, 0, 0, 0, 0x1b, 0x1e, 0xc, 0, 0x6e, 1, 0};
	assert_memory_equal(c->code + 7 * SASS_BYTES, encoding, SASS_BYTES);
	assert_int_equal(c->loop_start, 10);
	assert_int_equal(c->loop_end, 77);
	assert_false(c->lines[9].in_hot_loop);
	assert_true(c->lines[10].in_hot_loop && c->lines[76].in_hot_loop);
	assert_false(c->lines[77].in_hot_loop);
}

static void nvdisasm_lists_instructions_and_lines(void **state)
{
	(void)state;
	char *text = read_recorded(RECORDED "chase_pointers.nvdisasm.txt");
	struct sass_code c;
	assert_true(sass_read_listing(text, "chase_pointers", "/elsewhere/chase_pointers.hip", &c));
	check_chase(&c);
	assert_true(c.mapped);
	assert_int_equal(c.source_line[7], 25);
	assert_int_equal(c.source_line[10], 14);
	free_code(&c);
	assert_true(sass_read_listing(text, "chase_pointers", "other.hip", &c));
	assert_false(c.mapped);
	free_code(&c);
	assert_false(sass_read_listing(text, "chase", NULL, &c));
	assert_false(sass_read_listing(text, "chase_pointers_2", NULL, &c));
	free(text);
}

static void cuobjdump_lists_the_same_instructions(void **state)
{
	(void)state;
	char *text = read_recorded(RECORDED "chase_pointers.cuobjdump.txt");
	struct sass_code c;
	assert_true(sass_read_listing(text, "chase_pointers", "chase_pointers.hip", &c));
	check_chase(&c);
	assert_false(c.mapped);
	free_code(&c);
	free(text);
}

static void ptxas_says_what_a_kernel_needs(void **state)
{
	(void)state;
	char *text = read_recorded(RECORDED "ptxas.txt");
	struct kernel_info k = {.name = "chase_pointers"};
	assert_true(sass_read_resources(text, &k));
	assert_int_equal(k.vgprs, 22);
	assert_int_equal(k.lds_bytes, 0);
	k.name = "other";
	assert_true(sass_read_resources(text, &k));
	assert_int_equal(k.vgprs, 40);
	assert_int_equal(k.lds_bytes, 16384);
	assert_int_equal(k.scratch_bytes, 64);
	k.name = "chase";
	assert_false(sass_read_resources(text, &k));
	free(text);
}

static void a_listing_that_ends_early_is_no_harm(void **state)
{
	(void)state;
	char *text = read_recorded(RECORDED "chase_pointers.nvdisasm.txt");
	struct sass_code c;
	for (size_t n = strlen(text); n; n -= n < 97 ? n : 97) {
		char *part = xasprintf("%.*s", (int)n, text);
		sass_read_listing(part, "chase_pointers", "chase_pointers.hip", &c);
		free_code(&c);
		free(part);
	}
	free(text);
}

static void the_innermost_loop_with_most_work_is_hot(void **state)
{
	(void)state;
	static const char text[] = "Function : k\n"
				   "/*0000*/ MOV R1, R2 ;\n"
				   "/*0010*/ FFMA R0, R0, R0, R0 ;\n"
				   "/*0020*/ @P0 BRA 0x10 ;\n"
				   "/*0030*/ IMAD.MOV.U32 R2, RZ, RZ, RZ ;\n"
				   "/*0040*/ LDS R0, [R0] ;\n"
				   "/*0050*/ STG.E desc[UR4][R2.64], R5 ;\n"
				   "/*0060*/ @!P1 BRA P2, 0x30 ;\n"
				   "/*0070*/ @P3 BRA 0x0 ;\n"
				   "/*0080*/ EXIT ;\n"
				   "/*0090*/ BRA 0x90;\n"
				   "\tFunction : l\n"
				   "/*0000*/ EXIT ;\n";
	struct sass_code c;
	assert_true(sass_read_listing(text, "k", NULL, &c));
	assert_int_equal(c.count, 9);
	assert_int_equal(c.loop_start, 3);
	assert_int_equal(c.loop_end, 7);
	free_code(&c);
}

static void opcodes_have_units(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned unit;
	} rows[] = {
		{"@!P0 LDG.E.64 R4, desc[UR4][R2.64]", UNIT_VMEM},
		{"STS [R0], R1", UNIT_LDS},
		{"ULDC.64 UR4, c[0x0][0x208]", UNIT_SMEM},
		{"UIADD3 UR4, UR4, 0x1, URZ", UNIT_SALU},
		{"FFMA R0, R0, R2, R3", UNIT_VALU},
		{"@P0 BRA 0x10", UNIT_BRANCH},
		{"BAR.SYNC.DEFER_BLOCKING 0x0", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(sass_unit(rows[i].text), rows[i].unit);
}

static void expected_instructions_are_opcodes_with_modifiers(void **state)
{
	(void)state;
	static const struct {
		const char *text, *wanted;
		bool matches;
	} rows[] = {
		{"@!P0 LDG.E.64.CONSTANT R4, desc[UR4][R2.64]", "LDG", true},
		{"@!P0 LDG.E.64.CONSTANT R4, desc[UR4][R2.64]", "LDG.64", true},
		{"LDG.E.64.CONSTANT R4, desc[UR4][R2.64]", "LDG.CONSTANT.E", true},
		{"LDG.E R4, desc[UR4][R2.64]", "LDG.64", false}, /* an operand is no modifier */
		{"LDG.E.128 R4, desc[UR4][R2.64]", "LDG.12", false},
		{"LDGSTS.E [R0], desc[UR4][R2.64]", "LDG", false},
		{"IADD3.X R3, RZ, R3, RZ, P0, !PT", "IADD3.X", true},
		{"IADD3 R2, P0, R2, 0x20, RZ", "IADD3.X", false},
		{"EXIT", "EXIT", true},
		{"", "EXIT", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (sass_match_instruction(rows[i].text, rows[i].wanted) != rows[i].matches)
			fail_msg("%s: %s", rows[i].text, rows[i].wanted);
}

static void integer_adds_are_no_moves(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool adds, wide;
	} rows[] = {
		{"IADD3 R2, P0, R2, 0x20, RZ", true, false},
		{"IADD3.X R3, RZ, R3, RZ, P0, !PT", true, true},
		{"IMAD.X R3, RZ, RZ, R3, P0", true, true}, /* adds a carry */
		{"IMAD.WIDE.U32 R2, R0, 0x8, R2", true, true},
		{"IADD.64 R2, R2, 0x20", true, true},
		{"IMAD R0, R3, UR4, R0", true, false},
		{"IMAD.SHL.U32 R0, R0, 0x2, RZ", true, false},
		{"IMAD.MOV.U32 R2, RZ, RZ, R4", false, false},
		{"IMAD.U32 R2, RZ, RZ, UR4", false, false},
		{"LEA R2, P0, R5, UR4, 0x2", true, false},
		{"LEA.HI.X R3, R5, UR5, RZ, 0x2, P0", true, true},
		{"@P0 UIADD3 UR4, UR4, 0x1, URZ", true, false},
		{"VIADD R9, R0, 0x1", true, false},
		{"ISETP.GE.U32.AND P0, PT, R9, UR6, PT", false, false},
		{"LDG.E.64 R4, desc[UR4][R2.64]", false, false},
		{"FADD R0, R0, R1", false, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (sass_adds_integers(rows[i].text) != rows[i].adds || sass_adds_wide(rows[i].text) != rows[i].wide)
			fail_msg("%s", rows[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nvdisasm_lists_instructions_and_lines),
		cmocka_unit_test(cuobjdump_lists_the_same_instructions),
		cmocka_unit_test(ptxas_says_what_a_kernel_needs),
		cmocka_unit_test(a_listing_that_ends_early_is_no_harm),
		cmocka_unit_test(the_innermost_loop_with_most_work_is_hot),
		cmocka_unit_test(opcodes_have_units),
		cmocka_unit_test(expected_instructions_are_opcodes_with_modifiers),
		cmocka_unit_test(integer_adds_are_no_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
