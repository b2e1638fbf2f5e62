/* Dual issue in a kernel's code: pairs, operations alone, conflicts of register banks, and the advice about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/analysis/code_advice.h"
#include "experiments/analysis/dual_issue.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "dual-XXXXXX")))
		return 1;
	return setenv("XDG_CACHE_HOME", folder, 1);
}

static int drop_folder(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf '%s'", folder);
	int status = system(command);
	free(command);
	return status;
}

static struct code_model *load(const char *file, const char *defines, const char *entry)
{
	struct err e = {0};
	struct code_model *m = code_model_load(&(struct code_request){.arch = "gfx1100",
						       .file = (char *)file,
						       .defines = (char *)defines,
						       .entry = (char *)entry,
						       .block = 128},
		&e);
	if (!m)
		fail_msg("%s %s: %s", file, defines, e.text);
	m->costs.vgpr_banks = 4; /* the library that knows it is not in the folder of the tests */
	free(m->bank_cycles);
	code_find_bank_conflicts(m);
	return m;
}

static void pairs_of_the_hot_loop_are_counted(void **state)
{
	(void)state;
	char text[200];
	struct code_model *m = load("gfx11/sgemm_dual.s", "-DUNROLL=8", "sgemm_dual");
	struct dual_issue d = code_count_dual_issue(m);
	assert_true(code_has_dual_issue(m));
	assert_true(d.pairs == 512 && !d.conflicts && !d.cycles && d.first_conflict == m->count);
	code_model_free(m);
	m = load("gfx11/sgemm_dual.s", "-DBANKS=0", "sgemm_dual");
	assert_string_equal(code_text_dual_issue(m, text, sizeof text),
		"64 pairs, 2 alone; 1 with register bank conflicts (%), 1 cycle");
	d = code_count_dual_issue(m);
	assert_string_equal(code_text_bank_conflict(m, d.first_conflict, text, sizeof text),
		"v184 and v192, v185 and v193 share a register bank: 1 cycle more");
	assert_string_equal(code_text_bank_conflict(m, m->loop_start, text, sizeof text), "");
	code_model_free(m);
}

static bool is_advised(const struct code_model *m, const char *cause, struct code_advice *out)
{
	struct code_advice list[CODE_ADVICE_MAX];
	int n = code_advise(m, NULL, list);
	for (int i = 0; i < n; i++)
		if (!strcmp(list[i].cause, cause)) {
			*out = list[i];
			return true;
		}
	return false;
}

static void conflicts_of_register_banks_are_a_cause(void **state)
{
	(void)state;
	struct code_advice a;
	struct code_model *m = load("gfx11/sgemm_dual.s", "-DBANKS=0", "sgemm_dual");
	assert_true(is_advised(m, "register bank conflicts", &a));
	assert_string_equal(a.seen, "1 instruction of the hot loop, 1 cycle more");
	assert_true(m->bank_cycles[a.line]);
	assert_false(is_advised(m, "single issue", &a));
	code_model_free(m);
	m = load("gfx11/sgemm_dual.s", "", "sgemm_dual");
	assert_false(is_advised(m, "register bank conflicts", &a));
	code_model_free(m);
}

/* A loop of so many v_fmac_f32_e32 vD, v0, v1 with D from 16 on, in steps. */
static void check_single_issue(unsigned count, unsigned step, unsigned could)
{
	struct kernel_line lines[32] = {0};
	struct code_model m = {.lines = lines, .count = count, .loop_end = count, .costs.vgpr_banks = 4};
	struct code_advice a;
	char expected[80];
	m.info.wave_size = 32;
	m.info.waves_per_simd = 16;
	for (unsigned i = 0; i < count; i++) {
		const uint32_t word = 0x2bu << 25 | (16 + i * step) << 17 | (i & 1) << 9 | (256 + (i & 1));
		assert_true(isa_decode(&word, sizeof word, ISA_GFX1100_WAVE32, &lines[i].inst));
		lines[i].in_hot_loop = true;
	}
	m.on_chain = calloc(count, sizeof *m.on_chain);
	code_find_bank_conflicts(&m);
	assert_int_equal(code_count_dual_issue(&m).alone, count);
	assert_int_equal(code_count_dual_issue(&m).could, could);
	assert_int_equal(is_advised(&m, "single issue", &a), count >= 8);
	snprintf(expected, sizeof expected, "; %u pair%s of neighbors", could, could == 1 ? "" : "s");
	assert_true(count < 8 || strstr(a.seen, expected));
	free(m.on_chain);
	free(m.bank_cycles);
}

static void operations_alone_are_a_cause(void **state)
{
	(void)state;
	check_single_issue(8, 1, 4);
	check_single_issue(8, 2, 0); /* all destinations are even */
	check_single_issue(7, 1, 3); /* too few */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_of_the_hot_loop_are_counted),
		cmocka_unit_test(conflicts_of_register_banks_are_a_cause),
		cmocka_unit_test(operations_alone_are_a_cause),
	};
	return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
