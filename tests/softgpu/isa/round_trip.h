/* Compares the decoder and printer with llvm-objdump and llvm-mc: generates words for each row and form, compares
 * text and size with the disassembler's, and assembles the text again. */
#ifndef TESTS_SOFTGPU_ISA_ROUND_TRIP_H
#define TESTS_SOFTGPU_ISA_ROUND_TRIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "softgpu/isa/isa.h"
#include "softgpu/isa/gfx9/opcode_table.h"
#include "tests/softgpu/isa/llvm_differences.h"
#include "tests/scratch.h"

#define SLOT      4 /* dwords per case in the object file; the rest is s_nop 0 */
#define MAX_CASES 400000
#define S_NOP     0xbf800000u

struct test_case {
	uint32_t word[3];
};

static struct test_case *cases;
static size_t case_count;
static bool seen[OP_COUNT][4]; /* matched, by form: SDWA and DPP as in enum isa_form, long is 3 */
static uint64_t seed;
static FILE *agreed; /* receives matching texts, for llvm-mc; NULL: not written */

static inline uint32_t random_u32(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static inline uint32_t random_below(uint32_t n)
{
	return (uint64_t)random_u32() * n >> 32;
}

/* objdump crashes on undefined SDWA selections; newer versions also on literals in VOP3 and on 0xff in the highest
 * byte. */
static inline bool crashes_objdump(uint32_t w0, uint32_t w1)
{
	bool is_compare = w0 >> 25 == 0x3e;

	if (llvm_version() >= 20 && w0 >> 24 == 0xff)
		return true;
	if (llvm_version() >= 20 && is_vop3(w0))
		return vop3_source(w1, 0) == 255 || vop3_source(w1, 1) == 255 || vop3_source(w1, 2) == 255;
	if (w0 >> 31 || (w0 & 0x1ff) != 249)
		return false;
	return (!is_compare && ((w1 >> 8 & 7) == 7 || (w1 >> 11 & 3) == 3)) || (w1 >> 16 & 7) == 7 ||
		(w1 >> 24 & 7) == 7;
}

static inline void add_case(uint32_t w0, uint32_t w1, uint32_t w2)
{
	if (case_count < MAX_CASES && !crashes_objdump(w0, w1) && !crashes_objdump(w1, w2) &&
		!crashes_objdump(w2, S_NOP))
		cases[case_count++] = (struct test_case){{w0, w1, w2}};
}

/* --- generating words --- */
static inline uint32_t random_scalar(unsigned dwords)
{
	static const uint8_t special[] = {102, 104, 106, 108, 112, 124, 126};
	unsigned step = dwords == 1 ? 1 : dwords == 2 ? 2 : 4;

	return random_below(8) ? random_below(80 / step) * step
			       : special[random_below(dwords > 1 ? 5 : sizeof special)];
}

/* A 9-bit source field that is valid for the type. */
static inline uint32_t random_source(enum isa_type t, bool vector, bool literal)
{
	unsigned dwords = isa_type_dwords(t);

	switch (random_below(vector ? 8 : 5)) {
	case 0: return 128 + random_below(81);
	case 1: return 240 + random_below(9);
	case 2: return literal && dwords < 3 ? 255 : random_scalar(dwords);
	case 3:
	case 4: return random_scalar(dwords);
	default: return 256 + random_below(256 - dwords);
	}
}

static inline uint32_t random_vgpr(enum isa_type t)
{
	return random_below(257 - (isa_type_dwords(t) ? isa_type_dwords(t) : 1));
}

static inline uint32_t random_literal(void)
{
	static const uint32_t values[] = {0, 1, 64, 65, 0xffffffff, 0xfffffff0, 0xffffffef, 0x3f800000, 0xbf000000,
		0x3e22f983, 0x3c00, 0x3118, 0xb800, 0xffff, 0xfff0, 0x12345678, 0x80000000, 0x4000};

	return random_below(3) ? values[random_below(sizeof values / sizeof *values)] : random_u32();
}

static inline void make_scalar(const struct isa_info *r)
{
	uint32_t s0 = random_source(r->src[0], false, true), s1 = random_source(r->src[1], false, s0 != 255) & 255;
	uint32_t d = r->dst ? random_scalar(isa_type_dwords(r->dst)) : 0, lit = random_literal();

	switch (r->enc) {
	case ENC_SOP2: add_case(0x80000000 | (uint32_t)r->code << 23 | d << 16 | s1 << 8 | s0, lit, S_NOP); break;
	case ENC_SOP1:
		add_case(0xbe800000 | d << 16 | (uint32_t)r->code << 8 | (r->src[0] ? s0 : 0), lit, S_NOP);
		break;
	case ENC_SOPC: add_case(0xbf000000 | (uint32_t)r->code << 16 | s1 << 8 | s0, lit, S_NOP); break;
	case ENC_SOPP:
		add_case(0xbf800000 | (uint32_t)r->code << 16 | (r->src[0] ? random_u32() & 0xffff : 0), S_NOP, S_NOP);
		break;
	default:
		add_case(0xb0000000 | (uint32_t)r->code << 23 | random_scalar(1) << 16 | (random_u32() & 0xffff), lit,
			S_NOP);
		break;
	}
}

static inline void make_smem(const struct isa_info *r)
{
	uint32_t sbase = random_scalar(r->src[0] == T_SRSRC ? 4 : 2) / 2;
	uint32_t data = random_scalar(isa_type_dwords(r->dst ? r->dst : r->src[2]));
	uint32_t lo = 0xc0000000 | (uint32_t)r->code << 18 | (r->dst || r->src[2] ? data << 6 : 0);

	if (r->src[0] == T__)
		add_case(lo, 0, S_NOP);
	else if (random_below(3))
		add_case(lo | 1 << 17 | random_below(2) << 16 | sbase, random_u32() & 0x1fffff, S_NOP);
	else
		add_case(lo | random_below(2) << 16 | sbase, random_scalar(1), S_NOP);
}

static inline uint32_t vop_word(const struct isa_info *r, uint32_t src0)
{
	uint32_t d = r->dst == T_S32 ? random_scalar(1) : r->dst ? random_vgpr(r->dst) : 0;

	switch (r->enc) {
	case ENC_VOP1: return 0x7e000000 | d << 17 | (uint32_t)r->code << 9 | src0;
	case ENC_VOP2: return (uint32_t)r->code << 25 | d << 17 | random_vgpr(r->src[1]) << 9 | src0;
	default: return 0x7c000000 | (uint32_t)r->code << 17 | random_vgpr(r->src[1]) << 9 | src0;
	}
}

static inline void make_long(const struct isa_info *r, unsigned code)
{
	uint32_t lo = (r->enc == ENC_VOP3P ? 0xd3800000 : 0xd0000000) | code << 16, hi = 0;

	lo |= r->dst == T_MASK || r->dst == T_S32 ? random_scalar(r->dst == T_MASK ? 2 : 1)
		: r->dst                          ? random_vgpr(r->dst)
						  : 0;
	if (r->dst2 == T_CARRY)
		lo |= random_scalar(2) << 8;
	for (int i = 0; i < 3; i++)
		if (r->src[i] == T_CARRY)
			hi |= random_scalar(2) << 9 * i;
		else if (r->src[i])
			hi |= random_source(r->src[i], true, false) << 9 * i;
	add_case(lo, hi, S_NOP);
	add_case(lo | (random_u32() & 0xff00), hi | (random_u32() & 0xf8000000), S_NOP);
	if (r->enc == ENC_VOP3P)
		add_case(lo | 0x4000, hi | 0x18000000, S_NOP);
}

static inline void make_vop(const struct isa_info *r)
{
	add_case(vop_word(r, r->src[0] ? random_source(r->src[0], true, true) : 0), random_literal(), S_NOP);
	bool mods = random_below(2), binary = r->src[1] != T__;

	add_case(vop_word(r, 249),
		(r->enc == ENC_VOPC ? random_below(2) ? 0x8000 | random_scalar(2) << 8 : 0
				    : random_below(7) << 8 | random_below(3) << 11) |
			random_below(7) << 16 | (binary ? random_below(7) << 24 : 0) | random_vgpr(r->src[0]) |
			(mods ? random_u32() & 0x38382000 : 0),
		S_NOP); /* SDWA */
	add_case(vop_word(r, 249), random_u32(), S_NOP);
	add_case(vop_word(r, 250), (random_u32() & 0xff08ffff) | (mods ? random_u32() & 0x00f00000 : 0),
		S_NOP); /* DPP */
	add_case(vop_word(r, 250), random_u32(), S_NOP);
	make_long(r, r->code + (r->enc == ENC_VOP1 ? 0x140 : r->enc == ENC_VOP2 ? 0x100 : 0));
}

static inline void make_ds(const struct isa_info *r)
{
	uint32_t hi = 0;

	for (int i = 0; i < 3; i++)
		hi |= (r->src[i] ? random_vgpr(r->src[i]) : 0) << 8 * i;
	hi |= (r->dst ? random_vgpr(r->dst) : 0) << 24;
	add_case(0xd8000000 | (uint32_t)r->code << 17 | (random_below(2) ? random_u32() & 0xffff : 0) |
			(random_below(8) ? 0 : 1 << 16),
		hi, S_NOP);
}

static inline void make_flat(const struct isa_info *r)
{
	uint32_t segment = r->enc == ENC_FLAT ? 0 : r->enc == ENC_SCRATCH ? 1 : 2;
	uint32_t lo =
		0xdc000000 | (uint32_t)r->code << 18 | random_below(4) << 16 | segment << 14 | (random_u32() & 0x1fff);
	uint32_t saddr = segment == 0 ? 0 : random_below(2) ? 0x7f : random_scalar(segment == 2 ? 2 : 1);

	add_case(segment ? lo : lo & ~0x1000u,
		random_below(255) | random_vgpr(r->src[1]) << 8 | saddr << 16 | random_vgpr(r->dst) << 24, S_NOP);
}

static inline void make_mubuf(const struct isa_info *r)
{
	uint32_t lo = 0xe0000000 | (uint32_t)r->code << 18 | (random_u32() & 0x27fff);
	uint32_t hi = random_below(255) | random_below(250) << 8 | random_below(25) << 16 |
		(random_source(T_B32, false, false) & 255) << 24;

	add_case(lo, hi, S_NOP);
}

static inline void make_case(unsigned op)
{
	const struct isa_info *r = isa_info(op);

	switch (r->enc) {
	case ENC_SMEM: make_smem(r); break;
	case ENC_VOP1:
	case ENC_VOP2:
	case ENC_VOPC: make_vop(r); break;
	case ENC_VOP3:
	case ENC_VOP3P: make_long(r, r->code); break;
	case ENC_DS: make_ds(r); break;
	case ENC_FLAT:
	case ENC_GLOBAL:
	case ENC_SCRATCH: make_flat(r); break;
	case ENC_MUBUF: make_mubuf(r); break;
	default: make_scalar(r); break;
	}
}

/* Adds cases with each bit of the cases since `from` flipped. */
static inline void flip_bits(size_t from)
{
	size_t to = case_count;

	for (size_t i = from; i < to; i++)
		for (unsigned bit = 0; bit < 64; bit++) {
			struct test_case c = cases[i];

			c.word[bit / 32] ^= 1u << bit % 32;
			add_case(c.word[0], c.word[1], c.word[2]);
		}
}

/* --- running objdump --- */
static inline FILE *start_objdump(const char *target, const char *stem)
{
	char command[1024], path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s.s", stem);
	f = fopen(path, "w");
	assert_non_null(f);
	for (size_t i = 0; i < case_count; i++)
		fprintf(f, ".long 0x%x,0x%x,0x%x,0x%x\n", cases[i].word[0], cases[i].word[1], cases[i].word[2], S_NOP);
	assert_int_equal(fclose(f), 0);
	snprintf(command, sizeof command,
		"%s -triple=amdgcn-amd-amdhsa -mcpu=%s -filetype=obj %s.s -o %s.o && %s -d --mcpu=%s %s.o",
		toolchain_value("LLVM_MC"), target, stem, stem, toolchain_value("LLVM_OBJDUMP"), target, stem);
	return popen(command, "r");
}

struct line {
	size_t address;
	char text[300];
};

/* Reads the next instruction line; false at the end. */
static inline bool next_line(FILE *f, struct line *l)
{
	char buffer[512];

	while (fgets(buffer, sizeof buffer, f)) {
		char *comment = strstr(buffer, "// "), *end = comment;

		if (!comment || buffer[0] != '\t')
			continue;
		l->address = strtoul(comment + 3, NULL, 16);
		while (end > buffer && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		*end = '\0';
		snprintf(l->text, sizeof l->text, "%.299s", buffer + 1);
		return true;
	}
	return false;
}

/* What objdump prints although gfx9 hardware does not support it: constants as destination, jump target or lane source,
 * the null register of gfx10, reserved DPP controls, SGPR tuples across the special registers, v_swap of a scalar, the
 * 13th bit of a flat offset, a VGPR or a constant as carry, four SGPRs as accumulator, the LDS bit on instructions
 * without LDS data, SDWA and DPP of v_nop. */
static inline bool is_excused(const char *text, const uint32_t *word)
{
	static const char *const parts[] = {"/*", "null", "_lds_", " lds", "s_swappc_b64", "s_movrels", "v_swap_b32"};
	static const char *const tuples[] = {
		"xnack_mask", "flat_scratch", "vcc", "exec", "s[88:103]", "s[96:103]", "s[100:"};
	const char *operand = strchr(text, ' ');
	bool memory = (word[0] & 0xfc000000) == 0xc0000000 || (word[0] & 0xfc000000) == 0xe0000000;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(text, parts[i]))
			return true;
	if ((strstr(text, "v_readfirstlane") || strstr(text, "v_readlane")) && strstr(text, ", src_"))
		return true;
	for (size_t i = 0; i < sizeof tuples / sizeof *tuples; i++)
		if (memory && strstr(text, tuples[i]))
			return true;
	if ((word[0] & 0xfc000000) == 0xd0000000 && word[1] >> 26 & 1 && strstr(text, "_e64"))
		return true;
	if ((!strncmp(text, "v_nop", 5) || !strncmp(text, "v_clrexcp", 9)) && word[0] & 0xff)
		return true;
	const char *last = strrchr(text, ',');
	if ((word[0] & 0xfc000000) == 0xd0000000 && (word[1] >> 18 & 0x1ff) >= 235 && strstr(text, "_e64") && last &&
		!strncmp(last + 2, "src_", 4))
		return true;
	if (strstr(text, "v_accvgpr_write") && (word[1] & 0x1ff) < 128)
		return true; /* the assembler rejects it */
	if (strstr(text, "v_mqsad_u32_u8") && !(word[1] >> 26 & 1))
		return true;
	if (!strncmp(text, "flat_", 5) && word[0] & 0x1000)
		return true;
	return operand &&
		(strchr("-0123456789", operand[1]) || !strncmp(operand + 1, "src_", 4) ||
			!strncmp(operand + 1, "lds_direct", 10));
}

static inline bool row_exists(const uint32_t *word, enum isa_target target);

/* Texts that llvm-mc assembles to other words: branch targets, which are relative; a float as the immediate of
 * s_setreg_imm32, where it uses the lower half of the double; small negative literals of v_madmk and v_madak; and
 * swizzle masks, which have several texts. */
static inline bool has_ambiguous_text(const struct isa_inst *in)
{
	return isa_info(in->op)->unit == UNIT_BRANCH || (isa_literal_source(in->op) && in->literal >= 0xfffffff0) ||
		(in->op == OP_ds_swizzle_b32 && !(in->imm & 0x8000)) ||
		(in->op == OP_s_setreg_imm32_b32 && in->literal > 64 && in->literal < 0xfffffff0);
}

struct tally {
	size_t same, both_rejected, excused, wrong;
};

static inline void compare_with_objdump(
	size_t n, const struct line *theirs, size_t next_address, enum isa_target target, struct tally *t)
{
	const uint32_t *word = cases[n].word;
	struct isa_inst in;
	char ours[300] = "";
	unsigned size = isa_decode(word, 12, target, &in);
	bool objdump_decodes = strncmp(theirs->text, ".long", 5) != 0;

	if (size)
		isa_print(&in, 0, ours, sizeof ours);
	if (!objdump_decodes && !size) {
		t->both_rejected++;
	} else if (objdump_decodes && !size && (!row_exists(word, target) || is_excused(theirs->text, word))) {
		t->excused++;
	} else if ((!objdump_decodes || !size) && is_decoded_by_one_side(theirs->text, ours, word)) {
		t->excused++;
	} else if (objdump_decodes && size == next_address - theirs->address &&
		(!strcmp(ours, theirs->text) || is_printed_differently(theirs->text, ours, word))) {
		t->same++;
		if (agreed && !has_ambiguous_text(&in))
			fprintf(agreed, "row%u_%u_%zu:\n%s\n", in.op,
				in.size == 8 && isa_info(in.op)->enc != in.enc ? 3u : in.form, n, ours);
		seen[in.op][in.size == 8 && isa_info(in.op)->enc != in.enc ? 3 : in.form] = true;
	} else if (t->wrong++ < 40 || getenv("ALL_DIFFERENCES")) {
		fprintf(stderr, "%08x %08x: objdump \"%s\" (%zu bytes), ours \"%s\" (%u)\n", word[0], word[1],
			theirs->text, next_address - theirs->address, ours, size);
	}
}

/* Whether a row exists for the encoding and opcode number of the words, so that rejecting them needs a reason. */
static inline bool row_exists(const uint32_t *word, enum isa_target target)
{
	char text[64], name[16] = "";
	unsigned code = 0;
	static const struct {
		const char *name;
		enum isa_enc enc;
	} names[] = {
		{"SOP1", ENC_SOP1},
		{"SOP2", ENC_SOP2},
		{"SOPK", ENC_SOPK},
		{"SOPC", ENC_SOPC},
		{"SOPP", ENC_SOPP},
		{"SMEM", ENC_SMEM},
		{"VOP1", ENC_VOP1},
		{"VOP2", ENC_VOP2},
		{"VOPC", ENC_VOPC},
		{"VOP3", ENC_VOP3},
		{"VOP3P", ENC_VOP3P},
		{"DS", ENC_DS},
		{"FLAT", ENC_FLAT},
		{"GLOBAL", ENC_GLOBAL},
		{"SCRATCH", ENC_SCRATCH},
		{"MUBUF", ENC_MUBUF},
	};

	isa_print_unknown(word, 8, target, text, sizeof text);
	if (sscanf(text, "%15s opcode 0x%x", name, &code) == 2)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (!strcmp(names[i].name, name))
				return isa_lookup(names[i].enc, code, target) != OP_INVALID;
	return false;
}

static inline struct tally run_cases(const char *target)
{
	char stem[SCRATCH_PATH], path[SCRATCH_PATH + 8];
	int fd = mkstemp(scratch_path(stem, "decode-XXXXXX"));
	struct line line, next;
	struct tally t = {0};
	FILE *f;

	assert_true(fd >= 0);
	close(fd);
	f = start_objdump(target, stem);
	assert_non_null(f);
	bool more = next_line(f, &line);
	while (more) {
		more = next_line(f, &next);
		if (line.address % (4 * SLOT) == 0)
			compare_with_objdump(line.address / (4 * SLOT), &line, more ? next.address : line.address + 4,
				isa_target_by_name(target), &t);
		line = next;
	}
	assert_int_equal(pclose(f), 0);
	unlink(stem);
	for (const char *e = ".s\0.o\0"; *e; e += 3) {
		snprintf(path, sizeof path, "%s%s", stem, e);
		unlink(path);
	}
	printf("# %s: %zu cases, %zu with the same text and size, %zu rejected by both, %zu not in the table\n", target,
		case_count, t.same, t.both_rejected, t.excused);
	assert_int_equal(t.wrong, 0);
	assert_int_equal(t.same + t.both_rejected + t.excused, case_count);
	return t;
}

/* --- reassembly with llvm-mc --- */
struct reassembly {
	size_t lines, same, refused, wrong;
};

static inline bool parse_encoding(const char *line, uint8_t byte[12], unsigned *bytes)
{
	const char *at = strstr(line, "encoding: [");
	char *end;

	if (!at)
		return false;
	for (at += 10, *bytes = 0; (*at == '[' || *at == ',') && *bytes < 12; at = end)
		byte[(*bytes)++] = (uint8_t)strtoul(at + 1, &end, 16);
	return *bytes > 0;
}

/* llvm-mc must assemble each text to words that print as the same text. Texts that it rejects (only its disassembler
 * supports them) are counted; taken[] records rows and forms with an accepted text. `path` is the file of `agreed`. */
static inline struct reassembly reassemble(const char *target, const char *path, bool taken[OP_COUNT][4])
{
	char command[512], line[512], text[300] = "";
	uint8_t byte[12] = {0};
	unsigned op = 0, form = 0, bytes = 0;
	struct reassembly b = {0};
	FILE *f, *lines = fopen(path, "r");

	assert_non_null(lines);
	snprintf(command, sizeof command, "%s -triple=amdgcn-amd-amdhsa -mcpu=%s -show-encoding %s 2>/dev/null",
		toolchain_value("LLVM_MC"), target, path);
	f = popen(command, "r");
	assert_non_null(f);
	/* Labels keep both in step; llvm-mc rejected a label's text if no instruction follows it. */
	while (fgets(line, sizeof line, f)) {
		struct isa_inst in;
		char ours[300];
		if (sscanf(line, "row%u_%u_", &op, &form) == 2) {
			char label[64] = "";
			if (!fgets(label, sizeof label, lines) || !fgets(text, sizeof text, lines) ||
				strncmp(label, line, strcspn(label, "\n")))
				fail_msg("llvm-mc printed label %s, expected %s", line, label);
			text[strcspn(text, "\n")] = '\0';
			b.lines++;
			bytes = 0;
			continue;
		}
		if (bytes || !parse_encoding(line, byte, &bytes))
			continue;
		if (!isa_decode(byte, bytes, isa_target_by_name(target), &in))
			fail_msg("cannot decode the words that llvm-mc assembled from \"%s\"", text);
		isa_print(&in, 0, ours, sizeof ours);
		uint32_t word[2];
		memcpy(word, byte, sizeof word);
		if (strcmp(ours, text) && !is_printed_differently(ours, text, word)) {
			if (b.wrong++ < 20)
				fprintf(stderr, "\"%s\" becomes \"%s\" after llvm-mc\n", text, ours);
			continue;
		}
		b.same++;
		taken[op][form] = true;
	}
	fclose(lines);
	pclose(f);
	b.refused = b.lines - b.same - b.wrong;
	assert_int_equal(b.wrong, 0);
	return b;
}

#endif
