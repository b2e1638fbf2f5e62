/* Modifiers of vector instructions: every row in its long form (neg, abs, clamp, omod, op_sel), VOP3P (op_sel,
 * op_sel_hi, neg, neg_hi), SDWA (selections, sext, dst_unused) and DPP (controls, masks, bound_ctrl). Each has several
 * kernels with random modifiers. The assembler makes the words; expected values come from row_model.h and chapters 6.2
 * and 13.3 of the ISA guide. */
#include "tests/softgpu/core/row_modifiers.h"

#include "softgpu/isa/gfx9/disassemble.h"
#include "softgpu/isa/gfx9/opcode_table.h"
#include "softgpu/isa/modifier_rules.h"

enum form { LONG, SDWA, DPP, PACKED, FORMS };

/* Kernels per row of each form. */
static const int cases_per_form[FORMS] = {4, 4, 4, 8};

static size_t kernels[FORMS], compared, wrong;

/* --- random cases --- */
static const uint16_t controls[] = {0x1b, 0xb1, 0x4e, 0x93, 0x101, 0x107, 0x10f, 0x111, 0x118, 0x11f, 0x121, 0x12c,
	0x12f, 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};

enum { ROW_NEWBCAST = 0x150 }; /* the only control of 64-bit rows, LLVM's isLegal64BitDPPControl */

static void draw_long(const struct isa_info *row, struct isa_inst *in)
{
	in->enc = ENC_VOP3;
	in->size = 8;
	in->neg = random_below(8);
	in->abs = random_below(8);
	in->clamp = random_below(2);
	in->omod = random_below(2) ? random_below(4) : 0;
	in->op_sel = random_below(16);
	if (row->dst2 == T_CARRY)
		in->dst2 = ISA_VCC, in->abs = 0; /* VOP3B has no abs */
}

static void draw_sdwa(const struct isa_info *row, struct isa_inst *in)
{
	bool compare = row->dst == T_MASK;

	in->form = FORM_SDWA;
	in->size = 8;
	for (int k = 0; k < isa_source_count(row); k++)
		in->src_sel[k] = random_below(7);
	in->sext = random_below(4);
	in->neg = random_below(4);
	in->abs = random_below(4);
	in->dst_sel = compare ? 0 : random_below(7);
	in->dst_unused = compare ? 0 : random_below(3);
	in->clamp = !compare && row->enc != ENC_VOP1 && random_below(2) && is_float_type(row->dst);
	in->omod = !compare && random_below(2) ? random_below(4) : 0;
}

static void draw_dpp(const struct isa_info *row, struct isa_inst *in)
{
	in->form = FORM_DPP;
	in->size = 8;
	in->dpp_ctrl = isa_has_wide_dpp(row) ? ROW_NEWBCAST + random_below(16)
					     : controls[random_below(sizeof controls / sizeof *controls)];
	in->row_mask = random_below(2) ? 15 : random_below(16);
	in->bank_mask = random_below(2) ? 15 : random_below(16);
	in->bound_ctrl = random_below(2);
	in->neg = row->src[0] == T_P16 ? 0 : random_below(4); /* the sign of a pair is not documented */
	in->abs = row->src[0] == T_P16 ? 0 : random_below(4);
}

static bool is_pair(enum isa_type t)
{
	return t == T_P16 || t == T_P32;
}

static void draw_packed(const struct isa_info *row, struct isa_inst *in)
{
	unsigned all = (1u << isa_source_count(row)) - 1;
	bool floats = (strstr(row->name, "f16") && row->dst == T_P16) || row->dst == T_P32,
	     mixed = row->src[0] == T_MIX, packs = is_pair(row->src[0]);

	in->enc = ENC_VOP3P;
	in->size = 8;
	in->op_sel = mixed || packs ? random_below(8) & all : 0;
	in->op_sel_hi = mixed || packs ? random_below(8) & all : 0;
	if (row->dst == T_F32 && packs) { /* the third source of v_dot2_f32_f16 is not a pair */
		in->op_sel &= 3;
		in->op_sel_hi &= 3;
	}
	if (packs)
		in->op_sel_hi |= is_pair(row->src[2]) ? 0 : 4;
	in->neg = floats || mixed ? random_below(8) & all : 0;
	in->neg_hi = floats || mixed ? random_below(8) & all : 0;
	in->clamp = random_below(2) &&
		(floats || mixed || strstr(row->name, "add") || strstr(row->name, "sub") || strstr(row->name, "mad") ||
			strstr(row->name, "dot")) &&
		row->dst != T_F32;
}

/* LLVM 16 and newer assemble v_cndmask_b32_sdwa only with modifiers of floats. */
static bool is_assembled(const struct isa_inst *in)
{
	return in->op != OP_v_cndmask_b32 || !in->sext || llvm_version() < 16;
}

static bool fits(const struct isa_info *row, enum form form, struct isa_inst *in)
{
	switch (form) {
	case LONG: return isa_fit_long(row, in);
	case SDWA: return isa_fit_sdwa(row, in) && is_assembled(in);
	case DPP: return isa_fit_dpp(row, in);
	default: return isa_fit_packed(row, in);
	}
}

static bool has_form(const struct isa_info *row, enum form form)
{
	bool accumulator = row->dst == T_ACC || row->src[0] == T_ACC;

	if (row->src[0] == T__ || accumulator)
		return false;
	switch (form) {
	case LONG: return row->enc == ENC_VOP3 || (row->enc != ENC_VOP3P && isa_has_long(row));
	case SDWA: return row->enc != ENC_VOP3 && row->enc != ENC_VOP3P && isa_has_sdwa(row);
	case DPP: return row->enc != ENC_VOP3 && row->enc != ENC_VOP3P && isa_has_dpp(row, bench_target);
	default: return row->enc == ENC_VOP3P;
	}
}

/* Draws random modifiers until the row supports them. The same row, form and number always give the same case. */
static struct isa_inst draw_case(unsigned op, enum form form, int number)
{
	static void (*const draws[])(const struct isa_info *, struct isa_inst *) = {
		draw_long, draw_sdwa, draw_dpp, draw_packed};
	const struct isa_info *row = isa_info(op);
	struct isa_inst in;

	seed = (uint64_t)op << 20 | (uint64_t)form << 8 | (uint64_t)number;
	for (int k = 0; k < 5; k++)
		random_u64();
	do {
		in = (struct isa_inst){.op = op,
			.enc = row->enc,
			.size = 4,
			.dst = ISA_VGPR0 + 20,
			.dst2 = ISA_NONE,
			.data = ISA_NONE,
			.src = {ISA_NONE, ISA_NONE, ISA_NONE}};
		for (int k = 0; k < 3; k++)
			if (row->src[k] != T__)
				in.src[k] = row->src[k] == T_CARRY ? ISA_VCC : ISA_VGPR0 + 10 + 2 * k;
		if (row->dst == T_MASK)
			in.dst = ISA_VCC;
		if (row->dst2 == T_EXEC)
			in.dst2 = ISA_EXEC;
		draws[form](row, &in);
		if (row->dst2 == T_CARRY)
			in.dst2 = ISA_VCC;
	} while (!fits(row, form, &in));
	return in;
}

/* --- cases --- */
static void run_kernel(unsigned op, enum form form, int number)
{
	static const uint64_t masks[] = {UINT64_MAX, UINT64_C(0x8421f00f5555aaa7)};
	static const uint32_t modes[] = {0x3f0, 0x1c0, 0x100};
	struct isa_inst in = draw_case(op, form, number);
	char name[32];

	snprintf(name, sizeof name, "row%u_%d", op, (int)form * 10 + number);
	kernels[form]++;
	for (int n = 0; n < 3; n++) {
		prepare_operands(op);
		launch_row(name, isa_info(op)->name, masks[n % 2], modes[n]);
		for (int k = 0; k < ITEMS; k++)
			if (compared++, !check_modified_item(&in, k, masks[n % 2], modes[n])) {
				wrong++;
				return;
			}
	}
}

static void write_row(FILE *f, unsigned op, enum form form, int number)
{
	struct isa_inst in = draw_case(op, form, number);
	char text[160];

	isa_print(&in, 0, text, sizeof text);
	fprintf(f, "\tkernel row%u_%d\n\t%s", op, (int)form * 10 + number, text);
	write_masks(f, "");
	fprintf(f, "\tfinish\n");
}

static void for_each_case(void (*what)(unsigned op, enum form form, int number, FILE *f), FILE *f)
{
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (enum form form = 0; form < FORMS; form++)
			for (int number = 0; number < cases_per_form[form]; number++)
				if (is_tested_on(op, bench_target) && is_vector(isa_info(op)) &&
					has_form(isa_info(op), form))
					what(op, form, number, f);
}

static void write_one(unsigned op, enum form form, int number, FILE *f)
{
	write_row(f, op, form, number);
}

static void run_one(unsigned op, enum form form, int number, FILE *f)
{
	(void)f;
	run_kernel(op, form, number);
}

static void write_rows(FILE *f)
{
	for_each_case(write_one, f);
}

static void run_all_rows(void)
{
	memset(kernels, 0, sizeof kernels);
	compared = wrong = 0;
	for (int t = 0; !(row_targets[t] & ISA_GFX11); t++) {
		open_rows(row_targets[t], write_rows);
		for_each_case(run_one, NULL);
		device_close(&d);
	}
	printf("# kernels: %zu long, %zu SDWA, %zu DPP, %zu packed; %zu results\n", kernels[LONG], kernels[SDWA],
		kernels[DPP], kernels[PACKED], compared);
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

	return cmocka_run_group_tests_name("row modifiers", tests, NULL, NULL);
}
