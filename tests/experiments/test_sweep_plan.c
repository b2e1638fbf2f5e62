/* Plans: defaults, arguments, products of sweeps. */
#include "tests/experiments/engine_fixture.h"

#include "experiments/sweep/sweep.h"

static struct experiment *x;

static int setup(void **state)
{
	if (fixture_setup(state))
		return -1;
	x = fixture_load(fixture_text);
	return 0;
}

static int teardown(void **state)
{
	experiment_free(x);
	return fixture_teardown(state);
}

static void argue(struct plan *p, const char *argument)
{
	struct err e = {.text = ""};
	if (!plan_apply_argument(p, argument, &e))
		fail_msg("%s: %s", argument, e.text);
}

/* All points as "stride,size,unroll,form,variant;..." */
static void expect(struct plan *p, const char *expected)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < plan_point_count(p); i++) {
		double v[PARAMS_MAX];
		plan_point_values(p, i, v);
		buf_printf(&b, "%s%g,%gM,%g,%g,%g", i ? ";" : "", v[0], v[1] / 0x1p20, v[2], v[3], v[4]);
	}
	assert_string_equal(b.data, expected);
	buf_free(&b);
	plan_free(p);
}

static void with_arguments(const char *arguments, const char *expected)
{
	struct plan p;
	char *copy = xstrdup(arguments);
	plan_init_default(&p, x, true, "");
	for (char *save = NULL, *a = strtok_r(copy, ";", &save); a; a = strtok_r(NULL, ";", &save))
		argue(&p, a);
	free(copy);
	expect(&p, expected);
}

static void default_plans(void **state)
{
	(void)state;
	struct plan p;
	double v[PARAMS_MAX];
	plan_init_default(&p, x, false, "");
	assert_int_equal(plan_point_count(&p), 13); /* 16 B .. 64 KiB, doubling */
	assert_true(p.fixed[1] == 0x1p30 && p.verify && !p.soft_defaults && !p.own_axes);
	plan_point_values(&p, 12, v);
	assert_true(v[0] == 65536 && v[1] == 0x1p30 && v[3] == 1);
	plan_free(&p);
	plan_init_default(&p, x, true, "");
	assert_true(p.fixed[1] == 0x1p26 && p.soft_defaults);
	plan_free(&p);
}

static void single_values(void **state)
{
	(void)state;
	with_arguments("stride=64", "64,64M,1,1,0");
	with_arguments("stride=4KiB;size=1 GiB;variant=compiled;form=near", "4096,1024M,1,0,1");
	with_arguments(" stride = 64 ", "64,64M,1,1,0");
}

static void ranges(void **state)
{
	(void)state;
	with_arguments("stride=16..128", "16,64M,1,1,0;32,64M,1,1,0;64,64M,1,1,0;128,64M,1,1,0");
	with_arguments("stride=16..100", "16,64M,1,1,0;32,64M,1,1,0;64,64M,1,1,0");
	with_arguments("stride=16..48:+16", "16,64M,1,1,0;32,64M,1,1,0;48,64M,1,1,0");
	with_arguments("stride=16..256:x4", "16,64M,1,1,0;64,64M,1,1,0;256,64M,1,1,0");
	with_arguments("stride=1KiB..3 KiB:+1KiB", "1024,64M,1,1,0;2048,64M,1,1,0;3072,64M,1,1,0");
	with_arguments("stride=64..64", "64,64M,1,1,0");
	/* an adding parameter can double; the default sweep is replaced by its default value */
	with_arguments("unroll=1..8:x2", "64,64M,1,1,0;64,64M,2,1,0;64,64M,4,1,0;64,64M,8,1,0");
	with_arguments("unroll=3..5", "64,64M,3,1,0;64,64M,4,1,0;64,64M,5,1,0");
	/* whole numbers stay whole, without duplicates */
	with_arguments("unroll=1..4:x1.5", "64,64M,1,1,0;64,64M,2,1,0;64,64M,3,1,0");
}

static void lists_and_products(void **state)
{
	(void)state;
	with_arguments("stride=64,16,64", "64,64M,1,1,0;16,64M,1,1,0;64,64M,1,1,0");
	with_arguments("variant=compiled,published", "64,64M,1,1,1;64,64M,1,1,0");
	with_arguments("unroll=1,2;variant=published,compiled", "64,64M,1,1,0;64,64M,1,1,1;64,64M,2,1,0;64,64M,2,1,1");
	with_arguments("variant=published,compiled;unroll=1,2", "64,64M,1,1,0;64,64M,2,1,0;64,64M,1,1,1;64,64M,2,1,1");
	with_arguments("unroll=1,2;stride=16,32", "16,64M,1,1,0;32,64M,1,1,0;16,64M,2,1,0;32,64M,2,1,0");
	/* a second list for a parameter replaces the first; a single value removes its axis */
	with_arguments("unroll=1,2;unroll=3,4", "64,64M,3,1,0;64,64M,4,1,0");
	with_arguments("unroll=1,2;variant=published,compiled;unroll=7", "64,64M,7,1,0;64,64M,7,1,1");
}

static void value_keeps_the_default_sweep(void **state)
{
	(void)state;
	struct plan p;
	plan_init_default(&p, x, true, "");
	argue(&p, "size=1MiB");
	assert_int_equal(plan_point_count(&p), 13);
	plan_free(&p);
}

static void listed_default_sweep(void **state)
{
	(void)state;
	struct plan p;
	struct experiment *own = fixture_load_changed("sweep = true", "sweep = { 16, 48, 1024 }");
	plan_init_default(&p, own, true, "");
	expect(&p, "16,64M,1,1,0;48,64M,1,1,0;1024,64M,1,1,0");
	experiment_free(own);
	own = fixture_load_changed("sweep = true", "sweep = function(p) return { 16, p.size // 65536, 65536 } end");
	plan_init_default(&p, own, true, "");
	expect(&p, "16,64M,1,1,0;1024,64M,1,1,0;65536,64M,1,1,0");
	plan_init_default(&p, own, false, "");
	expect(&p, "16,1024M,1,1,0;16384,1024M,1,1,0;65536,1024M,1,1,0");
	experiment_free(own);
	own = fixture_load_changed("default = 64, sweep = true", "default = 64");
	plan_init_default(&p, own, true, "");
	expect(&p, "64,64M,1,1,0");
	experiment_free(own);
}

static void invalid_arguments_change_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *argument, *phrase;
	} cases[] = {
		{"strid=64", "did you mean 'stride'"},
		{"zzzzzzzz=64", "unknown parameter 'zzzzzzzz'"},
		{"stride", "write NAME=VALUE"},
		{"=64", "write NAME=VALUE"},
		{"stride=", "missing value"},
		{"stride=16,,32", "missing value"},
		{"stride=16..", "missing value"},
		{"stride=..16", "missing value"},
		{"stride=8", "out of range; choose from 16 B to 64 KiB"},
		{"stride=8..64", "out of range"},
		{"stride=16..1GiB", "out of range"},
		{"stride=64 threads", "unit 'threads'"},
		{"stride=64..16", "lower end first"},
		{"stride=16..64:2", "write :x2 to double or :+16 to add"},
		{"stride=16..64:x1", "too small to reach the end"},
		{"stride=16..64:x0.5", "too small to reach the end"},
		{"stride=16..64:+0", "never reaches the end"},
		{"stride=16..64:+-4", "never reaches the end"},
		{"stride=16..64:+4 threads", "unit"},
		{"stride=16..64:+0.5", "whole numbers"},
		{"stride=16..64:", "write :x2"},
		{"unroll=1.5", "not a whole number"},
		{"variant=new", "choose one of published, compiled"},
		{"variant=compiled,new", "choose one of"},
		{"variant=published..compiled", "takes names"},
		{"size=1MiB..1GiB:+1", "more than 100000 points"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct plan p;
		struct err e = {.text = ""};
		plan_init_default(&p, x, true, "");
		if (plan_apply_argument(&p, cases[i].argument, &e))
			fail_msg("%s was accepted", cases[i].argument);
		if (!strstr(e.text, cases[i].phrase))
			fail_msg("%s: '%s' lacks '%s'", cases[i].argument, e.text, cases[i].phrase);
		assert_int_equal(e.status, ST_REQUEST);
		assert_int_equal(plan_point_count(&p), 13); /* unchanged */
		plan_free(&p);
	}
}

static void products_are_bounded(void **state)
{
	(void)state;
	struct plan p;
	struct err e;
	plan_init_default(&p, x, true, "");
	argue(&p, "size=1MiB..64MiB:+1KiB");
	assert_int_equal(plan_point_count(&p), 63 * 1024 + 1);
	assert_false(plan_apply_argument(&p, "unroll=1,2", &e));
	assert_non_null(strstr(e.text, "more than 100000"));
	plan_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_plans),
		cmocka_unit_test(single_values),
		cmocka_unit_test(ranges),
		cmocka_unit_test(lists_and_products),
		cmocka_unit_test(value_keeps_the_default_sweep),
		cmocka_unit_test(listed_default_sweep),
		cmocka_unit_test(invalid_arguments_change_nothing),
		cmocka_unit_test(products_are_bounded),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
