/* What llvm-objdump 15 printed about a kernel for gfx1030, and lines made up for rare cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "kernels/inspect/objdump/objdump_text.h"

static const char listing[] = "\nkernel.co:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n"
			      "0000000000001000 <other>:\n"
			      "\ts_endpgm                      // 000000001000: BF810000\n"
			      "0000000000001f00 <k>:\n"
			      "\ts_load_dword s0, s[4:5], 0x4  // 000000001F00: F4000002 FA000004\n"
			      "\tv_mov_b32_e32 v1, 0           // 000000001F08: 7E020280\n"
			      "\tv_fma_f32 v1, v0, v1, v2      // 000000001F0C: D54B0001 040A0300\n"
			      "\ts_cbranch_scc1 65532          // 000000001F14: BF85FFFC <k+0xc>\n"
			      "\tds_read_b32 v3, v1            // 000000001F18: D8D80000 03000001\n"
			      "\tglobal_store_dword v[4:5], v3, off // 000000001F20: DC708000 007D0304\n"
			      "\ts_cbranch_scc0 65531          // 000000001F28: BF84FFFB <k+0x18>\n"
			      "\ts_cbranch_vccz 2              // 000000001F2C: BF860002 <k+0x38>\n"
			      "\ts_endpgm                      // 000000001F30: BF810000\n"
			      "\ts_code_end                    // 000000001F34: BF9F0000\n"
			      "\ts_code_end                    // 000000001F38: BF9F0000\n"
			      "\ts_nop 0                       // 000000001F3C: BF800000\n"
			      "0000000000001f40 <next>:\n"
			      "\ts_endpgm                      // 000000001F40: BF810000\n";
static const struct kernel_info kernel = {.name = "k", .arch = "gfx1030", .code_va = 0x1f00, .code_bytes = 0x40};

static void free_code(struct objdump_code *c)
{
	free(c->lines);
	free(c->code);
}

static void the_kernels_lines_are_read(void **state)
{
	(void)state;
	struct objdump_code c;
	assert_true(objdump_read_listing(listing, &kernel, &c));
	assert_int_equal(c.count, 9); /* without other kernels, and the padding */
	assert_string_equal(c.lines[0].text, "s_load_dword s0, s[4:5], 0x4");
	assert_int_equal(c.lines[0].inst.size, 8);
	assert_string_equal(c.lines[8].text, "s_endpgm");
	assert_int_equal(c.lines[2].va, 0x1f0c);
	assert_memory_equal(c.code + 0xc, ((uint8_t[]){1, 0, 0x4b, 0xd5, 0, 3, 0xa, 4}), 8);
	free_code(&c);
}

static void the_innermost_loop_with_most_work_is_hot(void **state)
{
	(void)state;
	struct objdump_code c;
	assert_true(objdump_read_listing(listing, &kernel, &c));
	assert_int_equal(c.loop_start, 4); /* two memory accesses, not the loop of one multiply-add */
	assert_int_equal(c.loop_end, 7);
	assert_true(c.lines[4].in_hot_loop && c.lines[6].in_hot_loop);
	assert_false(c.lines[3].in_hot_loop || c.lines[7].in_hot_loop);
	free_code(&c);
}

static void branches_lead_to_words(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t to; /* 0: none */
	} rows[] = {{"s_branch 3", 0x1010}, {"s_branch 65535", 0x1000}, {"s_cbranch_execz 0", 0x1004},
		{"s_cbranch_g_fork s[0:1], s[2:3]", 0}, {"s_branch", 0}, {"s_branch 65536", 0}, {"s_branch x", 0},
		{"s_nop 3", 0}, {"", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct kernel_line l = {.va = 0x1000, .inst = {.size = 4}};
		uint64_t to = 0;
		strcpy(l.text, rows[i].text);
		assert_int_equal(listed_amdgcn.branch_target(&l, &to), rows[i].to != 0);
		assert_int_equal(to, rows[i].to);
	}
}

static void opcodes_have_units(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned unit;
	} rows[] = {{"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", UNIT_VALU},
		{"s_add_i32 s0, s0, 1", UNIT_SALU}, {"s_load_b64 s[0:1], s[2:3], null", UNIT_SMEM},
		{"s_buffer_load_dword s0, s[0:3], 0", UNIT_SMEM}, {"global_load_b32 v0, v[0:1], off", UNIT_FLAT},
		{"buffer_load_dword v0, off, s[0:3], 0", UNIT_VMEM},
		{"image_sample v0, v[0:1], s[0:7], s[8:11]", UNIT_VMEM}, {"ds_load_b32 v0, v1", UNIT_LDS},
		{"s_cbranch_vccz 4", UNIT_BRANCH}, {"s_setpc_b64 s[0:1]", UNIT_BRANCH}, {"s_wait_loadcnt 0x0", 0},
		{"s_waitcnt vmcnt(0)", 0}, {"s_endpgm", 0}, {"s_clause 0x1", 0}, {".long 0x12345678", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(listed_amdgcn.unit(rows[i].text), rows[i].unit);
}

static void damaged_listings_are_no_harm(void **state)
{
	(void)state;
	static const char *const none[] = {"", "\n", "// ", "x // 000000001F00",
		"x // 000000001F00:", "x // 000000001F00: ", "x // 000000001F00: BF81", "x // 000000001EFC: BF810000",
		"x // 000000001F40: BF810000", "x // 000000001F3C: BF810000 BF810000",
		"s_nop 0 // 000000001F00: BF800000"};
	struct objdump_code c;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(objdump_read_listing(none[i], &kernel, &c));
	for (size_t n = sizeof listing; n--;) {
		char *part = xasprintf("%.*s", (int)n, listing);
		if (objdump_read_listing(part, &kernel, &c))
			free_code(&c);
		free(part);
	}
	assert_true(objdump_read_listing("a // 000000001F08: 7E020280\nb // 000000001F00: 7E020280", &kernel, &c));
	assert_int_equal(c.count, 1); /* addresses rise */
	free_code(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_lines_are_read),
		cmocka_unit_test(the_innermost_loop_with_most_work_is_hot),
		cmocka_unit_test(branches_lead_to_words),
		cmocka_unit_test(opcodes_have_units),
		cmocka_unit_test(damaged_listings_are_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
