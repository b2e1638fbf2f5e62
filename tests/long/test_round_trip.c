/* The complete round trip: for each row in each of its forms, every value of every field of its encoding, and modifiers
 * in all combinations that fit in a byte and at random. The text must match llvm-objdump, and llvm-mc must
 * assemble it to words that print as the same text. Takes minutes; tests/softgpu/isa/test_decode.c is the quick form.
 */
#include "tests/softgpu/isa/round_trip.h"
#include "tests/scratch.h"

struct field {
	uint8_t at, bits;
};

/* The fields other than the opcode, by the form found. Fields of more than 9 bits are sampled. */
enum shape { SOP1, SOP2, SOPC, SOPK, SOPP, SMEM, VOP1, VOP2, VOPC, LONG, SDWA, DPP, DS, FLAT, MUBUF, SHAPES };
static const struct field fields[SHAPES][10] = {
	[SOP1] = {{0, 8}, {16, 7}},
	[SOP2] = {{0, 8}, {8, 8}, {16, 7}},
	[SOPC] = {{0, 8}, {8, 8}},
	[SOPK] = {{0, 16}, {16, 7}},
	[SOPP] = {{0, 16}},
	[SMEM] = {{0, 6}, {6, 7}, {13, 5}, {32, 21}, {53, 4}, {57, 7}},
	[VOP1] = {{0, 9}, {17, 8}},
	[VOP2] = {{0, 9}, {9, 8}, {17, 8}},
	[VOPC] = {{0, 9}, {9, 8}},
	[LONG] = {{0, 8}, {8, 8}, {32, 9}, {41, 9}, {50, 9}, {59, 5}},
	[SDWA] = {{9, 8}, {17, 8}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[DPP] = {{9, 8}, {17, 8}, {32, 8}, {40, 9}, {49, 7}, {56, 8}},
	[DS] = {{0, 16}, {16, 1}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[FLAT] = {{0, 13}, {13, 5}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[MUBUF] = {{0, 12}, {12, 6}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
};

enum { BASES = 2, SAMPLES = 300, MIXES = 100, BATCH = MAX_CASES / 2 };

static bool taken[OP_COUNT][4];
static struct tally total;
static struct reassembly back;
static char path[SCRATCH_PATH];

static enum shape shape_of(const struct isa_inst *in)
{
	static const uint8_t shapes[ENC_COUNT] = {[ENC_SOP1] = SOP1,
		[ENC_SOP2] = SOP2,
		[ENC_SOPC] = SOPC,
		[ENC_SOPK] = SOPK,
		[ENC_SOPP] = SOPP,
		[ENC_SMEM] = SMEM,
		[ENC_VOP1] = VOP1,
		[ENC_VOP2] = VOP2,
		[ENC_VOPC] = VOPC,
		[ENC_VOP3] = LONG,
		[ENC_VOP3P] = LONG,
		[ENC_DS] = DS,
		[ENC_FLAT] = FLAT,
		[ENC_GLOBAL] = FLAT,
		[ENC_SCRATCH] = FLAT,
		[ENC_MUBUF] = MUBUF};

	return in->form == FORM_SDWA ? SDWA : in->form == FORM_DPP ? DPP : shapes[in->enc];
}

/* An instruction with another value in one field. A short compare or VOP1 has its opcode where other encodings have
 * fields. */
static struct test_case with_field(struct test_case c, struct field f, uint32_t value)
{
	uint32_t mask = (uint32_t)((UINT64_C(1) << f.bits) - 1), *w = &c.word[f.at / 32];

	*w = (*w & ~(mask << f.at % 32)) | (value & mask) << f.at % 32;
	return c;
}

static void add(struct test_case c)
{
	add_case(c.word[0], c.word[1], c.word[2]);
}

static void add_every_value(struct test_case base, enum shape shape)
{
	for (const struct field *f = fields[shape]; f->bits; f++) {
		uint32_t values = 1u << f->bits;
		for (uint32_t v = 0; v < (f->bits > 9 ? SAMPLES : values); v++)
			add(with_field(base, *f,
				f->bits <= 9                        ? v
					: v < 2 * (uint32_t)f->bits ? (1u << v / 2) - v % 2
								    : random_u32()));
	}
}

/* Random values in all fields at once, and literals. */
static void add_mixed_cases(struct test_case base, enum shape shape)
{
	for (int n = 0; n < MIXES; n++) {
		struct test_case c = base;
		for (const struct field *f = fields[shape]; f->bits; f++)
			if (random_below(2))
				c = with_field(c, *f, random_u32());
		if (shape < SMEM || shape == VOP1 || shape == VOP2 || shape == VOPC)
			c.word[1] = random_literal();
		add(c);
	}
}

static void run_batch(const char *target)
{
	agreed = fopen(path, "w");
	assert_non_null(agreed);
	struct tally t = run_cases(target);
	fclose(agreed);
	agreed = NULL;
	struct reassembly b = reassemble(target, path, taken);
	total.same += t.same, total.both_rejected += t.both_rejected, total.excused += t.excused;
	back.lines += b.lines, back.same += b.same, back.refused += b.refused;
	case_count = 0;
}

/* Varies a few words of each form of the row, made by make_case. */
static void add_row(unsigned op, const char *target)
{
	unsigned have[SHAPES] = {0};
	size_t first = case_count, last;
	struct test_case *made;

	for (int n = 0; n < 12; n++)
		make_case(op);
	last = case_count - first;
	made = malloc(last * sizeof *made);
	assert_non_null(made);
	memcpy(made, cases + first, last * sizeof *made);
	for (size_t k = 0; k < last; k++) {
		struct isa_inst in;
		if (!isa_decode(made[k].word, 12, isa_target_by_name(target), &in) || in.op != op ||
			have[shape_of(&in)]++ >= BASES)
			continue;
		add_every_value(made[k], shape_of(&in));
		add_mixed_cases(made[k], shape_of(&in));
	}
	free(made);
}

static void run_target(const char *target, uint64_t first_seed)
{
	enum isa_target t = isa_target_by_name(target);

	memset(seen, 0, sizeof seen);
	memset(taken, 0, sizeof taken);
	seed = first_seed;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		/* rows that all targets share are tested once */
		if (!(isa_info(op)->targets & t) || (t != ISA_GFX900 && isa_info(op)->targets & ISA_GFX900))
			continue;
		add_row(op, target);
		if (case_count > BATCH)
			run_batch(target);
	}
	run_batch(target);
	unsigned forms = 0, untested = 0;
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int form = 0; form < 4; form++) {
			forms += seen[op][form];
			if (seen[op][form] && !taken[op][form] && isa_info(op)->unit != UNIT_BRANCH) {
				printf("# llvm-mc accepted no text of %s, form %d\n", isa_info(op)->name, form);
				untested++;
			}
		}
	printf("# %s: %u forms of rows, %u of them without a text that llvm-mc accepts\n", target, forms, untested);
	assert_int_equal(untested, 0);
}

static int allocate_cases(void **state)
{
	(void)state;
	close(mkstemp(scratch_path(path, "round-trip-XXXXXX")));
	cases = calloc(MAX_CASES, sizeof *cases);
	return cases == NULL;
}

static int report_and_free_cases(void **state)
{
	(void)state;
	unlink(path);
	free(cases);
	printf("# total: %zu words match llvm-objdump, %zu rejected by both, %zu not in the table; %zu texts, %zu the same after"
	       " llvm-mc, %zu rejected\n",
		total.same, total.both_rejected, total.excused, back.lines, back.same, back.refused);
	return 0;
}

static void every_field_value_on_gfx900(void **state)
{
	(void)state;
	run_target("gfx900", 20);
}

static void every_field_value_on_gfx906(void **state)
{
	(void)state;
	run_target("gfx906", 21);
}

static void every_field_value_on_gfx908(void **state)
{
	(void)state;
	run_target("gfx908", 22);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_value_on_gfx900),
		cmocka_unit_test(every_field_value_on_gfx906), cmocka_unit_test(every_field_value_on_gfx908)};

	return cmocka_run_group_tests_name("round trip", tests, allocate_cases, report_and_free_cases);
}
