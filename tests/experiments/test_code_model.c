/* The model of a kernel's code, on the kernels built with the project: loop, chain, contract, limits, source lines,
 * help, comparison, cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernels/inspect/instruction_help.h"
#include "experiments/analysis/code_diff.h"
#include "experiments/analysis/code_profile.h"

static const char *build(void)
{
	const char *folder = getenv("BUILD");
	return folder ? folder : "build";
}

static const struct issue_costs mi25 = {.known = true,
	.branch = 25,
	.latency = {[UNIT_VMEM] = 176, [UNIT_FLAT] = 176, [UNIT_SMEM] = 44, [UNIT_LDS] = 45},
	.rate = {[RATE_FULL] = 4,
		[RATE_QUARTER] = 16,
		[RATE_INT_MUL] = 16,
		[RATE_CVT] = 16,
		[RATE_SHIFT64] = 8,
		[RATE_F64_FMA] = 64,
		[RATE_F64_ADD] = 32,
		[RATE_F64_CVT] = 16,
		[RATE_F64_TRANS] = 64,
		[RATE_SCALAR] = 4,
		[RATE_MEM] = 4}};

struct opened {
	struct code_object *object;
	struct code_model *model;
};

static struct opened look(
	const char *object, const char *kernel, const char *file, unsigned block, const char *contract)
{
	struct err e = {0};
	struct opened o;
	char *path = xasprintf("%s/kernels/gfx900/%s.co", build(), object);
	if (!(o.object = code_object_open(path, &e)))
		fail_msg("%s", e.text);
	const struct kernel_info *k = code_object_find_kernel(o.object, kernel, &e);
	if (!k)
		fail_msg("%s", e.text);
	json_t *list = contract ? json_loads(contract, 0, NULL) : NULL;
	o.model = code_model_from_object(o.object, k,
		&(struct code_request){.device = "soft:mi25",
			.arch = "gfx900",
			.file = (char *)file,
			.block = block,
			.contract = list},
		path);
	json_decref(list);
	free(path);
	/* The library that provides them is not in the folder of the tests. */
	o.model->costs = mi25;
	o.model->chain =
		dependence_chain_find(o.model->lines, o.model->loop_start, o.model->loop_end, &mi25, o.model->on_chain);
	return o;
}

static void done(struct opened *o)
{
	code_model_free(o->model);
	code_object_close(o->object);
}

/* --- loop and chain --- */
/* The published chase: seven instructions from the loaded value to the next address, and the load. */
static void the_chase_waits_for_its_load_and_the_address(void **state)
{
	(void)state;
	static const char *const chain[] = {"v_mul_lo_u32", "v_add_u32_e32", "v_and_b32_e32", "v_ashrrev_i32_e32",
		"v_lshlrev_b64", "v_add_co_u32_e32", "v_addc_co_u32_e32", "global_load_dword"};
	struct opened o = look("chase_published", "chase_range", "chase_published.s", 1, NULL);
	const struct code_model *m = o.model;
	assert_true(code_has_loop(m) && m->loop_end - m->loop_start == 13);
	size_t found = 0;
	for (size_t i = 0; i < m->count; i++) {
		if (!m->on_chain[i])
			continue;
		assert_true(i >= m->loop_start && i < m->loop_end);
		assert_true(found < 8 && !strncmp(m->lines[i].text, chain[found], strlen(chain[found])));
		found++;
	}
	assert_int_equal(found, 8);
	assert_int_equal(m->chain.length, 8);
	assert_int_equal(m->chain.units[UNIT_VALU], 7);
	assert_int_equal(m->chain.units[UNIT_VMEM], 1);
	assert_int_equal(m->chain.cycles, 16 + 4 + 4 + 4 + 8 + 4 + 4 + 4 + m->costs.latency[UNIT_VMEM]);
	done(&o);
}

static void a_chain_of_multiply_adds_is_all_of_them(void **state)
{
	(void)state;
	struct opened o = look("fma_published", "fma_2c", "fma_published.s", 256, NULL);
	assert_int_equal(o.model->chain.length, 100);
	assert_int_equal(o.model->chain.cycles, 400);
	assert_int_equal(o.model->chain.alike, 0);
	done(&o);
}

static void straight_code_has_no_chain(void **state)
{
	(void)state;
	struct opened o = look("batchnorm", "batchnorm_b", "batchnorm.hip", 64, NULL);
	assert_false(code_has_loop(o.model));
	assert_int_equal(o.model->chain.length, 0);
	for (size_t i = 0; i < o.model->count; i++)
		assert_false(o.model->on_chain[i]);
	done(&o);
}

/* Two independent accumulators: one chain is marked, the other one counted. */
static struct kernel_line made_line(const uint32_t words[2], uint64_t va)
{
	struct kernel_line l = {.va = va};
	assert_true(isa_decode(words, 8, ISA_GFX900, &l.inst));
	isa_print(&l.inst, va, l.text, sizeof l.text);
	return l;
}

static void independent_chains_are_told_apart(void **state)
{
	(void)state;
	static const uint32_t code[][2] = {
		{0x81078107, 0},          /* s_add_i32 s7, s7, 1: as long, but it only counts */
		{0xd1c10005, 0x04120b03}, /* v_mad_f32 v5, v3, v5, v4 */
		{0xd1c10006, 0x04120d03}, /* v_mad_f32 v6, v3, v6, v4 */
		{0x7e0e0305, 0},          /* v_mov_b32 v7, v5: on no chain */
		{0x81068106, 0},          /* s_add_i32 s6, s6, 1 */
	};
	struct kernel_line lines[5];
	bool on[5] = {false};
	struct issue_costs costs = {.known = true, .rate = {[RATE_FULL] = 4, [RATE_SCALAR] = 4}};
	for (size_t i = 0; i < 5; i++)
		lines[i] = made_line(code[i], i * 8);
	struct dependence_chain c = dependence_chain_find(lines, 0, 5, &costs, on);
	assert_int_equal(c.length, 1);
	assert_int_equal(c.cycles, 4);
	assert_int_equal(c.alike, 3);
	assert_true(!on[0] && on[1] && !on[2] && !on[3] && !on[4]);
}

/* --- contract, limits --- */
#define LOAD(count)                                                                                              \
	"[{\"isa\":\"gfx9\",\"instruction\":\"global_load_dword\",\"count\":" #count ",\"where\":\"hot_loop\"}," \
	"{\"isa\":\"gfx11\",\"instruction\":\"s_nop\",\"where\":\"kernel\"}]"

static void a_contract_holds_or_is_reported(void **state)
{
	(void)state;
	char text[300];
	struct opened kept = look("chase_published", "chase_range", NULL, 1, LOAD(1)),
		      broken = look("chase_published", "chase_range", NULL, 1, LOAD(2));
	assert_true(code_contract_holds(kept.model) && !code_contract_holds(broken.model));
	assert_int_equal(kept.model->contract_count, 1); /* the other one is for another target */
	assert_string_equal(
		code_text_contract(kept.model, text, sizeof text), "1 global_load_dword in the hot loop: OK");
	assert_string_equal(code_text_contract(broken.model, text, sizeof text),
		"broken: the hot loop contains 1 global_load_dword, expected 2");
	int marked = 0;
	for (size_t i = 0; i < kept.model->count; i++)
		marked += code_find_contract(kept.model, i) != NULL;
	assert_int_equal(marked, 1); /* the one before the loop does not count */
	done(&kept);
	done(&broken);
}

static void the_smallest_limit_is_the_occupancy(void **state)
{
	(void)state;
	struct opened o = look("lds_published", "lds_latency", NULL, 64, NULL);
	const struct code_model *m = o.model;
	unsigned least = 99;
	const char *by = "";
	for (unsigned i = 0; i < m->limit_count; i++)
		if (m->limits[i].waves < least) {
			least = m->limits[i].waves;
			by = m->limits[i].by;
		}
	assert_true(m->limit_count >= 4);
	assert_int_equal(least, m->info.waves_per_simd);
	assert_string_equal(by, m->info.limited_by);
	assert_string_equal(by, "LDS");
	done(&o);
}

/* --- source --- */
static int source_of(const struct code_model *m, const char *instruction, size_t from)
{
	for (size_t i = from; i < m->count; i++)
		if (!strncmp(m->lines[i].text, instruction, strlen(instruction)))
			return m->source_line[i];
	return -1;
}

static void instructions_have_source_lines(void **state)
{
	(void)state;
	struct opened o = look("chase_published", "chase_range", "chase_published.s", 1, NULL);
	const struct code_model *m = o.model;
	assert_true(m->mapped);
	int line = source_of(m, "global_load_dword", m->loop_start);
	assert_true(line > 0 && line <= m->source_count &&
		strstr(m->source[line - 1], "global_load_dword v1, v[2:3], off"));
	done(&o);
	o = look("sgemm", "sgemm_naive", "sgemm.hip", 1024, NULL);
	m = o.model;
	line = source_of(m, "v_fma_f32", m->loop_start);
	assert_true(m->mapped && line > 0 && strstr(m->source[line - 1], "__builtin_fmaf(*left, *right, sum)"));
	done(&o);
}

/* Code inlined from HIP's headers belongs to the line that calls it. */
static void inlined_code_belongs_to_its_call(void **state)
{
	(void)state;
	struct opened o = look("sgemm", "sgemm_naive", "sgemm.hip", 1024, NULL);
	int line = source_of(o.model, "s_load_dword ", 0);
	assert_true(line > 0 && strstr(o.model->source[line - 1], "blockIdx"));
	done(&o);
}

/* --- help --- */
static void every_instruction_has_a_help_line(void **state)
{
	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (!instruction_help_find(isa_info(op)->name))
			fail_msg("no help for %s", isa_info(op)->name);
	assert_null(instruction_help_find("v_no_such_instruction"));
}

/* A row that matches no instruction is an error: an earlier row already matches its names. */
static void every_help_line_is_reached(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
#define INSTRUCTION_HELP(pattern, text) {pattern, text},
#include "kernels/inspect/instruction_help.def"
#undef INSTRUCTION_HELP
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *found, *text = rows[i][1];
		bool reached = false;
		for (unsigned op = 1; op < OP_COUNT && !reached; op++)
			reached = (found = instruction_help_find(isa_info(op)->name)) && !strcmp(found, text);
		if (!reached)
			fail_msg("no instruction has the help of %s", rows[i][0]);
		assert_true(strlen(text) > 5 && strlen(text) < 160);
	}
}

static unsigned check_object(const char *path)
{
	struct err e = {0};
	const struct kernel_info *list;
	unsigned instructions = 0;
	struct code_object *o = code_object_open(path, &e);
	if (!o)
		fail_msg("%s", e.text);
	size_t n = code_object_list_kernels(o, &list);
	for (size_t k = 0; k < n; k++) {
		struct code_model *m = code_model_from_object(
			o, &list[k], &(struct code_request){.device = "soft:mi25", .arch = "gfx900"}, path);
		char registers[256], rate[120];
		for (size_t i = 0; i < m->count; i++, instructions++) {
			if (m->lines[i].inst.op == OP_INVALID ||
				!instruction_help_find(isa_info(m->lines[i].inst.op)->name))
				fail_msg("%s: no help for %s", path, m->lines[i].text);
			instruction_help_registers(&m->lines[i].inst, registers, sizeof registers);
			assert_true(strlen(instruction_help_rate(&m->lines[i].inst, &mi25, rate, sizeof rate)) > 0);
		}
		assert_true(m->chain.length <= m->loop_end - m->loop_start);
		code_model_free(m);
	}
	code_object_close(o);
	return instructions;
}

static void shipped_kernels_have_help(void **state)
{
	(void)state;
	char *folder = xasprintf("%s/kernels/gfx900", build());
	unsigned objects = 0, instructions = 0;
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *f; (f = readdir(d));) {
		if (!strstr(f->d_name, ".co"))
			continue;
		char *path = xasprintf("%s/%s", folder, f->d_name);
		instructions += check_object(path);
		objects++;
		free(path);
	}
	closedir(d);
	free(folder);
	assert_true(objects > 30 && instructions > 10000);
}

/* --- comparing two kernels --- */
static void variants_are_compared(void **state)
{
	(void)state;
	struct opened l = look("chase_published", "chase_stride", NULL, 1, NULL),
		      r = look("chase", "chase_stride", NULL, 1, NULL);
	struct code_diff d = code_diff_compute(l.model, r.model, false, false),
			 all = code_diff_compute(l.model, r.model, true, true);
	struct diff_figure list[DIFF_FIGURES_MAX];
	int n = code_diff_figures(&d, list);
	assert_true(d.loops && !all.loops && all.rows.count > d.rows.count);
	assert_int_equal(list[0].left, l.model->loop_end - l.model->loop_start);
	assert_int_equal(list[0].right, r.model->loop_end - r.model->loop_start);
	unsigned left = 0, right = 0, i = 1;
	do {
		left += list[i].left;
		right += list[i].right;
	} while (strcmp(list[i++].name, "other"));
	assert_true(left == list[0].left && right == list[0].right);
	for (i = 0; i < (unsigned)n; i++) {
		if (!strcmp(list[i].name, "VMEM"))
			assert_true(list[i].left == 1 && list[i].right == 1);
		if (!strcmp(list[i].name, "chain"))
			assert_true(list[i].left == l.model->chain.cycles && list[i].right == r.model->chain.cycles);
	}
	assert_string_equal(list[n - 1].name, "chain");
	code_diff_free(&d);
	code_diff_free(&all);
	done(&l);
	done(&r);
}

/* --- cycles --- */
static void cycles_are_attributed_to_instructions(void **state)
{
	(void)state;
	char text[200];
	struct opened o = look("chase_published", "chase_range", NULL, 1, NULL);
	json_t *profile = json_loads(
		"{\"cycles\":1000,\"instructions\":[{\"offset\":64,\"count\":10,\"issue\":40,\"stall\":{\"L1\":600,\"L2\":150}},"
		"{\"offset\":68,\"count\":10,\"issue\":160,\"stall\":{}}]}",
		0, NULL);
	struct code_profile *p = code_profile_build(profile, o.model);
	json_decref(profile);
	size_t wait = o.model->loop_start;
	assert_string_equal(o.model->lines[wait].text, "s_waitcnt vmcnt(0)");
	assert_true(p->lines[wait].issue == 40 && p->lines[wait].stall == 750 && p->all == 950 && p->most == 790);
	assert_true(code_is_hot(o.model, p, wait) && code_is_hot(o.model, p, wait + 1) &&
		!code_is_hot(o.model, p, wait + 2));
	assert_true(!code_is_hot(o.model, NULL, wait) &&
		code_is_hot(o.model, NULL, wait + 1)); /* without cycles: the chain */
	assert_string_equal(issue_counts_format(&p->lines[wait], 4, text, sizeof text),
		"issued 10 times: 4.00 issue cycles, 75.00 stall cycles each: L1 60.00, L2 15.00");
	assert_string_equal(issue_counts_format(&p->lines[0], 4, text, sizeof text), "never issued in this launch");
	code_profile_free(p);
	done(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chase_waits_for_its_load_and_the_address),
		cmocka_unit_test(a_chain_of_multiply_adds_is_all_of_them),
		cmocka_unit_test(straight_code_has_no_chain),
		cmocka_unit_test(independent_chains_are_told_apart),
		cmocka_unit_test(a_contract_holds_or_is_reported),
		cmocka_unit_test(the_smallest_limit_is_the_occupancy),
		cmocka_unit_test(instructions_have_source_lines),
		cmocka_unit_test(inlined_code_belongs_to_its_call),
		cmocka_unit_test(every_instruction_has_a_help_line),
		cmocka_unit_test(every_help_line_is_reached),
		cmocka_unit_test(shipped_kernels_have_help),
		cmocka_unit_test(variants_are_compared),
		cmocka_unit_test(cycles_are_attributed_to_instructions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
