/* --without: programs by name, the device with values before the fit, the rows that are left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/paths.h"
#include "cli/validate/fitted_program.h"
#include "sessions/compare/published_sources.h"

static void a_citation_has_the_whole_words(void **state)
{
	(void)state;
	assert_true(fitted_program_is_cited("Vega64 notes 2.6.3", "Vega64 notes 2.6.3 (4 KiB)"));
	assert_true(fitted_program_is_cited("Vega64 notes", "Vega64 notes 2.6.3 (4 KiB)"));
	assert_true(fitted_program_is_cited("Vega64 notes 2.1", "Vega64 notes 2.1.2"));
	assert_true(fitted_program_is_cited("gpu-latency", "gpu-benches, gpu-latency"));
	assert_false(fitted_program_is_cited("Vega64 notes 2.1", "Vega64 notes 2.10"));
	assert_false(fitted_program_is_cited("ega64 notes", "Vega64 notes 2.10"));
	assert_false(fitted_program_is_cited("GPU_microbench", "ChipBenchmarker, Smem Latency"));
	assert_false(fitted_program_is_cited("", "Vega64 notes 2.10"));
}

static void assert_device(const char *program, const char *device, const char *expected)
{
	struct err e = {.text = ""};
	char *changed = fitted_program_take_back(program, device, &e);
	if (!changed)
		fail_msg("%s", e.text);
	assert_string_equal(changed, expected);
	free(changed);
}

static void assert_no_device(const char *program, const char *device, const char *phrase)
{
	struct err e = {.text = ""};
	assert_null(fitted_program_take_back(program, device, &e));
	if (!strstr(e.text, phrase))
		fail_msg("'%s' lacks '%s'", e.text, phrase);
	assert_int_equal(e.status, ST_REQUEST);
}

static void constants_get_their_values_before(void **state)
{
	(void)state;
	assert_device("Vega64 notes 2.6.3", "soft:mi25", "soft:mi25,l1_latency=125,l2_latency=258");
	assert_device("Vega64 notes 2.9.1", "soft:mi25,l2_latency=300", "soft:mi25,l2_latency=300,lds_latency=20");
	assert_device("gpu-latency", "soft:mi100",
		"soft:mi100,l1_latency=176,l2_latency=313,dram_latency=601,utcl2_latency=0");
	/* One that was fitted on two programs appears once. */
	assert_device("Vega64 notes 2.1", "soft:mi25", "soft:mi25,sclk_light_ppm=0");
	assert_device("Vega64 notes 2.2", "soft:mi25", "soft:mi25,sclk_stretch_ppm=0,branch_taken_cycles=32");
	assert_no_device("Vega64 notes 2.6.3", "soft:mi60", "no constant of mi60 was fitted on 'Vega64 notes 2.6.3'");
	assert_no_device("Vega64 notes 2.6.3", "soft:mi60,l1_latency=1", "but some of mi25 were");
}

static void wrong_programs_and_devices_are_refused(void **state)
{
	(void)state;
	assert_no_device("Vega65 notes", "soft:mi25",
		"no constant was fitted on 'Vega65 notes'; programs: Vega64 notes 2.1.1, Vega64 notes 2.1.2, ");
	assert_no_device("", "soft:mi25", "no constant was fitted on ''");
	assert_no_device("notes 2.6.3", "soft:mi25", "no constant was fitted on 'notes 2.6.3'");
	assert_no_device("Vega64 notes 2.6.3", "hip:0", "hip:0 has none");
}

/* --- rows --- */
static void load_shipped_rows(struct published *set)
{
	struct err e = {.text = ""};
	char *folder = path_published();
	if (!published_load(folder, set, &e))
		fail_msg("%s", e.text);
	free(folder);
}

static void only_the_rows_of_the_program_are_left(void **state)
{
	(void)state;
	struct published set;
	struct err e;
	load_shipped_rows(&set);
	assert_true(fitted_program_keep_rows("Vega64 notes 2.6.3", "gfx900", &set, &e));
	assert_int_equal(set.count, 2);
	for (int i = 0; i < set.count; i++) {
		assert_true(!strncmp(set.rows[i].source, "S0 2.6.3", 8));
		assert_int_equal(set.rows[i].state, ROW_CHECKED);
	}
	assert_false(fitted_program_keep_rows("Vega64 notes 2.6.3", "gfx908", &set, &e));
	assert_string_equal(e.text, "no published row of a gfx908 device is of 'Vega64 notes 2.6.3'");
	published_free(&set);
}

/* The rows that say calibrated are those of the programs that constants were fitted on. */
static bool is_fit_of_row(const struct published_row *row, const struct fitted_constant *f)
{
	char citation[120];
	published_source_format(citation, sizeof citation, row->source);
	return *row->arch && fitted_program_is_cited(f->program, citation);
}

static const struct fitted_constant shipped[] = {
#define FITTED(model, constant, program, value_before, why) {#model, #constant, program, why, value_before},
#include "softgpu/fitted_constants.def"
#undef FITTED
};
enum { SHIPPED = sizeof shipped / sizeof *shipped };

static void calibrated_rows_are_of_these_programs(void **state)
{
	(void)state;
	struct published set;
	bool has_rows[SHIPPED] = {false}, has_calibrated[SHIPPED] = {false};
	load_shipped_rows(&set);
	for (int i = 0; i < set.count; i++) {
		const struct published_row *row = &set.rows[i];
		bool is_calibrated = row->state == ROW_CALIBRATED, found = false;
		for (int k = 0; k < SHIPPED; k++) {
			bool fits = is_fit_of_row(row, &shipped[k]);
			found = found || fits;
			has_rows[k] = has_rows[k] || fits;
			has_calibrated[k] = has_calibrated[k] || (fits && is_calibrated);
		}
		/* Of counts, the kernel or a formula was made to match. */
		if (is_calibrated && strcmp(row->kind, "count") && !found)
			fail_msg("%s.csv:%d is calibrated, but fitted_constants.def has no constant of %s",
				row->experiment, row->line, row->source);
	}
	for (int k = 0; k < SHIPPED; k++)
		if (has_rows[k] && !has_calibrated[k])
			fail_msg("%s of %s was fitted on %s, but none of its rows is calibrated", shipped[k].name,
				shipped[k].model, shipped[k].program);
	published_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_citation_has_the_whole_words),
		cmocka_unit_test(constants_get_their_values_before),
		cmocka_unit_test(wrong_programs_and_devices_are_refused),
		cmocka_unit_test(only_the_rows_of_the_program_are_left),
		cmocka_unit_test(calibrated_rows_are_of_these_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
