/* Compares the decoder and printer with llvm-objdump and llvm-mc: compares text and size of words with the
 * disassembler's, and assembles the text again. gfx9_cases.h and gfx11_cases.h generate the words for each row and
 * form. */
#ifndef TESTS_SOFTGPU_ISA_ROUND_TRIP_H
#define TESTS_SOFTGPU_ISA_ROUND_TRIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "softgpu/isa/isa.h"
#include "tests/scratch.h"
#include "tests/toolchain.h"

#define SLOT      5 /* dwords per case in the object file; the rest is s_nop 0 */
#define MAX_CASES 400000
#define S_NOP     0xbf800000u

/* Forms of a row: those of enum isa_form in its own encoding, and (+ LONG_FORM) in VOP3. */
enum { LONG_FORM = 4, FORMS = 8, MAX_ROWS = 2048 };

/* What tests must know about a family of targets. A row is one of its encodings. */
struct round_trip_family {
	unsigned (*row_of)(const struct isa_inst *in);
	const char *(*row_name)(unsigned row); /* NULL: there is no such row */
	enum isa_enc (*row_encoding)(unsigned row);
	bool (*has_row)(unsigned row, enum isa_target target);
	unsigned (*forms)(unsigned row); /* a bit per form; each must match llvm-objdump */
	void (*make_case)(unsigned row);
	bool (*confuses_objdump)(uint32_t w0, uint32_t w1);
	unsigned (*find_row)(enum isa_enc enc, unsigned code, enum isa_target target); /* 0: there is no such row */
	/* reasons for differences */
	bool (*is_excused)(const char *theirs, const uint32_t *word);
	bool (*is_decoded_by_one_side)(const char *theirs, const char *ours, const uint32_t *word);
	bool (*is_printed_differently)(const char *theirs, const char *ours, const uint32_t *word);
	bool (*has_ambiguous_text)(const struct isa_inst *in);
	bool (*mc_refuses)(unsigned row, unsigned form); /* llvm-mc accepts no text, or assembles it to other words */
};

struct round_trip_target {
	const char *name, *cpu, *attributes; /* attributes: for -mattr */
	enum isa_target target;
	const struct round_trip_family *family;
};

struct test_case {
	uint32_t word[3];
};

static const struct round_trip_target *current;
static struct test_case *cases;
static size_t case_count;
static bool seen[MAX_ROWS][FORMS]; /* matched */
static uint64_t seed;
static FILE *agreed; /* receives matching texts, for llvm-mc; NULL: not written */

static inline void start_cases(const struct round_trip_target *target, uint64_t s)
{
	current = target;
	case_count = 0;
	seed = s;
}

static inline uint32_t random_u32(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static inline uint32_t random_below(uint32_t n)
{
	return (uint64_t)random_u32() * n >> 32;
}

static inline void add_case(uint32_t w0, uint32_t w1, uint32_t w2)
{
	bool (*confuses)(uint32_t, uint32_t) = current->family->confuses_objdump;

	if (case_count < MAX_CASES && !confuses(w0, w1) && !confuses(w1, w2) && !confuses(w2, S_NOP))
		cases[case_count++] = (struct test_case){{w0, w1, w2}};
}

/* Adds the cases since `from` with one bit of the first two dwords flipped: every fourth bit, from `first`. */
static inline void flip_bits(size_t from, unsigned first)
{
	size_t to = case_count;

	for (size_t i = from; i < to; i++)
		for (unsigned bit = first % 4; bit < 64; bit += 4) {
			struct test_case c = cases[i];

			c.word[bit / 32] ^= 1u << bit % 32;
			add_case(c.word[0], c.word[1], c.word[2]);
		}
}

/* --- forms --- */
static inline unsigned form_of(const struct isa_inst *in, unsigned row)
{
	bool is_long = in->enc == ENC_VOP3 && current->family->row_encoding(row) != ENC_VOP3;

	return in->form + (is_long ? LONG_FORM : 0);
}

static inline bool row_is_on_target(unsigned row)
{
	return current->family->has_row(row, current->target);
}

/* --- running objdump --- */
static inline FILE *start_objdump(const char *stem)
{
	char command[1024], path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s.s", stem);
	f = fopen(path, "w");
	assert_non_null(f);
	for (size_t i = 0; i < case_count; i++)
		fprintf(f, ".long 0x%x,0x%x,0x%x,0x%x,0x%x\n", cases[i].word[0], cases[i].word[1], cases[i].word[2],
			S_NOP, S_NOP);
	assert_int_equal(fclose(f), 0);
	snprintf(command, sizeof command,
		"%s -triple=amdgcn-amd-amdhsa -mcpu=%s -filetype=obj %s.s -o %s.o && %s -d --mcpu=%s --mattr=%s %s.o",
		toolchain_value("LLVM_MC"), current->cpu, stem, stem, toolchain_value("LLVM_OBJDUMP"), current->cpu,
		current->attributes, stem);
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

/* Whether a row exists for the encoding and opcode number of the words, so that rejecting them needs a reason. */
static inline bool row_exists(const uint32_t *word)
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
		{"MTBUF", ENC_MTBUF},
		{"MUBUF", ENC_MUBUF},
		{"MIMG", ENC_MIMG},
		{"VOPD", ENC_VOPD},
	};

	isa_print_unknown(word, 8, current->target, text, sizeof text);
	if (sscanf(text, "%15s opcode 0x%x", name, &code) == 2)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (!strcmp(names[i].name, name))
				return current->family->find_row(names[i].enc, code, current->target) != 0;
	return false;
}

struct tally {
	size_t same, both_rejected, excused, wrong;
};

/* The second operation of VOPD has a row of its own. */
static inline void note_rows(const struct isa_inst *in, unsigned row, unsigned form, bool noted[MAX_ROWS][FORMS])
{
	assert_true(row < MAX_ROWS);
	noted[row][form] = true;
	if (in->dual.op != OP_INVALID)
		noted[in->dual.row][FORM_PLAIN] = true;
}

static inline void note_seen(const struct isa_inst *in)
{
	unsigned row = current->family->row_of(in);

	note_rows(in, row, form_of(in, row), seen);
}

static inline void write_agreed(const struct isa_inst *in, size_t n, const char *text)
{
	unsigned row = current->family->row_of(in);

	if (agreed && !current->family->has_ambiguous_text(in))
		fprintf(agreed, "row%u_%u_%zu:\n%s\n", row, form_of(in, row), n, text);
}

static inline void compare_with_objdump(size_t n, const struct line *theirs, size_t next_address, struct tally *t)
{
	const struct round_trip_family *family = current->family;
	const uint32_t *word = cases[n].word;
	struct isa_inst in;
	char ours[300] = "";
	unsigned size = isa_decode(word, 12, current->target, &in);
	bool objdump_decodes = strncmp(theirs->text, ".long", 5) != 0;

	if (size)
		isa_print(&in, 0, ours, sizeof ours);
	if (!objdump_decodes && !size) {
		t->both_rejected++;
	} else if (objdump_decodes && !size && (!row_exists(word) || family->is_excused(theirs->text, word))) {
		t->excused++;
	} else if ((!objdump_decodes || !size) && family->is_decoded_by_one_side(theirs->text, ours, word)) {
		t->excused++;
	} else if (objdump_decodes && size == next_address - theirs->address &&
		(!strcmp(ours, theirs->text) || family->is_printed_differently(theirs->text, ours, word))) {
		t->same++;
		write_agreed(&in, n, ours);
		note_seen(&in);
	} else if (t->wrong++ < 40 || getenv("ALL_DIFFERENCES")) {
		fprintf(stderr, "%08x %08x %08x: objdump \"%s\" (%zu bytes), ours \"%s\" (%u)\n", word[0], word[1],
			word[2], theirs->text, next_address - theirs->address, ours, size);
	}
}

static inline struct tally run_cases(void)
{
	char stem[SCRATCH_PATH], path[SCRATCH_PATH + 8];
	int fd = mkstemp(scratch_path(stem, "decode-XXXXXX"));
	struct line line, next;
	struct tally t = {0};
	FILE *f;

	assert_true(fd >= 0);
	close(fd);
	f = start_objdump(stem);
	assert_non_null(f);
	bool more = next_line(f, &line);
	while (more) {
		more = next_line(f, &next);
		if (line.address % (4 * SLOT) == 0)
			compare_with_objdump(
				line.address / (4 * SLOT), &line, more ? next.address : line.address + 4, &t);
		line = next;
	}
	assert_int_equal(pclose(f), 0);
	unlink(stem);
	for (const char *e = ".s\0.o\0"; *e; e += 3) {
		snprintf(path, sizeof path, "%s%s", stem, e);
		unlink(path);
	}
	printf("# %s: %zu cases, %zu with the same text and size, %zu rejected by both, %zu not in the table\n",
		current->name, case_count, t.same, t.both_rejected, t.excused);
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
static inline struct reassembly reassemble(const char *path, bool taken[MAX_ROWS][FORMS])
{
	char command[512], line[512], text[300] = "";
	uint8_t byte[12] = {0};
	unsigned row = 0, form = 0, bytes = 0;
	struct reassembly b = {0};
	FILE *f, *lines = fopen(path, "r");

	assert_non_null(lines);
	snprintf(command, sizeof command,
		"%s -triple=amdgcn-amd-amdhsa -mcpu=%s -mattr=%s -show-encoding %s 2>/dev/null",
		toolchain_value("LLVM_MC"), current->cpu, current->attributes, path);
	f = popen(command, "r");
	assert_non_null(f);
	/* Labels keep both in step; llvm-mc rejected a label's text if no instruction follows it. */
	while (fgets(line, sizeof line, f)) {
		struct isa_inst in;
		char ours[300];
		if (sscanf(line, "row%u_%u_", &row, &form) == 2) {
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
		if (!isa_decode(byte, bytes, current->target, &in))
			fail_msg("cannot decode the words that llvm-mc assembled from \"%s\"", text);
		isa_print(&in, 0, ours, sizeof ours);
		uint32_t word[3];
		memcpy(word, byte, sizeof word);
		if (strcmp(ours, text) && !current->family->is_printed_differently(ours, text, word)) {
			if (b.wrong++ < 20)
				fprintf(stderr, "\"%s\" becomes \"%s\" after llvm-mc\n", text, ours);
			continue;
		}
		b.same++;
		note_rows(&in, row, form, taken);
	}
	fclose(lines);
	int status = pclose(f);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		fail_msg("llvm-mc crashed near the text after \"%s\"", text);
	b.refused = b.lines - b.same - b.wrong;
	assert_int_equal(b.wrong, 0);
	return b;
}

#endif
