/* Modifiers of vector instructions of gfx1100, in waves of both sizes: each row in its long form (neg, abs, clamp,
 * omod, op_sel), with DPP and DPP8 in the short and the long form, and VOP3P; compared with row_model.h. Modifiers are
 * random, and others with each host variant and wave size. */
#include "tests/softgpu/core/row_words.h"

enum { TRIES = 4000 };

static const char *const form_names[WORDS_FORMS] = {"long", "DPP", "DPP8", "long DPP", "long DPP8", "packed"};
static size_t kernels[WORDS_FORMS], compared, wrong;
static int round_number; /* of a host variant and wave size */

/* Signs of pairs in VOP3 are not documented. */
static bool is_pair_in_vop3(const struct gfx11_encoding *e)
{
	return e->enc == ENC_VOP3 && isa_info(e->op)->src[0] == T_P16;
}

static bool has_form(const struct gfx11_encoding *e, enum words_form form)
{
	const struct isa_info *row = isa_info(e->op);
	bool is_short = e->enc == ENC_VOP1 || e->enc == ENC_VOP2 || e->enc == ENC_VOPC;
	bool packed = e->enc == ENC_VOP3P, has_long = is_short ? gfx11_has_long(e) : e->enc == ENC_VOP3;

	if (row->src[0] == T__ || is_pair_in_vop3(e))
		return false;
	switch (form) {
	case WORDS_LONG: return has_long;
	case WORDS_DPP:
	case WORDS_DPP8: return is_short && gfx11_has_dpp(e);
	case WORDS_LONG_DPP:
	case WORDS_LONG_DPP8: return (has_long || packed) && gfx11_has_dpp(e);
	default: return packed;
	}
}

/* Whether the model knows the modifiers: as in the ISA guide, pairs of halves have signs, and the third source of a dot
 * product is not a pair. */
static bool is_modeled(const struct isa_inst *in)
{
	const struct isa_info *row = isa_info(in->op);
	bool pairs = row->src[0] == T_P16, clamp = in->clamp && in->enc == ENC_VOP3P;

	if (pairs && in->enc != ENC_VOP3P)
		return !in->neg && !in->abs;
	if (pairs && row->src[2] != T_P16 && row->src[2] != T__ &&
		(in->op_sel & 4 || !(in->op_sel_hi & 4) || in->neg & 4 || in->neg_hi & 4))
		return false;
	if (in->enc == ENC_VOP3P && row->src[0] == T_U32)
		return in->op_sel == 0 && in->op_sel_hi == 7 && !in->neg_hi && !(in->neg & 4);
	if (in->enc == ENC_VOP3P && !pairs && row->src[0] != T_MIX)
		return !in->op_sel && in->op_sel_hi == 7 && !in->neg && !in->neg_hi;
	if (pairs && !strstr(row->name, "f16") && (in->neg || in->neg_hi))
		return false;
	return !(clamp && row->dst == T_F32 && pairs);
}

/* Draws random modifiers until the row supports them. The same row, form and round always give the same case. */
static struct isa_inst draw_case(unsigned op, enum words_form form, struct row_words *w)
{
	const struct gfx11_encoding *e = gfx11_encoding_of(op);
	struct isa_inst in;

	seed = (uint64_t)op << 20 | (uint64_t)form << 8 | (uint64_t)round_number;
	for (int k = 0; k < 5; k++)
		random_u64();
	for (int tries = 0; tries < TRIES; tries++) {
		*w = draw_words(e, form);
		if (isa_decode(w->word, sizeof w->word, bench_target, &in) && in.op == op && is_modeled(&in))
			return in;
	}
	fail_msg("%s: no %s form", e->mnemonic, form_names[form]);
	return in;
}

static void write_case(unsigned op, enum words_form form, FILE *f)
{
	struct row_words w;
	struct isa_inst in = draw_case(op, form, &w);

	fprintf(f, "\tkernel row%u_%d\n", op, (int)form);
	for (unsigned k = 0; k < in.size / 4u; k++)
		fprintf(f, "\t.long 0x%x\n", w.word[k]);
	write_masks(f, "");
	fprintf(f, "\tfinish\n");
}

static void run_case(unsigned op, enum words_form form, FILE *f)
{
	static const uint64_t masks[] = {UINT64_MAX, UINT64_C(0x8421f00f5555aaa7)};
	static const uint32_t modes[] = {0x3f0, 0x1c0, 0x100};
	struct row_words w;
	struct isa_inst in = draw_case(op, form, &w);
	char name[32];

	(void)f;
	snprintf(name, sizeof name, "row%u_%d", op, (int)form);
	kernels[form]++;
	for (int n = 0; n < 3; n++) {
		uint64_t mask = bench_mask(masks[n % 2]);
		prepare_operands(op);
		launch_row(name, row_mnemonic(op, bench_target), mask, modes[n]);
		for (int k = 0; k < ITEMS; k++)
			if (compared++, !check_modified_item(&in, k, mask, modes[n])) {
				wrong++;
				return;
			}
	}
}

static void for_each_case(void (*what)(unsigned op, enum words_form form, FILE *f), FILE *f)
{
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (enum words_form form = 0; form < WORDS_FORMS; form++)
			if (is_tested_on(op, bench_target) && is_vector(isa_info(op)) &&
				has_form(gfx11_encoding_of(op), form))
				what(op, form, f);
}

static void write_rows(FILE *f)
{
	for_each_case(write_case, f);
}

static void run_all_rows(void)
{
	static const enum isa_target targets[] = {ISA_GFX1100_WAVE64, ISA_GFX1100_WAVE32};

	memset(kernels, 0, sizeof kernels);
	compared = wrong = 0;
	for (int t = 0; t < 2; t++, round_number++) {
		open_rows(targets[t], write_rows);
		for_each_case(run_case, NULL);
		device_close(&d);
	}
	printf("# kernels:");
	for (enum words_form form = 0; form < WORDS_FORMS; form++)
		printf(" %zu %s,", kernels[form], form_names[form]);
	printf(" %zu results\n", compared);
	assert_int_equal(wrong, 0);
}

static void modifiers_match_the_model(void **state)
{
	(void)state;
	each_variant(run_all_rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(modifiers_match_the_model)};

	return cmocka_run_group_tests_name("row modifiers of gfx11", tests, NULL, NULL);
}
