/* Comparison of listings: equal, changed, inserted and deleted lines, with and without register numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernels/inspect/listing_diff.h"

/* The comparison uses only the op for the mnemonic; any number works. */
static struct listing_range listing(const char *const *texts, size_t count)
{
	struct kernel_line *lines = xcalloc(count + 1, sizeof *lines);
	for (size_t i = 0; i < count; i++) {
		uint16_t op = 1;
		for (const char *c = texts[i]; *c && *c != ' '; c++)
			op = (uint16_t)(op * 31 + *c);
		lines[i].inst.op = op;
		snprintf(lines[i].text, sizeof lines[i].text, "%s", texts[i]);
	}
	return (struct listing_range){lines, 0, count};
}

static char *shape(const struct listing_diff *a, char *out)
{
	for (size_t i = 0; i < a->count; i++)
		out[i] = "=~<>"[a->rows[i].kind];
	out[a->count] = 0;
	return out;
}

#define LISTING(...) \
	listing((const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

static void check(struct listing_range l, struct listing_range r, bool renamed, const char *want)
{
	char got[256];
	struct listing_diff a = listing_diff_compute(l, r, renamed);
	assert_string_equal(shape(&a, got), want);
	size_t left = 0, right = 0, kinds = 0;
	for (size_t i = 0; i < a.count; i++) { /* each line once, in order */
		if (a.rows[i].left >= 0)
			assert_int_equal(a.rows[i].left, left++);
		if (a.rows[i].right >= 0)
			assert_int_equal(a.rows[i].right, right++);
	}
	for (int k = 0; k <= LISTING_ROW_RIGHT; k++)
		kinds += a.of_kind[k];
	assert_int_equal(left, l.count);
	assert_int_equal(right, r.count);
	assert_int_equal(kinds, a.count);
	listing_diff_free(&a);
	free((void *)l.lines);
	free((void *)r.lines);
}

static void equal_listings_have_no_difference(void **state)
{
	(void)state;
	check(LISTING("s_nop 0", "s_endpgm"), LISTING("s_nop 0", "s_endpgm"), false, "==");
	check(LISTING("s_endpgm"), (struct listing_range){NULL, 0, 0}, false, "<");
}

static void inserted_and_deleted_lines_are_found(void **state)
{
	(void)state;
	check(LISTING("a x", "b x", "c x", "d x"), LISTING("a x", "c x", "e x", "d x"), false, "=<=>=");
}

static void different_operands_are_a_change(void **state)
{
	(void)state;
	check(LISTING("v_mov_b32 v1, v2", "s_nop 0"), LISTING("v_mov_b32 v1, v3", "s_nop 0"), false, "~=");
	check(LISTING("v_mov_b32 v1, v2", "s_nop 0"), LISTING("v_or_b32 v1, v2", "s_nop 0"), false, "<>=");
}

static void register_numbers_can_be_ignored(void **state)
{
	(void)state;
	check(LISTING("v_mov_b32 v1, v2", "s_cbranch_scc0 65521"), LISTING("v_mov_b32 v7, v12", "s_cbranch_scc0 12"),
		false, "~~");
	check(LISTING("v_mov_b32 v1, v2", "s_cbranch_scc0 65521"), LISTING("v_mov_b32 v7, v12", "s_cbranch_scc0 12"),
		true, "==");
	check(LISTING("v_mov_b32 v1, v2"), LISTING("v_mov_b32 v7, s2"), true, "~"); /* a register of another kind */
	check(LISTING("s_load_dwordx2 s[0:1], s[6:7], 0x0"), LISTING("s_load_dwordx2 s[4:5], s[2:3], 0x8"), true, "~");
}

static void stripping_registers_keeps_everything_else(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"v_add_co_u32_e32 v2, vcc, s8, v2", "v_add_co_u32_e32 v, vcc, s, v"},
		{"global_load_dword v1, v[2:3], off offset:16", "global_load_dword v, v[2], off offset:16"},
		{"s_mov_b32 s4, 0x3f800000", "s_mov_b32 s, 0x3f800000"},
		{"v_fma_f32 v1, -v2, |v3|, 1.0", "v_fma_f32 v, -v, |v|, 1.0"},
		{"s_and_saveexec_b64 s[10:11], vcc", "s_and_saveexec_b64 s[2], vcc"},
		{"s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(0)"},
		{"s_branch 12", "s_branch"},
	};
	char out[128];
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_string_equal(listing_strip_registers(pairs[i][0], out, sizeof out), pairs[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_listings_have_no_difference),
		cmocka_unit_test(inserted_and_deleted_lines_are_found),
		cmocka_unit_test(different_operands_are_a_change),
		cmocka_unit_test(register_numbers_can_be_ignored),
		cmocka_unit_test(stripping_registers_keeps_everything_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
