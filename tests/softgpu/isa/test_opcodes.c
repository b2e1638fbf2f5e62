/* opcodes.csv lists every encoding that LLVM 15's llvm-mc accepts for the targets. Each must have a row in
 * gfx9_encodings.def or gfx11_encodings.def on each of its targets, print as llvm-mc prints it, and have a test of its
 * results; or the table `unsupported` gives the reason. The test writes the list with the tests of each encoding, by
 * kind, to opcodes.txt in the build folder:
 *
 *   round trip  words to text and back, with every operand kind and modifier
 *   values      generated operands in all lanes against row_model.h; for floats under all of MODE; with modifiers
 *   results     small programs, loads and stores, against the expected memory
 *   atomics     cells and returned values */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/softgpu/isa/row_tests.h"
#include "tests/softgpu/isa/llvm_differences.h"
#include "tests/scratch.h"

enum { MAX_ROWS = 4000, TARGETS = 5 };
static const char *const target_names[TARGETS] = {"gfx900", "gfx906", "gfx908", "gfx90a", "gfx1100"};

struct opcode {
	char encoding[8], mnemonic[64], targets[32], example[160];
	unsigned code;
};

static struct opcode list[MAX_ROWS];
static size_t count;

/* An encoding, or one of its opcodes; all (no prefix), or the mnemonics with this prefix; on all targets, or one. */
static const struct {
	const char *encoding, *prefix, *reason, *target;
} unsupported[] = {
	{"MIMG", "", "image", "gfx1100"},
	{"MIMG", "image_get_lod", "level of detail, from the coordinates of neighboring pixels", NULL},
	{"VINTRP", "", "interpolation", NULL},
	{"VINTERP", "", "interpolation", NULL},
	{"LDSDIR", "", "LDS parameters of graphics", NULL},
	{"EXP", "", "export to graphics", NULL},
	{"VOP3", "v_interp_", "interpolation, the long form of VINTRP", NULL},
	{"DS", "ds_ordered_count", "ordered append", NULL},
	{"DS", "ds_add_gs_reg_rtn", "registers of geometry shaders", NULL},
	{"DS", "ds_sub_gs_reg_rtn", "registers of geometry shaders", NULL},
	{"MUBUF 241", "buffer_wbinvl1", "only LLVM 15 has it: the guide has no such opcode", NULL},
	{"VOP1", "v_screen_partition_4se_b32", "its behavior is not documented", NULL},
	{"VOP3", "v_screen_partition_4se_b32", "its behavior is not documented", NULL},
};

static const char *reason_unsupported(const struct opcode *o)
{
	char opcode[32];

	snprintf(opcode, sizeof opcode, "%s %u", o->encoding, o->code);
	for (size_t k = 0; k < sizeof unsupported / sizeof *unsupported; k++)
		if ((!strcmp(o->encoding, unsupported[k].encoding) || !strcmp(opcode, unsupported[k].encoding)) &&
			!strncmp(o->mnemonic, unsupported[k].prefix, strlen(unsupported[k].prefix)) &&
			(!unsupported[k].target || !strcmp(o->targets, unsupported[k].target)))
			return unsupported[k].reason;
	return NULL;
}

static int read_list(void **state)
{
	char line[400];
	FILE *f = fopen("tests/softgpu/isa/opcodes.csv", "r");

	(void)state;
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	while (fgets(line, sizeof line, f)) {
		struct opcode *o = &list[count++];
		assert_true(count < MAX_ROWS);
		line[strcspn(line, "\n")] = '\0';
		assert_int_equal(sscanf(line, "%7[^,],%u,%63[^,],%31[^,],%159[^\n]", o->encoding, &o->code, o->mnemonic,
					 o->targets, o->example),
			5);
		if (o->example[0] == '"') {
			memmove(o->example, o->example + 1, strlen(o->example));
			o->example[strcspn(o->example, "\"")] = '\0';
		}
	}
	fclose(f);
	return count < 3000;
}

/* --- llvm-mc --- */
struct assembled {
	uint8_t byte[16];
	unsigned bytes;
	char text[200];
};

/* "text ; encoding: [0x00,...]" */
static bool parse_llvm_mc_line(char *line, struct assembled *a)
{
	char *at = strstr(line, "encoding: ["), *text = line + strspn(line, " \t");

	if (!at)
		return false;
	char *end = strpbrk(line, ";/");
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	snprintf(a->text, sizeof a->text, "%s", text);
	for (at += 10, a->bytes = 0; (*at == '[' || *at == ',') && a->bytes < sizeof a->byte;)
		a->byte[a->bytes++] = strtoul(at + 1, &at, 16);
	return a->bytes > 0;
}

/* The examples are disassembler output. Where the assembler needs another text (a 16-bit literal for a half, an
 * accumulator distinct from the sources, an SGPR as carry or lane, the name used on gfx906, no op_sel_hi, pairs of
 * registers that begin at an even one, for gfx90a) a second line is written.
 */
static void write_aligned(FILE *f, const char *text)
{
	unsigned first, last;
	int length;

	for (; *text; text++)
		if (strchr("va", *text) && sscanf(text, "%*c[%u:%u]%n", &first, &last, &length) == 2 && first % 2) {
			fprintf(f, "%c[%u:%u]", *text, first + 1, last + 1);
			text += length - 1;
		} else {
			fputc(*text, f);
		}
	fputc('\n', f);
}

static void write_example(FILE *f, size_t k)
{
	static const char *const instead[][2] = {{" 0x12345678", " 0x1234"}, {"v2, v[4:7]", "v2, v[8:11]"},
		{"v_cndmask_b32_e64 v4, v1, v2, v[4:5]", "v_cndmask_b32_e64 v4, v1, v2, s[4:5]"},
		{"v1, v2, v[4:5]", "v1, v2, s[4:5]"}, {"v[1:2], v2, v[4:5]", "v[1:2], v2, v[6:7]"},
		{"v_readlane_b32 s4, v1, v2", "v_readlane_b32 s4, v1, s2"},
		{"v_writelane_b32 v4, v1, v2", "v_writelane_b32 v4, s1, s1"}, {"v_mad_mix", "v_fma_mix"},
		{" op_sel_hi:[0,0,0]", ""}, {" op_sel_hi:[1,1,0]", ""}};
	const char *text = list[k].example;

	fprintf(f, "row%zu:\n%s\n", k, text);
	for (size_t n = 0; n < sizeof instead / sizeof *instead; n++) {
		const char *at = strstr(text, instead[n][0]);
		char other[200];
		if (!at)
			continue;
		snprintf(other, sizeof other, "%.*s%s%s", (int)(at - text), text, instead[n][1],
			at + strlen(instead[n][0]));
		fprintf(f, "%s\n", other);
		write_aligned(f, other);
	}
	write_aligned(f, text);
}

/* Assembles each opcode of the target into its position in the list. */
static void assemble_examples(const char *target, struct assembled *without_row)
{
	char path[SCRATCH_PATH], command[512], line[400];
	int fd = mkstemp(scratch_path(path, "opcodes-XXXXXX"));
	FILE *f = fdopen(fd, "w");
	size_t n = 0;

	assert_non_null(f);
	for (size_t k = 0; k < count; k++)
		if (strstr(list[k].targets, target))
			write_example(f, k);
	fclose(f);
	snprintf(command, sizeof command, "%s -triple=amdgcn-amd-amdhsa -mcpu=%s -show-encoding %s 2>/dev/null",
		toolchain_value("LLVM_MC"), target, path);
	f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "row%zu:", &n) != 1 && n < count && !without_row[n].bytes)
			parse_llvm_mc_line(line, &without_row[n]);
	pclose(f);
	unlink(path);
}

/* --- the list --- */
static bool is_same_mnemonic(const char *mnemonic, const char *row)
{
	size_t n = strlen(row);

	return !strncmp(mnemonic, row, n) &&
		(!mnemonic[n] || !strcmp(mnemonic + n, "_e32") || !strcmp(mnemonic + n, "_e64"));
}

/* gfx906 reuses three VOP3P numbers of gfx900; the list contains the names of gfx900. */
static bool is_renamed(const struct opcode *o, const struct isa_info *row)
{
	return !strncmp(o->mnemonic, "v_mad_mix", 9) && !strncmp(row->name, "v_fma_mix", 9);
}

/* The operation with this mnemonic; VOPD has two. OP_INVALID: neither. */
static unsigned find_operation(const struct opcode *o, const struct isa_inst *in)
{
	const struct isa_inst second = isa_second_operation(in);

	if (is_same_mnemonic(o->mnemonic, isa_mnemonic(in)) || is_renamed(o, isa_info(in->op)))
		return in->op;
	return second.op != OP_INVALID && is_same_mnemonic(o->mnemonic, isa_mnemonic(&second)) ? second.op : OP_INVALID;
}

static unsigned check_opcode(const struct opcode *o, const struct assembled *a, const char *target)
{
	struct isa_inst in;
	char text[200];
	uint32_t word[3];
	unsigned op;

	memcpy(word, a->byte, sizeof word);
	if (!isa_decode(a->byte, a->bytes, isa_target_by_name(target), &in))
		return OP_INVALID;
	isa_print(&in, 0, text, sizeof text);
	op = find_operation(o, &in);
	if (op == OP_INVALID)
		fail_msg("%s on %s is decoded as %s", o->mnemonic, target, text);
	if (strcmp(text, a->text) && !is_printed_differently(a->text, text, word))
		fail_msg("%s on %s prints as \"%s\", but llvm-mc prints \"%s\"", o->example, target, text, a->text);
	return op;
}

/* A kernel that reaches an image instruction stops with its name. */
static void check_message(const struct opcode *o, const struct assembled *a, const char *target)
{
	char text[200];

	isa_print_unknown(a->byte, a->bytes, isa_target_by_name(target), text, sizeof text);
	if (!strcmp(o->encoding, "MIMG") && !strstr(text, o->mnemonic))
		fail_msg("%s on %s is called \"%s\"", o->mnemonic, target, text);
}

/* The tests of a row, by kind; an empty text: none. */
enum kind { ROUND_TRIP, VALUES, RESULTS, ATOMICS, KINDS };

static const char *value_tests(unsigned op, bool gfx11)
{
	if (!is_generated(op))
		return "core/test_row_values";
	if (is_floating(op))
		return gfx11 ? "core/test_row_values core/test_row_modes core/test_row_modifiers_gfx11"
			     : "core/test_row_values core/test_row_modes core/test_row_modifiers";
	return gfx11 ? "core/test_row_values core/test_row_modifiers_gfx11"
		     : "core/test_row_values core/test_row_modifiers";
}

static const char *tests_of(unsigned op, bool gfx11, enum kind kind)
{
	const char *test = row_test(op);
	bool values = has_values_test(op), atomics = test && !strcmp(test, "core/test_row_atomics");

	switch (kind) {
	case ROUND_TRIP: return "isa/test_decode";
	case VALUES: return values ? value_tests(op, gfx11) : "";
	case ATOMICS: return atomics ? test : "";
	default: return values || atomics || !test ? "" : test;
	}
}

static FILE *open_list(void)
{
	const char *build = getenv("BUILD");
	char path[512];

	snprintf(path, sizeof path, "%s/opcodes.txt", build ? build : "build");
	return fopen(path, "w");
}

/* Newer versions of LLVM name the halves of gfx11's registers in another way. */
static bool is_tested_target(const struct opcode *o, int t)
{
	return strstr(o->targets, target_names[t]) && (strcmp(target_names[t], "gfx1100") || llvm_version() == 15);
}

static bool is_tested(const struct opcode *o)
{
	for (int t = 0; t < TARGETS; t++)
		if (is_tested_target(o, t))
			return true;
	return false;
}

/* The row of the opcode; OP_INVALID: one of its targets has none. */
static unsigned find_row_on_all_targets(size_t k, struct assembled code[TARGETS][MAX_ROWS])
{
	const struct opcode *o = &list[k];
	unsigned op = OP_INVALID;

	for (int t = 0; t < TARGETS; t++) {
		if (!is_tested_target(o, t))
			continue;
		if (!code[t][k].bytes && reason_unsupported(o))
			return OP_INVALID;
		if (!code[t][k].bytes)
			fail_msg("llvm-mc rejects \"%s\" for %s", o->example, target_names[t]);
		op = check_opcode(o, &code[t][k], target_names[t]);
		if (op == OP_INVALID) {
			check_message(o, &code[t][k], target_names[t]);
			return OP_INVALID;
		}
	}
	return op;
}

struct summary {
	size_t listed, with_row, unsupported, gaps, tested[KINDS];
};

/* Opcodes without a row, a reason or a test. */
static void find_gaps(const struct opcode *o, unsigned op, struct summary *sum)
{
	const char *reason = reason_unsupported(o);

	if ((op == OP_INVALID) == !reason)
		fprintf(stderr, "%s %u %s: %s\n", o->encoding, o->code, o->mnemonic,
			reason ? "listed as unsupported, but has a row" : "no row");
	else if (op != OP_INVALID && !row_test(op))
		fprintf(stderr, "%s %u %s: its results are not tested\n", o->encoding, o->code, o->mnemonic);
	else
		return;
	sum->gaps++;
}

static void write_opcode(FILE *f, const struct opcode *o, unsigned op, struct summary *sum)
{
	const char *reason = reason_unsupported(o);

	fprintf(f, "%s,%u,%s,%s,%s", o->encoding, o->code, o->mnemonic, o->targets, op ? isa_info(op)->name : "");
	for (enum kind kind = 0; kind < KINDS; kind++) {
		const char *tests = op ? tests_of(op, strstr(o->targets, "gfx1100"), kind) : "";
		fprintf(f, ",%s", tests);
		sum->tested[kind] += *tests != '\0';
	}
	fprintf(f, ",%s\n", !op && reason ? reason : "");
	sum->listed++;
	sum->with_row += op != OP_INVALID;
	sum->unsupported += op == OP_INVALID && reason;
}

/* The same counts for one target. */
static void count_target(const char *target, const unsigned *op)
{
	size_t listed = 0, with_row = 0;

	for (size_t k = 0; k < count; k++)
		if (strstr(list[k].targets, target) && is_tested(&list[k])) {
			listed++;
			with_row += op[k] != OP_INVALID;
		}
	printf("# %s: %zu encodings, %zu with a row, %zu unsupported\n", target, listed, with_row, listed - with_row);
}

static void every_llvm_opcode_has_a_row_and_a_test(void **state)
{
	static struct assembled code[TARGETS][MAX_ROWS];
	static unsigned ops[MAX_ROWS];
	struct summary sum = {0};
	FILE *f = open_list();

	(void)state;
	assert_non_null(f);
	fprintf(f, "encoding,opcode,mnemonic,targets,row,round trip,values,results,atomics,unsupported because\n");
	for (int t = 0; t < TARGETS; t++)
		assemble_examples(target_names[t], code[t]);
	for (size_t k = 0; k < count; k++) {
		if (!is_tested(&list[k]))
			continue;
		ops[k] = find_row_on_all_targets(k, code);
		find_gaps(&list[k], ops[k], &sum);
		write_opcode(f, &list[k], ops[k], &sum);
	}
	fprintf(f,
		"# %zu encodings: %zu with a row; tests: %zu round trip, %zu values, %zu results, %zu atomics; %zu unsupported\n",
		sum.listed, sum.with_row, sum.tested[ROUND_TRIP], sum.tested[VALUES], sum.tested[RESULTS],
		sum.tested[ATOMICS], sum.unsupported);
	assert_int_equal(fclose(f), 0);
	for (int t = 0; t < TARGETS; t++)
		count_target(target_names[t], ops);
	printf("# %zu encodings: %zu with a row and matching text; tests: %zu values, %zu results, %zu atomics; %zu unsupported, %zu gaps\n",
		sum.listed, sum.with_row, sum.tested[VALUES], sum.tested[RESULTS], sum.tested[ATOMICS], sum.unsupported,
		sum.gaps);
	assert_int_equal(sum.with_row, sum.tested[VALUES] + sum.tested[RESULTS] + sum.tested[ATOMICS]);
	assert_int_equal(sum.gaps, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_llvm_opcode_has_a_row_and_a_test)};

	return cmocka_run_group_tests_name("opcodes", tests, read_list, NULL);
}
