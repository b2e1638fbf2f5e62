/* Modifiers of vector instructions: every row in its long form (neg, abs, clamp, omod, op_sel), VOP3P (op_sel,
 * op_sel_hi, neg, neg_hi), SDWA (selections, sext, dst_unused) and DPP (controls, masks, bound_ctrl). Each has several
 * kernels with random modifiers. The assembler makes the words; expected values come from row_model.h and chapters 6.2
 * and 13.3 of the ISA guide. */
#include "tests/softgpu/core/row_bench.h"

#include "softgpu/isa/gfx9/disassemble.h"
#include "softgpu/isa/gfx9/opcode_table.h"
#include "softgpu/isa/modifier_rules.h"

enum form { LONG, SDWA, DPP, PACKED, FORMS };

/* Kernels per row of each form. */
static const int cases_per_form[FORMS] = {4, 4, 4, 8};

static size_t kernels[FORMS], compared, wrong;

/* --- random cases --- */
static unsigned random_below(unsigned n)
{
	return random_u64() % n;
}

static const uint16_t controls[] = {0x1b, 0xb1, 0x4e, 0x93, 0x101, 0x107, 0x10f, 0x111, 0x118, 0x11f, 0x121, 0x12c,
	0x12f, 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};

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
	in->dpp_ctrl = controls[random_below(sizeof controls / sizeof *controls)];
	in->row_mask = random_below(2) ? 15 : random_below(16);
	in->bank_mask = random_below(2) ? 15 : random_below(16);
	in->bound_ctrl = random_below(2);
	in->neg = row->src[0] == T_P16 ? 0 : random_below(4); /* the sign of a pair is not documented */
	in->abs = row->src[0] == T_P16 ? 0 : random_below(4);
}

static void draw_packed(const struct isa_info *row, struct isa_inst *in)
{
	unsigned all = (1u << isa_source_count(row)) - 1;
	bool halves = strstr(row->name, "f16") && row->dst == T_P16, mixed = row->src[0] == T_MIX,
	     packs = row->src[0] == T_P16;

	in->enc = ENC_VOP3P;
	in->size = 8;
	in->op_sel = mixed || packs ? random_below(8) & all : 0;
	in->op_sel_hi = mixed || packs ? random_below(8) & all : 0;
	if (row->dst == T_F32 && packs) { /* the third source of v_dot2_f32_f16 is not a pair */
		in->op_sel &= 3;
		in->op_sel_hi &= 3;
	}
	if (packs)
		in->op_sel_hi |= row->src[2] == T_P16 ? 0 : 4;
	in->neg = halves || mixed ? random_below(8) & all : 0;
	in->neg_hi = halves || mixed ? random_below(8) & all : 0;
	in->clamp = random_below(2) &&
		(halves || mixed || strstr(row->name, "add") || strstr(row->name, "sub") || strstr(row->name, "mad") ||
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
	case DPP: return row->enc != ENC_VOP3 && row->enc != ENC_VOP3P && isa_has_dpp(row);
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

/* --- expected results --- */
static uint64_t select_sdwa_field(uint64_t v, unsigned sel, bool sext)
{
	switch (sel) {
	case 0:
	case 1:
	case 2:
	case 3: v = (uint8_t)(v >> 8 * sel); return sext ? (uint32_t)(int8_t)v : v;
	case 4:
	case 5: v = (uint16_t)(v >> (sel == 5 ? 16 : 0)); return sext ? (uint32_t)(int16_t)v : v;
	}
	return v;
}

static uint64_t apply_sign(uint64_t v, enum isa_type t, bool abs, bool neg)
{
	uint64_t top = t == T_F64 ? UINT64_C(1) << 63 : t == T_F16 ? 0x8000 : UINT64_C(1) << 31;

	if (!is_float_type(t) && t != T_B32) /* an integer source next to floats ignores the bits */
		return v;
	v = abs ? v & ~top : v;
	return neg ? v ^ top : v;
}

/* The lane that lane l reads; -1: none. */
static int dpp_source_lane(unsigned ctrl, int l)
{
	int row = l / 16, in = l % 16, n = ctrl % 16, to;

	if (ctrl < 256)
		return l / 4 * 4 + (ctrl >> l % 4 * 2) % 4;
	switch (ctrl >> 4) {
	case 0x10: to = in + n; return to > 15 ? -1 : row * 16 + to;
	case 0x11: to = in - n; return to < 0 ? -1 : row * 16 + to;
	case 0x12: return row * 16 + (in + 16 - n) % 16;
	}
	switch (ctrl) {
	case 0x130: return l == 63 ? -1 : l + 1;
	case 0x134: return (l + 1) % 64;
	case 0x138: return l - 1;
	case 0x13c: return (l + 63) % 64;
	case 0x140: return row * 16 + 15 - in;
	case 0x141: return l / 8 * 8 + 7 - l % 8;
	case 0x142: return row ? row * 16 - 1 : -1;
	}
	return l >= 32 ? 31 : -1;
}

/* Source n of item k. Sets *no_lane if DPP selects no lane. */
static uint64_t modified_source(
	const struct isa_inst *in, enum form form, int k, int n, const struct values *v, uint64_t mask, bool *no_lane)
{
	enum isa_type t = isa_info(in->op)->src[n];
	uint64_t x = item[k].s[n];

	if (form == DPP && n == 0) {
		int from = dpp_source_lane(in->dpp_ctrl, k % 64);
		*no_lane = from < 0 || !(mask >> from & 1);
		x = *no_lane ? 0 : item[k / 64 * 64 + from].s[0];
	}
	if (form == SDWA && n < 2)
		x = select_sdwa_field(x, in->src_sel[n], in->sext >> n & 1);
	bool low = in->op_sel >> n & 1, high = in->op_sel_hi >> n & 1, neg = in->neg >> n & 1;
	if (t == T_MIX) {
		uint32_t word = x;
		x = high ? m_b32((float)m_hin(v, low ? word >> 16 : word)) : word;
		return apply_sign(x, T_F32, in->neg_hi >> n & 1, neg);
	}
	if (form == PACKED && t == T_P16) {
		uint32_t word = x, l = low ? word >> 16 : word & 0xffff, h = high ? word >> 16 : word & 0xffff;
		return (l ^ (neg ? 0x8000 : 0)) | (uint64_t)(h ^ (in->neg_hi >> n & 1 ? 0x8000 : 0)) << 16;
	}
	if (form == LONG && low && isa_type_dwords(t) == 1 && (t == T_F16 || t == T_I16 || t == T_U16 || t == T_B16))
		x = (uint32_t)x >> 16;
	return apply_sign(x, t, in->abs >> n & 1, neg);
}

static uint64_t merge_sdwa_result(const struct isa_inst *in, uint32_t old, uint32_t x)
{
	unsigned bits = in->dst_sel < 4 ? 8
		: in->dst_sel < 6       ? 16
					: 32,
		 at = in->dst_sel < 4 ? in->dst_sel * 8
		: in->dst_sel == 5    ? 16
				      : 0;
	uint32_t r = 0;

	for (unsigned b = 0; b < 32; b++) {
		bool selected = b >= at && b < at + bits,
		     bit = selected                             ? x >> (b - at) & 1
			: in->dst_unused == 2                   ? old >> b & 1
			: in->dst_unused == 1 && b >= at + bits ? x >> (bits - 1) & 1
								: 0;
		r |= (uint32_t)bit << b;
	}
	return r;
}

static bool keeps_half(enum isa_type t)
{
	return t == T_F16K || t == T_I16K || t == T_U16K || t == T_B16K;
}

static bool check_item(const struct isa_inst *in, enum form form, int k, uint64_t mask, uint32_t mode)
{
	const struct isa_info *row = isa_info(in->op);
	struct values v = {.old = item[k].old, .in = item[k].flag, .lane = k % 64, .mode = mode};
	bool active = mask >> k % 64 & 1, no_lane = false,
	     to_high = form == LONG && keeps_half(row->dst) && in->op_sel & 8;
	struct answer a;
	char text[120];

	for (int n = 0; n < isa_source_count(row); n++)
		v.s[n] = modified_source(in, form, k, n, &v, mask, &no_lane);
	bool floats = is_float_type(row->dst), writes = active;
	v.clamp = in->clamp && !floats;
	if (to_high)
		v.old = item[k].old >> 16 | (item[k].old & 0xffff) << 16;
	if (!m_vector(in->op, &v, &a))
		fail_msg("%s has no model", row->name);
	bool part = form == SDWA && in->dst_sel != 6;
	if ((is_nan_of(a.d, row->dst) && part) || ((a.ulps || a.near > 0) && (part || to_high)))
		return true; /* part of a NaN, whose payload may differ, or of an approximate result */
	bool high_mix = in->op == OP_v_mad_mixhi_f16 || in->op == OP_v_fma_mixhi_f16;
	if (floats && (in->clamp || in->omod)) {
		if (high_mix)
			a.d = a.d >> 16 | (a.d & 0xffff) << 16;
		apply_omod_and_clamp(&v, &a, row->dst, in->omod, in->clamp);
		if (high_mix)
			a.d = (uint32_t)a.d >> 16 | (a.d & 0xffff) << 16;
	}
	if (to_high)
		a.d = (item[k].old & 0xffff) | (a.d & 0xffff) << 16;
	if (form == SDWA && row->dst != T_MASK)
		a.d = merge_sdwa_result(in, item[k].old, a.d);
	if (form == DPP)
		writes = active && in->row_mask >> k % 64 / 16 & 1 && in->bank_mask >> k % 16 / 4 & 1 &&
			(!no_lane || in->bound_ctrl);
	if (is_expected_result(&item[k], &result[k], row, &a, active, writes))
		return true;
	isa_print(in, 0, text, sizeof text);
	report_difference(text, k, mode, &v, &a);
	return false;
}

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
			if (compared++, !check_item(&in, form, k, masks[n % 2], modes[n])) {
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
	for (int t = 0; t < 3; t++) {
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
