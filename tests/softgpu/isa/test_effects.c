/* Registers read and written, for instructions as the assembler encodes them (gfx900 and gfx1100, llvm-mc 15), and the
 * traits column of the rows against the text of each row's semantics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/isa/register_effects.h"

struct example {
	enum isa_target target;
	uint32_t words[2];
	const char *text, *reads, *writes;
};

static const struct example examples[] = {
	{ISA_GFX900, {0xd2850002, 0x00000d01}, "v_mul_lo_u32 v2, v1, s6", "v1 s6 exec", "v2"},
	{ISA_GFX900, {0x680404c1}, "v_add_u32_e32 v2, -1, v2", "v2 exec", "v2"},
	{ISA_GFX900, {0xd28f0002, 0x00020482}, "v_lshlrev_b64 v[2:3], 2, v[2:3]", "v[2:3] exec", "v[2:3]"},
	{ISA_GFX900, {0x32040408}, "v_add_co_u32_e32 v2, vcc, s8, v2", "s8 v2 exec", "vcc v2"},
	{ISA_GFX900, {0x38060704}, "v_addc_co_u32_e32 v3, vcc, v4, v3, vcc", "v4 v3 vcc exec", "vcc v3"},
	{ISA_GFX900, {0xdc508000, 0x017f0002}, "global_load_dword v1, v[2:3], off", "v[2:3] exec", "v1"},
	{ISA_GFX900, {0xdc708000, 0x00020302}, "global_store_dword v2, v3, s[2:3]", "v2 v3 s[2:3] exec", ""},
	{ISA_GFX900, {0x81068106}, "s_add_i32 s6, s6, 1", "s6", "s6 scc"},
	{ISA_GFX900, {0xbf070b06}, "s_cmp_lg_u32 s6, s11", "s6 s11", "scc"},
	{ISA_GFX900, {0xbf85fff0}, "s_cbranch_scc1 65520", "scc", ""},
	{ISA_GFX900, {0x82030403}, "s_addc_u32 s3, s3, s4", "s3 s4 scc", "s3 scc"},
	{ISA_GFX900, {0xd1c10005, 0x04120b03}, "v_mad_f32 v5, v3, v5, v4", "v3 v5 v4 exec", "v5"},
	{ISA_GFX900, {0x2c020702}, "v_mac_f32_e32 v1, v2, v3", "v2 v3 v1 exec", "v1"},
	{ISA_GFX900, {0xbe82206a}, "s_and_saveexec_b64 s[2:3], vcc", "vcc exec", "s[2:3] scc exec"},
	{ISA_GFX900, {0x7d980400}, "v_cmp_gt_u32_e32 vcc, s0, v2", "s0 v2 exec", "vcc"},
	{ISA_GFX900, {0xc0060003, 0x00000000}, "s_load_dwordx2 s[0:1], s[6:7], 0x0", "s[6:7]", "s[0:1]"},
	{ISA_GFX900, {0xd86c0000, 0x01000002}, "ds_read_b32 v1, v2", "v2 exec", "v1"},
	{ISA_GFX900, {0xd81a0000, 0x00000102}, "ds_write_b32 v2, v1", "v2 v1 exec", ""},
	{ISA_GFX900, {0xbf8c0f70}, "s_waitcnt vmcnt(0)", "", ""},
	{ISA_GFX900, {0x7e020502}, "v_readfirstlane_b32 s1, v2", "v2 exec", "s1"},
	{ISA_GFX900, {0x00020702}, "v_cndmask_b32_e32 v1, v2, v3, vcc", "v2 v3 vcc exec", "v1"},
	{ISA_GFX900, {0xd1e20004, 0x040a0501}, "v_div_fmas_f32 v4, v1, v2, v2", "v1 v2 vcc exec", "v4"},
	{ISA_GFX900, {0xb7028000}, "s_addk_i32 s2, 0x8000", "s2", "s2 scc"},
	{ISA_GFX1100_WAVE32, {0x02020702}, "v_cndmask_b32_e32 v1, v2, v3, vcc_lo", "v2 v3 vcc_lo exec_lo", "v1"},
	{ISA_GFX1100_WAVE64, {0x02020702}, "v_cndmask_b32_e32 v1, v2, v3, vcc", "v2 v3 vcc exec", "v1"},
	{ISA_GFX1100_WAVE32, {0x40020702}, "v_add_co_ci_u32_e32 v1, vcc_lo, v2, v3, vcc_lo", "v2 v3 vcc_lo exec_lo",
		"vcc_lo v1"},
	{ISA_GFX1100_WAVE32, {0xd7007c01, 0x00020702}, "v_add_co_u32 v1, null, v2, v3", "v2 v3 exec_lo", "v1"},
	{ISA_GFX1100_WAVE32, {0x64020702}, "v_add_f16_e32 v1, v2, v3", "v2 v3 v1 exec_lo", "v1"},
	{ISA_GFX1100_WAVE32, {0x7d920501}, "v_cmpx_lt_u32_e32 v1, v2", "v1 v2 exec_lo", "exec_lo"},
	{ISA_GFX1100_WAVE64, {0x7d920501}, "v_cmpx_lt_u32_e32 v1, v2", "v1 v2 exec", "exec"},
	{ISA_GFX1100_WAVE32, {0xd4490005, 0x00020501}, "v_cmp_lt_u32_e64 s5, v1, v2", "v1 v2 exec_lo", "s5"},
	{ISA_GFX1100_WAVE64, {0xd4490006, 0x00020501}, "v_cmp_lt_u32_e64 s[6:7], v1, v2", "v1 v2 exec", "s[6:7]"},
	{ISA_GFX1100_WAVE32, {0x8b66677e}, "s_and_b32 s102, exec_lo, s103", "exec_lo s103", "s102 scc"},
	{ISA_GFX1100_WAVE32, {0xbe83206a}, "s_and_saveexec_b32 s3, vcc_lo", "vcc_lo exec_lo", "s3 scc exec_lo"},
	{ISA_GFX1100_WAVE32, {0xbfa30008}, "s_cbranch_vccz 8", "vcc_lo", ""},
	{ISA_GFX1100_WAVE32, {0xc8100702, 0x01020004}, "v_dual_fmac_f32 v1, v2, v3 :: v_dual_mov_b32 v2, s4",
		"v2 v3 v1 exec_lo s4", "v1 v2"},
	{ISA_GFX1100_WAVE32, {0xcc404000, 0x1c022108}, "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
		"v[8:15] v[16:23] v[0:7]", "v[0:7]"},
	{ISA_GFX1100_WAVE64, {0xcc404000, 0x1c022108}, "v_wmma_f32_16x16x16_f16 v[0:3], v[8:15], v[16:23], v[0:3]",
		"v[8:15] v[16:23] v[0:3]", "v[0:3]"},
	{ISA_GFX1100_WAVE32, {0xd65c0001, 0x00100702}, "v_permlanex16_b32 v1, v2, s3, s4", "v2 s3 s4 v1 exec_lo", "v1"},
	{ISA_GFX1100_WAVE32, {0x7e0202fa, 0xff011102}, "v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
		"v2 v1 exec_lo", "v1"},
	{ISA_GFX1100_WAVE32, {0x7e0202e9, 0x05397702}, "v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]", "v2 exec_lo",
		"v1"},
	{ISA_GFX1100_WAVE32, {0xdc820000, 0x01040002}, "global_load_d16_b16 v1, v2, s[4:5]", "v2 s[4:5] v1 exec_lo",
		"v1"},
	{ISA_GFX1100_WAVE32, {0xd8d80000, 0x01000002}, "ds_load_b32 v1, v2", "v2 exec_lo", "v1"},
	{ISA_GFX1100_WAVE32, {0xe0500000, 0x80c10102}, "buffer_load_b32 v1, v[2:3], s[4:7], 0 idxen offen",
		"v[2:3] s[4:7] exec_lo", "v1"},
};

static char *spans_text(const struct isa_span *list, unsigned count, enum isa_target target, char *out, size_t size)
{
	char name[32];
	size_t n = 0;
	*out = 0;
	for (unsigned i = 0; i < count; i++)
		n += (size_t)snprintf(
			out + n, size - n, "%s%s", i ? " " : "", isa_span_text(list[i], target, name, sizeof name));
	return out;
}

static void decoded_instructions_have_the_expected_effects(void **state)
{
	(void)state;
	char text[128], reads[128], writes[128];
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		const struct example *x = &examples[i];
		struct isa_inst in;
		struct isa_effects e;
		assert_true(isa_decode(x->words, sizeof x->words, x->target, &in));
		isa_print(&in, 0, text, sizeof text);
		assert_string_equal(text, x->text);
		isa_effects(&in, &e);
		spans_text(e.reads, e.read_count, x->target, reads, sizeof reads);
		spans_text(e.writes, e.write_count, x->target, writes, sizeof writes);
		if (strcmp(reads, x->reads) || strcmp(writes, x->writes))
			fail_msg("%s: reads '%s' (expected '%s'), writes '%s' (expected '%s')", text, reads, x->reads,
				writes, x->writes);
	}
}

static bool spans_are(const struct example *x, const char *expected, char *found, size_t size)
{
	struct isa_inst in;
	struct isa_span span[ISA_ADDRESS_SPANS];
	assert_true(isa_decode(x->words, sizeof x->words, x->target, &in));
	unsigned count = isa_address_registers(&in, span);
	return !strcmp(spans_text(span, count, x->target, found, size), expected);
}

/* Without the data of stores. Instructions that access nothing have no address. */
static void addresses_leave_out_data(void **state)
{
	(void)state;
	static const struct {
		const char *text, *address;
	} accesses[] = {{"global_load_dword v1, v[2:3], off", "v[2:3]"},
		{"global_store_dword v2, v3, s[2:3]", "v2 s[2:3]"}, {"s_load_dwordx2 s[0:1], s[6:7], 0x0", "s[6:7]"},
		{"ds_read_b32 v1, v2", "v2"}, {"ds_write_b32 v2, v1", "v2"},
		{"buffer_load_b32 v1, v[2:3], s[4:7], 0 idxen offen", "v[2:3] s[4:7]"},
		{"v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]", ""}};
	char found[128];
	size_t seen = 0;
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		for (size_t k = 0; k < sizeof accesses / sizeof *accesses; k++) {
			if (strcmp(examples[i].text, accesses[k].text))
				continue;
			seen++;
			if (!spans_are(&examples[i], accesses[k].address, found, sizeof found))
				fail_msg("%s: '%s', expected '%s'", accesses[k].text, found, accesses[k].address);
		}
	assert_int_equal(seen, sizeof accesses / sizeof *accesses);
}

/* Spans stay inside the register file, scalar compares write SCC, vector instructions do not. */
static void effects_of_every_row_are_plausible(void **state)
{
	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct isa_info *row = isa_info(op);
		struct isa_inst in = {.op = (uint16_t)op,
			.enc = row->enc,
			.size = 4,
			.dst = row->dst == T_MASK ? ISA_VCC : ISA_VGPR0,
			.dst2 = ISA_NONE,
			.src = {ISA_VGPR0, ISA_VGPR0, ISA_VGPR0},
			.data = ISA_NONE};
		struct isa_effects e;
		isa_effects(&in, &e);
		bool scc = false;
		for (unsigned i = 0; i < e.write_count; i++) {
			assert_true(
				(unsigned)e.writes[i].first + e.writes[i].count <= ISA_REGISTERS && e.writes[i].count);
			scc |= e.writes[i].first == ISA_SCC;
		}
		if (!strncmp(row->name, "s_cmp", 5) && !scc)
			fail_msg("%s does not write scc", row->name);
		if (row->unit == UNIT_VALU && !strncmp(row->name, "v_", 2) && scc)
			fail_msg("%s writes scc", row->name);
	}
}

/* --- traits against the text of the semantics --- */
static const struct {
	const char *text, *d2, *s2;
	bool vector;
} rows[OP_COUNT] = {
#define OP(enc, name, d, d2, s0, s1, s2, unit, rate, traits, ...) \
	[OP_##name] = {#__VA_ARGS__, #d2, #s2, UNIT_##unit == UNIT_VALU},
#include "softgpu/isa/operations.def"
#undef OP
};

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The first whole word `word` at or after `text` and before `end` (NULL: no limit). */
static const char *find_word(const char *text, const char *end, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = text; (at = strstr(at, word)) && (!end || at < end); at += n)
		if ((at == text || !in_word(at[-1])) && !in_word(at[n]))
			return at;
	return NULL;
}

/* Whether the word at `at` is assigned. *overwritten: the old value is not an input. */
static bool is_assigned(const char *start, const char *at, size_t length, bool *overwritten)
{
	const char *next = at + length + strspn(at + length, " ");
	*overwritten = true;
	if (at > start && at[-1] == '&' && (at - 1 == start || at[-2] == ' ' || at[-2] == '('))
		return true;
	if (next[0] == '=')
		return next[1] != '=';
	*overwritten = false;
	return *next && strchr("+-*/|&^", *next) && next[1] == '=';
}

static bool writes(const char *text, const char *word)
{
	bool overwritten;
	for (const char *at = text; (at = find_word(at, NULL, word)); at += strlen(word))
		if (is_assigned(text, at, strlen(word), &overwritten))
			return true;
	return false;
}

/* The word is used before it is assigned, or in its first assignment. */
static bool reads(const char *text, const char *word)
{
	const char *at = find_word(text, NULL, word);
	bool overwritten;
	if (!at)
		return false;
	if (!is_assigned(text, at, strlen(word), &overwritten) || !overwritten)
		return true;
	return find_word(at + strlen(word), strchr(at, ';'), word);
}

static bool is_begin_of(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* The statement is this name, or a call of it. */
static bool is_statement(const char *text, const char *name)
{
	return !strncmp(text, name, strlen(name)) && !in_word(text[strlen(name)]);
}

static bool is_any_statement(const char *text, const char *const *names)
{
	for (; *names; names++)
		if (is_statement(text, *names))
			return true;
	return false;
}

static bool is_packed_half(const char *text)
{
	const char *call = strstr(text, "pk_");
	return call && !strncmp(call + strcspn(call, "(") - 4, "_f16", 4);
}

static bool is_float_dot(const char *text)
{
	static const char *const dots[] = {
		"dot2_f32_f16", "dot2_steps_f32_f16", "dot2_f32_bf16", "dot2_f16_f16", "dot2_bf16_bf16"};
	for (unsigned k = 0; k < sizeof dots / sizeof *dots; k++)
		if (find_word(text, NULL, dots[k]))
			return true;
	return false;
}

static unsigned memory_traits_in_text(unsigned op, const char *text)
{
	static const char *const moves[] = {"DS_LOAD", "DS_LOAD_D16", "DS_LOAD2", "DS_STORE", "DS_STORE_HI",
		"DS_STORE2", "DS_SWIZZLE", "DS_PERMUTE", "DS_BPERMUTE", "DS_ADDTID_LOAD", "DS_ADDTID_STORE", NULL};
	static const char *const floats[] = {
		"DS_ATOMIC(double", "DS_SRC2(double", "ATOMIC(float", "ATOMIC(double", NULL};
	unsigned atomic = is_statement(text, "ATOMIC") || is_statement(text, "IMAGE_ATOMIC") ? VMEM_ATOMIC : 0;
	if (is_any_statement(text, moves) || is_begin_of(text, "DS_SRC2(uint32_t, A)") ||
		is_begin_of(text, "DS_SRC2(uint64_t, A)"))
		return LDS_MOVE;
	if (is_begin_of(text, "DS_ATOMIC(float") || is_begin_of(text, "DS_SRC2(float"))
		return LDS_F32_ATOMIC;
	for (unsigned k = 0; floats[k]; k++)
		if (is_begin_of(text, floats[k]))
			return FLOAT_ATOMIC | atomic;
	return (isa_info(op)->unit != UNIT_VALU && is_packed_half(text) ? FLOAT_ATOMIC : 0) | atomic;
}

static unsigned traits_in_text(unsigned op)
{
	static const char *const forks[] = {"FORK", "JOIN", "SUBVECTOR_LOOP_BEGIN", "SUBVECTOR_LOOP_END", NULL},
				 *const all_lanes[] = {"READLANE", "WRITELANE", "WMMA", "WMMA_16", "MFMA", NULL},
				 *const reads_d[] = {"WRITELANE", "SWAP", "SWAPREL", "LOAD_D16", "DS_LOAD_D16", "MIXLO",
					 "MIXHI", "PERMLANE16", "PERMLANE64", "WMMA_16", "SUBVECTOR_LOOP_BEGIN",
					 "SUBVECTOR_LOOP_END", NULL},
				 *const reads_m0[] = {"GPR_IDX_ON", "GPR_IDX_IDX", "GPR_IDX_MODE", "MOVRELS", "MOVRELD",
					 "MOVRELSD_2", "VMOVRELD", "VMOVRELS", "VMOVRELSD", "VMOVRELSD_2", "SWAPREL",
					 "DS_ADDTID_LOAD", "DS_ADDTID_STORE", "DS_APPEND", "DS_CONSUME", "SENDMSG",
					 "SENDMSGHALT", NULL};
	const char *text = rows[op].text + strspn(rows[op].text, "{ ");
	unsigned traits = 0;
	if (reads(text, "SCC"))
		traits |= READS_SCC;
	if (writes(text, "SCC"))
		traits |= WRITES_SCC;
	if (reads(text, "VCC") || (find_word(text, NULL, "CIN") && strcmp(rows[op].s2, "CARRY")))
		traits |= READS_VCC;
	if (reads(text, "EXEC") || reads(text, "EXEC_LO") || is_any_statement(text, forks))
		traits |= READS_EXEC;
	if (writes(text, "EXEC") || writes(text, "EXEC_LO") || is_any_statement(text, forks))
		traits |= WRITES_EXEC;
	if (reads(text, "M0") || is_any_statement(text, reads_m0))
		traits |= READS_M0;
	if (reads(text, "D") || is_any_statement(text, reads_d) || is_begin_of(text, "LOAD_FORMAT_D16(1") ||
		is_begin_of(text, "LOAD_FORMAT_D16(3"))
		traits |= READS_D;
	if (is_statement(text, "SWAP") || is_statement(text, "SWAPREL"))
		traits |= WRITES_S0;
	if (is_any_statement(text, all_lanes))
		traits |= IGNORES_EXEC;
	if (strstr(text, "class_f"))
		traits |= CLASS_TEST;
	if (isa_info(op)->unit == UNIT_VALU && (is_float_dot(text) || is_packed_half(text)))
		traits |= PACKED_F16;
	if (strstr(text, "SAMPLE_GATHER"))
		traits |= GATHERS;
	return traits | memory_traits_in_text(op, text);
}

static void traits_match_the_semantics(void **state)
{
	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (isa_info(op)->traits != traits_in_text(op))
			fail_msg("%s: traits are %#x, but its semantics need %#x", isa_info(op)->name,
				isa_info(op)->traits, traits_in_text(op));
}

/* The executor provides CIN and COUT only for these columns. */
static void carry_columns_match_the_semantics(void **state)
{
	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		bool in = !strcmp(rows[op].s2, "CARRY") || (rows[op].vector && isa_info(op)->traits & READS_VCC);
		bool out = !strcmp(rows[op].d2, "CARRY");
		if (in != (find_word(rows[op].text, NULL, "CIN") != NULL))
			fail_msg("%s: the carry-in column and the semantics disagree", isa_info(op)->name);
		if (out != (find_word(rows[op].text, NULL, "COUT") != NULL))
			fail_msg("%s: the carry-out column and the semantics disagree", isa_info(op)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decoded_instructions_have_the_expected_effects),
		cmocka_unit_test(addresses_leave_out_data),
		cmocka_unit_test(effects_of_every_row_are_plausible),
		cmocka_unit_test(traits_match_the_semantics),
		cmocka_unit_test(carry_columns_match_the_semantics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
