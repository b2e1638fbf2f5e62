/* Defaults that fit the device: kernels whose first variant is assembly for another target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/sweep_plan.h"

static struct catalog catalog;
static struct experiment *latency; /* variants: published, which is gfx9 assembly, and compiled */
enum { PUBLISHED, COMPILED };

static int load_catalog(void **state)
{
	(void)state;
	struct err e;
	char *folder = path_catalog();
	bool ok = catalog_load(folder, &catalog, NULL, NULL, &e);
	free(folder);
	latency = ok ? catalog_find(&catalog, "range-latency", &e) : NULL;
	return latency ? 0 : -1;
}

static int free_catalog(void **state)
{
	(void)state;
	catalog_free(&catalog);
	return 0;
}

static double default_variant(struct experiment *x, const char *arch)
{
	double values[PARAMS_MAX];
	experiment_default_values(x, true, arch, values);
	return values[experiment_variant_param(x)];
}

static void the_default_is_the_first_variant_that_fits(void **state)
{
	(void)state;
	assert_true(default_variant(latency, "gfx900") == PUBLISHED);
	assert_true(default_variant(latency, "gfx906:xnack-") == PUBLISHED);
	assert_true(default_variant(latency, "gfx1100") == COMPILED);
	assert_true(default_variant(latency, "") == PUBLISHED);
}

static void targets_have_defaults_of_their_own(void **state)
{
	(void)state;
	struct err e;
	double values[PARAMS_MAX];
	struct experiment *x = catalog_find(&catalog, "grid-size", &e);
	int cus = experiment_find_param(x, "cus");
	experiment_default_values(x, true, "gfx1100", values);
	assert_true(values[cus] == 48);
	experiment_default_values(x, false, "gfx900", values);
	assert_true(values[cus] == 64);
}

static double default_of(const char *experiment, const char *param, bool soft, const char *arch)
{
	struct err e = {.text = ""};
	double values[PARAMS_MAX];
	struct experiment *x = catalog_find(&catalog, experiment, &e);
	if (!x)
		fail_msg("%s", e.text);
	experiment_default_values(x, soft, arch, values);
	return values[experiment_find_param(x, param)];
}

/* Sweeps that take minutes on the software RX 7900 XTX have smaller defaults there; the real one has the published. */
static void software_gpus_have_defaults_by_target(void **state)
{
	(void)state;
	static const struct {
		const char *experiment, *param;
		double gfx1100, gfx900, real;
	} rows[] = {
		{"fma-blocks", "fma_per_thread", 1000, 2500, 1000000},
		{"fma-blocks", "threads", 512, 1024, 1024},
		{"fma-waves", "fma_per_thread", 62500, 1000000, 1000000},
		{"lds-bank-conflict", "outer", 250, 1000, 10000},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *x = rows[i].experiment, *p = rows[i].param;
		assert_true(default_of(x, p, true, "gfx1100") == rows[i].gfx1100);
		assert_true(default_of(x, p, true, "gfx900") == rows[i].gfx900);
		assert_true(default_of(x, p, true, "") == rows[i].gfx900);
		assert_true(default_of(x, p, false, "gfx1100") == rows[i].real);
	}
}

static void a_reduced_value_is_that_of_the_target(void **state)
{
	(void)state;
	struct err e;
	const struct param *p = &catalog_find(&catalog, "fma-blocks", &e)->params[2],
			   *cus = &catalog_find(&catalog, "grid-size", &e)->params[0];
	assert_string_equal(p->id, "fma_per_thread");
	assert_true(param_has_reduced_size(p));
	assert_true(param_is_reduced_to(p, "gfx1100", 1000) && !param_is_reduced_to(p, "gfx1100", 2500));
	assert_true(param_is_reduced_to(p, "gfx900", 2500) && !param_is_reduced_to(p, "gfx900", 1000));
	assert_true(param_is_some_default(p, 1000) && param_is_some_default(p, 1000000));
	assert_false(param_is_some_default(p, 4000));
	assert_false(param_has_reduced_size(cus));
}

static double value_of(const struct plan *p, const char *id)
{
	return p->fixed[experiment_find_param(p->x, id)];
}

static void the_numbers_of_an_open_device_are_defaults(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	struct plan p;
	json_t *h200 = json_pack("{s:s, s:s, s:{s:i, s:i, s:i, s:i}}", "kind", "cuda", "arch", "sm_90", "properties",
		"compute_units", 132, "lanes_per_wave", 32, "mclk_mhz", 3201, "memory_bus_bits", 6016);
	json_t *rdna = json_pack("{s:s, s:s, s:{s:i, s:i}}", "kind", "hip", "arch", "gfx1100", "properties",
		"compute_units", 42, "lanes_per_wave", 32);
	struct experiment *grid = catalog_find(&catalog, "grid-size", &e),
			  *lanes = catalog_find(&catalog, "lane-patterns", &e),
			  *roof = catalog_find(&catalog, "instruction-roofline", &e);
	plan_init_default(&p, grid, false, "sm");
	assert_true(value_of(&p, "cus") == 64);
	plan_take_device(&p, h200);
	assert_true(value_of(&p, "cus") == 132);
	plan_free(&p);
	plan_init_default(&p, grid, false, "sm");
	assert_true(value_of(&p, "cus") == 132); /* it is still open */
	assert_true(plan_apply_argument(&p, "cus=7", &e));
	plan_take_device(&p, h200);
	assert_true(value_of(&p, "cus") == 7);
	experiment_use_device(grid, NULL);
	plan_free(&p);
	plan_init_default(&p, grid, false, "sm");
	assert_true(value_of(&p, "cus") == 64);
	plan_free(&p);
	plan_init_default(&p, lanes, false, "gfx1100");
	plan_take_device(&p, rdna);
	assert_true(value_of(&p, "cus") == 84); /* two in a WGP */
	experiment_use_device(lanes, NULL);
	plan_free(&p);
	plan_init_default(&p, roof, false, "sm");
	plan_take_device(&p, h200);
	assert_true(value_of(&p, "cus") == 132 && value_of(&p, "bandwidth") == 4814);
	experiment_use_device(roof, NULL);
	plan_free(&p);
	json_decref(h200);
	json_decref(rdna);
}

static void expect_open_params(const struct plan *p, bool with_sweep, const char *names)
{
	json_t *open = plan_list_open_params(p, with_sweep), *expected = json_loads(names, 0, NULL);
	if (!json_equal(open, expected))
		fail_msg("%s is not %s", json_dumps(open, 0), names);
	json_decref(open);
	json_decref(expected);
}

/* Of a batch: what depends on the device is open, unless an argument has set it or sweeps it. */
static void a_plan_for_another_machine_leaves_values_open(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	struct plan p;
	struct experiment *grid = catalog_find(&catalog, "grid-size", &e),
			  *roof = catalog_find(&catalog, "instruction-roofline", &e);
	plan_init_default(&p, grid, false, "gfx900");
	expect_open_params(&p, false, "[\"cus\", \"fma\"]");
	expect_open_params(&p, true, "[\"blocks\", \"cus\", \"fma\"]");
	assert_true(plan_apply_argument(&p, "cus=7", &e));
	expect_open_params(&p, false, "[\"fma\"]");
	plan_free(&p);
	plan_init_default(&p, grid, false, "gfx900");
	assert_true(plan_apply_argument(&p, "cus=1,2", &e)); /* replaces the default sweep */
	expect_open_params(&p, true, "[\"fma\"]");
	plan_free(&p);
	plan_init_default(&p, roof, false, "gfx900");
	expect_open_params(&p, false, "[\"bandwidth\", \"cus\"]");
	plan_free(&p);
	plan_init_default(&p, roof, false, ""); /* of a login node without a GPU: the target is open, too */
	expect_open_params(&p, false, "[\"bandwidth\", \"cus\", \"ipc\", \"wave\"]");
	plan_free(&p);
	plan_init_default(&p, latency, false, "");
	expect_open_params(&p, false, "[\"variant\"]");
	plan_free(&p);
}

static void open_values_are_those_of_the_device_that_measures(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	struct plan p;
	json_t *device = json_pack("{s:s, s:s, s:{s:i, s:i}}", "kind", "hip", "arch", "gfx1100", "properties",
		       "compute_units", 42, "lanes_per_wave", 32),
	       *names = json_pack("[s, s, s]", "cus", "ipc", "not a parameter");
	struct experiment *roof = catalog_find(&catalog, "instruction-roofline", &e);
	plan_init_default(&p, roof, false, "gfx1100");
	for (int i = 0; i < roof->param_count; i++) { /* as a plan is that was read from a file */
		p.given[i] = true;
		p.fixed[i] = 1;
	}
	plan_reopen_params(&p, names);
	plan_take_device(&p, device);
	assert_true(value_of(&p, "cus") == 42 && value_of(&p, "ipc") == 4 && value_of(&p, "bandwidth") == 1);
	experiment_use_device(roof, NULL);
	plan_free(&p);
	json_decref(device);
	json_decref(names);
}

static json_t *describe_gpu(const char *arch, int units, int lanes)
{
	return json_pack("{s:s, s:s, s:{s:i, s:i}}", "kind", "any", "arch", arch, "properties", "compute_units", units,
		"lanes_per_wave", lanes);
}

/* CUDA C++ Programming Guide, throughput of native arithmetic instructions. */
static void multiply_adds_in_a_cycle_are_those_of_the_target(void **state)
{
	(void)state;
	static const struct {
		const char *arch;
		int lanes, fma;
	} rows[] = {{"sm_70", 32, 64}, {"sm_75", 32, 64}, {"sm_80", 32, 64}, {"sm_86", 32, 128}, {"sm_87", 32, 128},
		{"sm_89", 32, 128}, {"sm_90", 32, 128}, {"sm_100", 32, 128}, {"sm_120", 32, 128}, {"gfx900", 64, 64},
		{"gfx90a", 64, 64}, {"gfx1030", 32, 128}, {"gfx1100", 32, 128}};
	struct err e = {.text = ""};
	struct experiment *grid = catalog_find(&catalog, "grid-size", &e);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct plan p;
		json_t *device = describe_gpu(rows[i].arch, 10, rows[i].lanes);
		plan_init_default(&p, grid, false, rows[i].arch);
		plan_take_device(&p, device);
		if (value_of(&p, "fma") != rows[i].fma)
			fail_msg("%s: %g", rows[i].arch, value_of(&p, "fma"));
		experiment_use_device(grid, NULL);
		plan_free(&p);
		json_decref(device);
	}
}

static void expect_axis(const struct plan *p, const double *values, int count)
{
	assert_int_equal(p->axis_count, 1);
	assert_int_equal(p->axes[0].count, count);
	for (int i = 0; i < count; i++)
		if (p->axes[0].values[i] != values[i])
			fail_msg("value %d is %g, not %g", i, p->axes[0].values[i], values[i]);
}

static void a_default_sweep_follows_the_device(void **state)
{
	(void)state;
	static const double mi25[] = {1, 8, 32, 63, 64, 65, 96, 127, 128, 129, 160, 192, 193, 256, 320, 512, 640, 1600,
		12800},
			    h200[] = {1, 16, 66, 131, 132, 133, 198, 263, 264, 265, 330, 396, 397, 528, 660, 1056, 1320,
				    3300, 26400},
			    small[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20, 32, 40, 100, 800};
	static const double own[] = {5, 6}, quick[] = {1, 132, 265, 528, 26400};
	enum { COUNT = sizeof mi25 / sizeof *mi25 };
	struct err e = {.text = ""};
	struct plan p;
	struct experiment *grid = catalog_find(&catalog, "grid-size", &e);
	json_t *of_h200 = describe_gpu("sm_90", 132, 32), *of_small = describe_gpu("sm_90", 4, 32);
	plan_init_default(&p, grid, false, "");
	expect_axis(&p, mi25, COUNT);
	plan_take_device(&p, of_h200);
	expect_axis(&p, h200, COUNT);
	plan_take_device(&p, of_small);
	expect_axis(&p, small, COUNT);
	plan_free(&p);
	experiment_use_device(grid, NULL);
	plan_init_default(&p, grid, false, "");
	assert_true(plan_apply_preset(&p, "@quick", &e));
	plan_take_device(&p, of_h200);
	expect_axis(&p, quick, 5);
	plan_free(&p);
	experiment_use_device(grid, NULL);
	plan_init_default(&p, grid, false, "");
	assert_true(plan_apply_argument(&p, "blocks=5,6", &e));
	plan_take_device(&p, of_h200);
	expect_axis(&p, own, 2);
	plan_free(&p);
	experiment_use_device(grid, NULL);
	json_decref(of_h200);
	json_decref(of_small);
}

/* Before the device is open, so that points are found in the session. */
static void a_session_that_goes_on_has_its_numbers(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	struct plan p;
	struct experiment *grid = catalog_find(&catalog, "grid-size", &e);
	json_t *header = json_pack("{s:{s:i, s:i}, s:{s:s, s:[i, i, i]}}", "params", "cus", 132, "tasks", 5, "sweep",
		"param", "blocks", "values", 1, 132, 26400);
	plan_init_default(&p, grid, false, "");
	plan_limit_points(&p, 3);
	plan_take_recorded_numbers(&p, header);
	expect_axis(&p, (const double[]){1, 132, 26400}, 3);
	assert_true(value_of(&p, "cus") == 132 && value_of(&p, "fma") == 64 && value_of(&p, "tasks") != 5);
	plan_free(&p);
	json_decref(header);
}

static void all_experiments_have_a_default_that_fits(void **state)
{
	(void)state;
	double values[PARAMS_MAX];
	int checked = 0;
	for (int i = 0; i < catalog.count; i++) {
		struct experiment *x = catalog.list[i];
		for (int soft = 0; soft < 2 && experiment_supports_arch(x, "gfx1100"); soft++, checked++) {
			experiment_default_values(x, soft, "gfx1100", values);
			if (!experiment_fits_arch(x, values, "gfx1100"))
				fail_msg("%s has no variant for gfx1100, and does not say so in `needs`", x->id);
		}
	}
	assert_true(checked > 100);
}

static struct plan make_plan(const char *arch, const char *word)
{
	struct err e = {.text = ""};
	struct plan p;
	plan_init_default(&p, latency, true, arch);
	bool ok = !word || (*word == '@' ? plan_apply_preset(&p, word, &e) : plan_apply_argument(&p, word, &e));
	if (!ok)
		fail_msg("%s: %s", word, e.text);
	return p;
}

static double first_variant(const struct plan *p)
{
	double values[PARAMS_MAX];
	plan_point_values(p, 0, values);
	return values[experiment_variant_param(p->x)];
}

static void presets_keep_variants_that_fit(void **state)
{
	(void)state;
	struct plan p = make_plan("gfx900", "@small");
	assert_int_equal(plan_point_count(&p), 4);
	assert_string_equal(p.remark, "");
	plan_free(&p);
	p = make_plan("gfx1100", "@small");
	assert_int_equal(plan_point_count(&p), 2);
	assert_true(first_variant(&p) == COMPILED && p.axis_count == 1);
	assert_string_equal(p.remark, "@small without variant=published: assembly for another GPU than gfx1100");
	plan_free(&p);
	p = make_plan("gfx1100", "@published");
	assert_true(first_variant(&p) == COMPILED && !p.soft_defaults);
	plan_free(&p);
}

static void a_named_variant_stays(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	struct plan p = make_plan("gfx1100", "variant=published");
	assert_true(first_variant(&p) == PUBLISHED);
	assert_false(plan_check_variant(&p, "gfx1100", &e));
	assert_string_equal(e.text,
		"range-latency: variant=published is assembly for another GPU than gfx1100; use variant=compiled");
	assert_true(plan_check_variant(&p, "gfx900", &e));
	plan_free(&p);
	p = make_plan("gfx1100", "variant=published,compiled");
	assert_true(plan_check_variant(&p, "gfx1100", &e)); /* its points fail one by one */
	plan_free(&p);
}

static void a_plan_moves_to_another_device(void **state)
{
	(void)state;
	struct plan p = make_plan("gfx900", NULL);
	assert_string_equal(plan_take_arch(&p, "gfx1100"), "compiled");
	assert_true(first_variant(&p) == COMPILED);
	assert_null(plan_take_arch(&p, "gfx900")); /* it fits there, too */
	plan_free(&p);
}

/* The kernel file of a point that measures one of another experiment. */
static void expect_delegated_kernel(const char *arch, const char *file)
{
	struct err e = {.text = ""};
	double values[PARAMS_MAX];
	struct experiment *x = catalog_find(&catalog, "instruction-roofline", &e);
	assert_non_null(x);
	experiment_default_values(x, true, arch, values);
	assert_true(param_parse(&x->params[experiment_find_param(x, "kernel")], "fma",
		&values[experiment_find_param(x, "kernel")], &e));
	json_t *job = experiment_build_job(x, values, true, arch, false, &e);
	assert_string_equal(record_get_text(json_object_get(job, "kernel"), "file"), file);
	json_decref(job);
}

static void measured_experiments_have_variants_that_fit(void **state)
{
	(void)state;
	expect_delegated_kernel("gfx900", "fma_published.s");
	expect_delegated_kernel("gfx1100", "fma.hip");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_is_the_first_variant_that_fits),
		cmocka_unit_test(targets_have_defaults_of_their_own),
		cmocka_unit_test(software_gpus_have_defaults_by_target),
		cmocka_unit_test(a_reduced_value_is_that_of_the_target),
		cmocka_unit_test(the_numbers_of_an_open_device_are_defaults),
		cmocka_unit_test(a_plan_for_another_machine_leaves_values_open),
		cmocka_unit_test(open_values_are_those_of_the_device_that_measures),
		cmocka_unit_test(multiply_adds_in_a_cycle_are_those_of_the_target),
		cmocka_unit_test(a_default_sweep_follows_the_device),
		cmocka_unit_test(a_session_that_goes_on_has_its_numbers),
		cmocka_unit_test(all_experiments_have_a_default_that_fits),
		cmocka_unit_test(presets_keep_variants_that_fit),
		cmocka_unit_test(a_named_variant_stays),
		cmocka_unit_test(a_plan_moves_to_another_device),
		cmocka_unit_test(measured_experiments_have_variants_that_fit),
	};
	return cmocka_run_group_tests(tests, load_catalog, free_catalog);
}
