/* The complete round trip: for each row in each of its forms, every value of every field of its encoding, and modifiers
 * in all combinations that fit in a byte and at random. The text must match llvm-objdump, and llvm-mc must
 * assemble it to words that print as the same text. Takes minutes; tests/softgpu/isa/test_decode.c is the quick form.
 */
#include "tests/softgpu/isa/round_trip_targets.h"
#include "tests/scratch.h"

struct field {
	uint8_t at, bits;
};

/* The fields other than the opcode, by the form found. Fields of more than 9 bits are sampled. */
enum shape {
	SOP1,
	SOP2,
	SOPC,
	SOPK,
	SOPP,
	SMEM,
	VOP1,
	VOP2,
	VOPC,
	LONG,
	SDWA,
	DPP,
	DPP8,
	LONG_DPP,
	LONG_DPP8,
	DUAL,
	DS,
	FLAT,
	MTBUF,
	MUBUF,
	MIMG,
	SHAPES
};

static const struct field gfx9_fields[SHAPES][10] = {
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
	[MTBUF] = {{0, 12}, {12, 3}, {19, 7}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[MUBUF] = {{0, 12}, {12, 6}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[MIMG] = {{8, 4}, {12, 6}, {25, 1}, {32, 8}, {40, 8}, {48, 5}, {53, 5}, {58, 6}},
};

static const struct field gfx11_fields[SHAPES][10] = {
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
	[DPP] = {{9, 8}, {17, 8}, {32, 8}, {40, 9}, {49, 7}, {56, 8}},
	[DPP8] = {{9, 8}, {17, 8}, {32, 8}, {40, 24}},
	[LONG_DPP] = {{0, 8}, {8, 8}, {41, 9}, {50, 9}, {59, 5}, {64, 8}, {72, 9}, {81, 7}, {88, 8}},
	[LONG_DPP8] = {{0, 8}, {8, 8}, {41, 9}, {50, 9}, {59, 5}, {64, 8}, {72, 24}},
	[DUAL] = {{0, 9}, {9, 8}, {17, 5}, {32, 9}, {41, 8}, {49, 7}, {56, 8}},
	[DS] = {{0, 16}, {16, 2}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[FLAT] = {{0, 13}, {13, 3}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[MTBUF] = {{0, 12}, {12, 3}, {19, 7}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
	[MUBUF] = {{0, 12}, {12, 6}, {32, 8}, {40, 8}, {48, 8}, {56, 8}},
};

enum { BASES = 2, SAMPLES = 300, MIXES = 100, BATCH = MAX_CASES / 2 };

static bool taken[MAX_ROWS][FORMS];
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
		[ENC_MTBUF] = MTBUF,
		[ENC_MUBUF] = MUBUF,
		[ENC_MIMG] = MIMG,
		[ENC_VOPD] = DUAL};
	bool is_long = shapes[in->enc] == LONG;

	switch (in->form) {
	case FORM_SDWA: return SDWA;
	case FORM_DPP: return is_long ? LONG_DPP : DPP;
	case FORM_DPP8: return is_long ? LONG_DPP8 : DPP8;
	default: return shapes[in->enc];
	}
}

static const struct field *fields_of(enum shape shape)
{
	return current->family == &gfx9_family ? gfx9_fields[shape] : gfx11_fields[shape];
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
	for (const struct field *f = fields_of(shape); f->bits; f++) {
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
		for (const struct field *f = fields_of(shape); f->bits; f++)
			if (random_below(2))
				c = with_field(c, *f, random_u32());
		if (shape < SMEM || shape == VOP1 || shape == VOP2 || shape == VOPC)
			c.word[1] = random_literal();
		if (shape == LONG || shape == DUAL)
			c.word[2] = random_literal();
		add(c);
	}
}

static void run_batch(void)
{
	agreed = fopen(path, "w");
	assert_non_null(agreed);
	struct tally t = run_cases();
	fclose(agreed);
	agreed = NULL;
	struct reassembly b = reassemble(path, taken);
	total.same += t.same, total.both_rejected += t.both_rejected, total.excused += t.excused;
	back.lines += b.lines, back.same += b.same, back.refused += b.refused;
	case_count = 0;
}

/* Varies a few words of each form of the row, made by make_case. */
static void add_row(unsigned row)
{
	unsigned have[SHAPES] = {0};
	size_t first = case_count, last;
	struct test_case *made;

	for (int n = 0; n < 12; n++)
		current->family->make_case(row);
	last = case_count - first;
	made = malloc(last * sizeof *made);
	assert_non_null(made);
	memcpy(made, cases + first, last * sizeof *made);
	for (size_t k = 0; k < last; k++) {
		struct isa_inst in;
		if (!isa_decode(made[k].word, 12, current->target, &in) ||
			(current->family->row_of(&in) != row && in.dual.row != row) || have[shape_of(&in)]++ >= BASES)
			continue;
		add_every_value(made[k], shape_of(&in));
		add_mixed_cases(made[k], shape_of(&in));
	}
	free(made);
}

/* Rows that the GPUs of gfx9 share are tested once. */
static bool is_tested(unsigned row)
{
	return row_is_on_target(row) && (current->target & (ISA_GFX900 | ISA_GFX11) || !gfx9_has_row(row, ISA_GFX900));
}

static void check_all_forms_taken(void)
{
	const struct round_trip_family *family = current->family;
	unsigned forms = 0, untested = 0;

	for (unsigned row = 1; family->row_name(row); row++)
		for (int form = 0; form < FORMS; form++) {
			forms += seen[row][form];
			if (seen[row][form] && !taken[row][form] && !family->mc_refuses(row, form)) {
				printf("# llvm-mc accepted no text of %s, form %d\n", family->row_name(row), form);
				untested++;
			}
		}
	printf("# %s: %u forms of rows, %u of them without a text that llvm-mc accepts\n", current->name, forms,
		untested);
	assert_int_equal(untested, 0);
}

static void run_target(const struct round_trip_target *target, uint64_t first_seed)
{
	start_cases(target, first_seed);
	memset(seen, 0, sizeof seen);
	memset(taken, 0, sizeof taken);
	for (unsigned row = 1; target->family->row_name(row); row++) {
		if (!is_tested(row))
			continue;
		add_row(row);
		if (case_count > BATCH)
			run_batch();
	}
	run_batch();
	check_all_forms_taken();
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
	run_target(&gfx900, 20);
}

static void every_field_value_on_gfx906(void **state)
{
	(void)state;
	run_target(&gfx906, 21);
}

static void every_field_value_on_gfx908(void **state)
{
	(void)state;
	run_target(&gfx908, 22);
}

static void every_field_value_on_gfx90a(void **state)
{
	(void)state;
	run_target(&gfx90a, 25);
}

/* Newer versions of LLVM name registers' halves in another way. */
static void run_gfx1100(const struct round_trip_target *target, uint64_t first_seed)
{
	if (llvm_version() != 15)
		skip();
	run_target(target, first_seed);
}

static void every_field_value_on_gfx1100_in_wave32(void **state)
{
	(void)state;
	run_gfx1100(&gfx1100_wave32, 23);
}

static void every_field_value_on_gfx1100_in_wave64(void **state)
{
	(void)state;
	run_gfx1100(&gfx1100_wave64, 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_value_on_gfx900),
		cmocka_unit_test(every_field_value_on_gfx906), cmocka_unit_test(every_field_value_on_gfx908),
		cmocka_unit_test(every_field_value_on_gfx90a), cmocka_unit_test(every_field_value_on_gfx1100_in_wave32),
		cmocka_unit_test(every_field_value_on_gfx1100_in_wave64)};

	return cmocka_run_group_tests_name("round trip", tests, allocate_cases, report_and_free_cases);
}
