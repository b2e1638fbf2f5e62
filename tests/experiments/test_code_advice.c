/* Advice about kernels: each cause from the numbers that show it, and only then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "experiments/analysis/code_advice.h"

enum { LINES = 3 };
struct sample {
	struct kernel_line lines[LINES];
	bool on_chain[LINES];
	struct code_model model;
	struct issue_counts counts[LINES];
	struct code_profile profile;
	json_t *causes, *waits; /* of line 1, of line 2 */
};

/* A load, the wait for it, and an addition; the wait stalls `cycles` for `reason`, of 1000 in all. */
static void make_sample(struct sample *s, const char *reason, int cycles)
{
	static const char *const texts[LINES] = {
		"global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)", "v_add_f32 v0, v1, v0"};
	memset(s, 0, sizeof *s);
	for (int i = 0; i < LINES; i++)
		snprintf(s->lines[i].text, sizeof s->lines[i].text, "%s", texts[i]);
	s->causes = json_pack("{s:i}", reason, cycles);
	s->counts[1] = (struct issue_counts){.count = 10, .issue = 40, .stall = cycles, .causes = s->causes};
	s->profile = (struct code_profile){.record = json_object(), .lines = s->counts, .all = 1000};
	s->model = (struct code_model){.lines = s->lines, .count = LINES, .on_chain = s->on_chain};
	s->model.info.waves_per_simd = 10;
	s->model.info.limited_by = "wave slots";
}

static void drop_sample(struct sample *s)
{
	json_decref(s->causes);
	json_decref(s->waits);
	json_decref(s->profile.record);
}

/* The causes of a sample, joined with commas. */
static const char *advised_causes(const struct sample *s, struct code_advice list[CODE_ADVICE_MAX])
{
	static char text[400];
	int n = code_advise(&s->model, &s->profile, list);
	*text = 0;
	for (int i = 0; i < n; i++) {
		strcat(text, i ? "," : "");
		strcat(text, list[i].cause);
	}
	return text;
}

static void stall_reasons_are_named_from_their_limit_on(void **state)
{
	(void)state;
	static const struct {
		const char *reason, *cause;
		int least;
	} cases[] = {
		{"LDS_CONFLICT", "LDS bank conflicts", 30},
		{"DRAM", "waiting for memory", 300},
		{"L1_QUEUE", "waiting for memory", 300},
		{"BARRIER", "waiting at barriers", 100},
		{"BRANCH", "fetching instructions", 100},
	};
	struct sample s;
	struct code_advice list[CODE_ADVICE_MAX];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		make_sample(&s, cases[i].reason, cases[i].least);
		assert_string_equal(advised_causes(&s, list), cases[i].cause);
		assert_true(list[0].line == 1 && strstr(list[0].seen, "s_waitcnt vmcnt(0)"));
		drop_sample(&s);
		make_sample(&s, cases[i].reason, cases[i].least - 1);
		assert_string_equal(advised_causes(&s, list), "");
		drop_sample(&s);
	}
}

static void loads_of_many_lines_are_uncoalesced(void **state)
{
	(void)state;
	struct sample s;
	struct code_advice list[CODE_ADVICE_MAX];
	make_sample(&s, "L1_QUEUE", 500);
	json_object_set_new(s.profile.record, "counters",
		json_pack("{s:i, s:i, s:i}", "TCP_HIT_sum", 300, "TCP_MISS_sum", 340, "SQ_INSTS_VMEM_RD", 10));
	assert_string_equal(advised_causes(&s, list), "uncoalesced access");
	assert_non_null(strstr(list[0].seen, "64.0 cache lines on average, where 64 lanes of 4 bytes need 4; 50 %"));
	snprintf(s.lines[0].text, sizeof s.lines[0].text, "global_load_dwordx4 v[4:7], v[2:3], off");
	assert_non_null(advised_causes(&s, list));
	assert_non_null(strstr(list[0].seen, "16 bytes need 16"));
	json_object_set_new(json_object_get(s.profile.record, "counters"), "SQ_INSTS_VMEM_RD", json_integer(40));
	assert_string_equal(advised_causes(&s, list), "waiting for memory"); /* 16 lines are the least */
	drop_sample(&s);
}

/* `count` products of 64 cycles on the chain, for which a wave waits `product` cycles, and a read of the result that
 * waits `read` cycles, of 1000 in all. */
static void make_products(struct sample *s, const char *reason, int count, int product, int read)
{
	make_sample(s, reason, product);
	s->lines[1].inst.op = OP_v_mfma_f32_32x32x2f32;
	snprintf(s->lines[1].text, sizeof s->lines[1].text, "v_mfma_f32_32x32x2f32 a[0:15], v1, v2, a[0:15]");
	snprintf(s->lines[2].text, sizeof s->lines[2].text, "v_accvgpr_read_b32 v3, a0");
	s->on_chain[1] = true;
	s->model.loop_end = LINES;
	s->model.chain.length = 1;
	s->waits = json_pack("{s:i}", "DEPENDENCY", read);
	s->counts[1].count = count;
	s->counts[2] = (struct issue_counts){.count = 10, .stall = read, .causes = s->waits};
}

static void products_bind_a_kernel_to_the_matrix_core(void **state)
{
	(void)state;
	static const struct {
		const char *reason;
		int count, cycles;
		const char *seen; /* NULL: no advice */
	} cases[] = {
		{"MATRIX", 5, 360, "at least 40 % of its peak; 40 % of the cycles issue products or wait for it"},
		{"DEPENDENCY", 5, 360, "at least 40 % of its peak; 40 % of the cycles issue products or wait for it"},
		{"MATRIX", 5, 359, NULL},
		{"MATRIX", 10, 0, "at least 64 % of its peak; 4 % of the cycles"},
		{"MATRIX", 9, 0, NULL},
		{"DRAM", 5, 299, NULL},
	};
	struct sample s;
	struct code_advice list[CODE_ADVICE_MAX];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		make_products(&s, cases[i].reason, cases[i].count, cases[i].cycles, 0);
		assert_string_equal(advised_causes(&s, list), cases[i].seen ? "busy matrix core" : "");
		if (cases[i].seen) {
			assert_int_equal(list[0].line, 1);
			assert_non_null(strstr(list[0].seen, cases[i].seen));
		}
		drop_sample(&s);
	}
}

static void results_of_products_are_waited_for(void **state)
{
	(void)state;
	struct sample s;
	struct code_advice list[CODE_ADVICE_MAX];
	make_products(&s, "MATRIX", 1, 0, 99);
	assert_string_equal(advised_causes(&s, list), "");
	drop_sample(&s);
	make_products(&s, "MATRIX", 1, 0, 100);
	assert_string_equal(advised_causes(&s, list), "waiting for products");
	assert_string_equal(
		list[0].seen, "10 % of the cycles wait for results of products; most at v_accvgpr_read_b32 v3, a0");
	s.lines[1].inst.op = OP_v_mov_b32; /* without products, such waits have other causes */
	assert_string_equal(advised_causes(&s, list), "");
	drop_sample(&s);
}

static void the_code_alone_shows_some_causes(void **state)
{
	(void)state;
	struct sample s;
	struct code_advice list[CODE_ADVICE_MAX];
	make_sample(&s, "DRAM", 0);
	s.model.info.scratch_bytes = 64;
	s.model.info.waves_per_simd = 3;
	s.model.info.limited_by = "VGPRs";
	snprintf(s.lines[2].text, sizeof s.lines[2].text, "s_and_saveexec_b64 s[0:1], vcc");
	assert_string_equal(advised_causes(&s, list), "divergence,low occupancy,scratch memory");
	assert_non_null(strstr(list[1].seen, "3 waves per SIMD, limited by VGPRs"));
	assert_non_null(strstr(list[2].seen, "64 B of scratch per thread"));
	assert_int_equal(code_advise(&s.model, NULL, list), 3);
	drop_sample(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stall_reasons_are_named_from_their_limit_on),
		cmocka_unit_test(loads_of_many_lines_are_uncoalesced),
		cmocka_unit_test(products_bind_a_kernel_to_the_matrix_core),
		cmocka_unit_test(results_of_products_are_waited_for),
		cmocka_unit_test(the_code_alone_shows_some_causes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
