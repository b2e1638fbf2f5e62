/* Every VALU and SALU row on the executor, one instruction per kernel: special and random operands in all lanes, in one
 * lane and with a mask, in the short and the long form, with neg and abs, with clamp, with f32 denormals flushed and
 * kept, with each host variant; compared with row_model.h, and to the bit with the other host variants. */
#include "tests/softgpu/core/row_bench.h"

enum { PLAIN = 0, SIGNS, CLAMP, FORMS, SIMM_VALUE = -32477 };

static size_t kernels, compared, wrong;
static unsigned variant;                               /* the host's, from 0 */
static uint64_t digests[ROW_TARGETS][OP_COUNT][FORMS]; /* of the results of the first variant */

static bool has_form(unsigned op, int form)
{
	const struct isa_info *row = isa_info(op);
	bool vop12c = row->enc == ENC_VOP1 || row->enc == ENC_VOP2 || row->enc == ENC_VOPC;
	bool dot = row->targets == ISA_GFX908_UP;

	if (form == PLAIN)
		return true;
	if (!is_vector(row) || row_literal_source(op) || dot || !row_has_long(op, bench_target) ||
		row->enc == ENC_VOP3P || !(vop12c || row->enc == ENC_VOP3))
		return false;
	if (form == SIGNS)
		return is_float_type(row->src[0]) && row->dst2 != T_CARRY;
	return is_float_type(row->dst) && row->dst != T_F16K && row->src[0] != T__;
}

static void write_vector(FILE *f, unsigned op, int form)
{
	const struct isa_info *row = isa_info(op);
	const char *comma;

	if (op == OP_v_accvgpr_mov_b32) {
		fprintf(f,
			"\tv_accvgpr_write_b32 a3, v20\n\tv_accvgpr_write_b32 a5, v10\n\ts_nop 4\n"
			"\tv_accvgpr_mov_b32 a3, a5\n\tv_accvgpr_read_b32 v20, a3\n");
		write_masks(f, "");
		return;
	}
	if (op == OP_v_accvgpr_read_b32 || op == OP_v_accvgpr_write_b32) { /* to an accumulation register and back */
		fprintf(f, "\tv_accvgpr_write_b32 a3, v10\n\ts_nop 4\n\tv_accvgpr_read_b32 v20, a3\n");
		write_masks(f, "");
		return;
	}
	if (lacks_text(op)) {
		fprintf(f, "\t.long 0x%x", 0x7e000000 | 20 << 17 | gfx11_encoding_of(op)->code << 9 | (ISA_VGPR0 + 10));
		write_masks(f, "");
		return;
	}
	comma = write_name(f, op, form != PLAIN);
	if (row->dst2 == T_CARRY)
		fprintf(f, ", %s", target_vcc(bench_target));
	for (int k = 0; k < 3 && row->src[k] != T__; k++) {
		if (row->src[k] == T_CARRY)
			fprintf(f, ", %s", target_vcc(bench_target));
		else if (k && k == (int)row_literal_source(op))
			fprintf(f, ", %s", strstr(row->name, "f16") ? "0x4121" : "0x40490fdb");
		else if (k == 0 && form == SIGNS) {
			fprintf(f, "%s", comma);
			write_register(f, "-|", 'v', 10, row->src[k]), fprintf(f, "|");
		} else {
			write_register(f, comma, 'v', 10 + 2 * k, row->src[k]);
		}
		comma = ", ";
	}
	write_masks(f, form == CLAMP ? " clamp" : "");
}

static void write_scalar(FILE *f, unsigned op)
{
	const struct isa_info *row = isa_info(op);
	const char *comma = " ";

	for (int k = 0; k < 4; k++)
		fprintf(f, "\tv_readfirstlane_b32 s%d, v%d\n\tv_readfirstlane_b32 s%d, v%d\n", 16 + 2 * k, 10 + 2 * k,
			17 + 2 * k, 11 + 2 * k);
	fprintf(f, "\tv_readfirstlane_b32 s24, v18\n\ts_nop 4\n\ts_mov_b64 exec, s[20:21]\n\ts_cmp_lg_u32 s24, 0\n\t%s",
		row_mnemonic(op, bench_target));
	if (row->dst != T__)
		write_register(f, " ", 's', 22, row->dst), comma = ", ";
	for (int k = 0; k < 2 && row->src[k] != T__; k++, comma = ", ")
		if (row->src[k] == T_SIMM16)
			fprintf(f, "%s0x%x", comma, SIMM_VALUE & 0xffff);
		else
			write_register(f, comma, 's', 16 + 2 * k, row->src[k]);
	fprintf(f,
		"\n\ts_cselect_b32 s25, 1, 0\n\ts_xor_b32 s26, exec_lo, exec_hi\n\ts_mov_b64 exec, -1\n\tv_mov_b32 v20, s22\n"
		"\tv_mov_b32 v21, s23\n\tv_mov_b32 v22, s25\n\tv_mov_b32 v23, s26\n");
}

static void write_kernel(FILE *f, unsigned op, int form)
{
	fprintf(f, "\tkernel row%u_%d\n", op, form);
	if (is_vector(isa_info(op)))
		write_vector(f, op, form);
	else
		write_scalar(f, op);
	fprintf(f, "\tfinish\n");
}

static void write_rows(FILE *f)
{
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int form = 0; form < FORMS && is_tested_on(op, bench_target); form++)
			if (has_form(op, form))
				write_kernel(f, op, form);
}

static void sign(struct values *v, enum isa_type t)
{
	uint64_t top = t == T_F64 ? UINT64_C(1) << 63 : t == T_F32 ? 0x80000000u : 0x8000;

	v->s[0] |= top;
}

static bool check_item(unsigned op, int form, uint32_t mode, int k, uint64_t mask)
{
	const struct isa_info *row = isa_info(op);
	struct values v = {.old = item[k].old,
		.in = item[k].flag,
		.lane = bench_lane(k),
		.mode = mode,
		.simm = SIMM_VALUE,
		.exec = item[k].s[2]};
	bool vector = is_vector(row), active = !vector || mask >> bench_lane(k) & 1;
	struct answer a;
	char what[80];

	memcpy(v.s, item[k].s, sizeof v.s);
	if (row_literal_source(op))
		v.s[row_literal_source(op)] = strstr(row->name, "f16") ? 0x4121 : 0x40490fdb;
	if (form == SIGNS)
		sign(&v, row->src[0]);
	if (!(vector ? m_vector(op, &v, &a) : m_scalar(op, &v, &a)))
		fail_msg("%s has no model", row->name);
	if (form == CLAMP)
		apply_omod_and_clamp(&v, &a, row->dst, 0, true);
	if (bench_target & ISA_GFX11)
		keep_upper_half(&item[k], row, &a);
	if (is_expected_result(&item[k], &result[k], row, &a, active, active))
		return true;
	snprintf(what, sizeof what, "%s form %d", row->name, form);
	report_difference(what, k, mode, &v, &a);
	return false;
}

static uint64_t digest_results(uint64_t digest)
{
	for (int k = 0; k < ITEMS; k++)
		digest = (((digest ^ result[k].d[0]) * 0x100000001b3 ^ result[k].d[1]) * 0x100000001b3 ^
				 result[k].flag) *
			0x100000001b3;
	return digest;
}

/* NaNs included, also those of which the model does not know the payload. */
static void compare_variants(int target, unsigned op, int form, uint64_t digest)
{
	uint64_t *first = &digests[target][op][form];

	if (variant == 0)
		*first = digest;
	if (*first == digest)
		return;
	print_message("%s form %d: not the same in all host variants\n", isa_info(op)->name, form);
	wrong++;
}

static void run_kernel(int target, unsigned op, int form)
{
	uint64_t digest = 0;

	static const uint64_t masks[] = {UINT64_MAX, UINT64_C(1) << 37, UINT64_C(0x8421f00f5555aaa7)};
	const bool vector = is_vector(isa_info(op));
	char name[32];

	snprintf(name, sizeof name, "row%u_%d", op, form);
	kernels++;
	for (int n = 0; n < (vector ? 6 : 1); n++) {
		uint64_t mask = bench_mask(masks[n % 3]);
		uint32_t mode = n < 3 ? 0x3c0 : 0x3f0;
		prepare_operands(op);
		launch_row(name, isa_info(op)->name, mask, mode);
		digest = digest_results(digest);
		for (int k = 0; k < ITEMS; k += vector ? 1 : 64)
			if (compared++, !check_item(op, form, mode, k, mask)) {
				wrong++; /* one report per kernel is enough */
				return;
			}
	}
	compare_variants(target, op, form, digest);
}

static void run_target(int target)
{
	open_rows(row_targets[target], write_rows);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int form = 0; form < FORMS && is_tested_on(op, bench_target); form++)
			if (has_form(op, form))
				run_kernel(target, op, form);
	device_close(&d);
}

static void run_all_rows(void)
{
	kernels = compared = wrong = 0;
	seed = 1;
	for (int t = 0; t < ROW_TARGETS; t++)
		run_target(t);
	variant++;
	printf("# %zu rows and forms, %zu results\n", kernels, compared);
	assert_int_equal(wrong, 0);
}

static void every_row_matches_the_model(void **state)
{
	(void)state;
	each_variant(run_all_rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_matches_the_model)};

	return cmocka_run_group_tests_name("row values", tests, NULL, NULL);
}
