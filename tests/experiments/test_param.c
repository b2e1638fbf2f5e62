/* Parameters: parsing, ranges, steps, formatting. */
#include "base/units.h"
#include "tests/experiments/engine_fixture.h"

static const struct param stride = {
	.id = "stride", .unit = "B", .low = 16, .high = 0x1p26, .step = 2, .kind = PARAM_STEP_MULTIPLY, .whole = true};
static const struct param threads = {.id = "threads",
	.unit = "threads",
	.low = 256,
	.high = 1024,
	.step = 256,
	.kind = PARAM_STEP_ADD,
	.whole = true};
static const struct param clock_ghz = {
	.id = "f", .unit = "GHz", .low = 0.5, .high = 3, .step = 0.25, .kind = PARAM_STEP_ADD};
static const struct param from_zero = {
	.id = "pad", .unit = "B", .low = 0, .high = 64, .step = 2, .kind = PARAM_STEP_MULTIPLY, .whole = true};
static const struct param variant = {.id = "variant",
	.high = 2,
	.step = 1,
	.kind = PARAM_STEP_CHOICE,
	.choices = {"published", "compiled", "mad"},
	.choice_count = 3,
	.whole = true};

static void parses(const struct param *p, const char *text, double expected)
{
	double v = -1;
	struct err e = {.text = ""};
	if (!param_parse(p, text, &v, &e))
		fail_msg("%s: %s", text, e.text);
	if (v != expected)
		fail_msg("%s gave %g", text, v);
}

static void refuses(const struct param *p, const char *text, const char *phrase)
{
	double v = -1;
	struct err e = {.text = ""};
	if (param_parse(p, text, &v, &e))
		fail_msg("%s was accepted as %g", text, v);
	if (!strstr(e.text, phrase) || !strstr(e.text, p->id))
		fail_msg("'%s' lacks '%s' or the parameter's name", e.text, phrase);
	assert_int_equal(e.status, ST_REQUEST);
	assert_true(v == -1);
}

static void valid_values(void **state)
{
	(void)state;
	parses(&stride, "64", 64);
	parses(&stride, "64KiB", 65536);
	parses(&stride, "64 MiB", 0x1p26);
	parses(&stride, "2^20", 0x1p20);
	parses(&stride, "0x40", 64);
	parses(&stride, "100", 100);
	parses(&threads, "1024 threads", 1024);
	parses(&clock_ghz, "1.536", 1.536);
	parses(&variant, "mad", 2);
}

static void invalid_values_are_rejected(void **state)
{
	(void)state;
	refuses(&stride, "8", "out of range; choose from 16 B to 64 MiB");
	refuses(&stride, "1 GiB", "out of range");
	refuses(&stride, "-64", "out of range");
	refuses(&stride, "64 threads", "unit 'threads'");
	refuses(&stride, "many", "not a number");
	refuses(&stride, "nan", "not a number");
	refuses(&stride, "inf", "not a number");
	refuses(&clock_ghz, "-8^0.5", "not a number"); /* NaN would be neither inside nor outside of any range */
	refuses(&clock_ghz, "2^99999", "not a number");
	refuses(&stride, "", "not a number");
	refuses(&stride, "1KiB..4KiB", "expected a single value, not the range or list '1KiB..4KiB'");
	refuses(&threads, "256,512", "single value");
	refuses(&threads, "300.5", "not a whole number");
	refuses(&threads, "1 MiB", "unit");
	refuses(&variant, "publisht", "did you mean 'published'");
	refuses(&variant, "1", "choose one of published, compiled, mad");
}

static void stepping_up_and_down(void **state)
{
	(void)state;
	assert_true(param_step_value(&stride, 64, 1) == 128);
	assert_true(param_step_value(&stride, 64, -1) == 32);
	assert_true(param_step_value(&stride, 64, 3) == 512);
	assert_true(param_step_value(&stride, 16, -1) == 16);
	assert_true(param_step_value(&stride, 0x1p26, 1) == 0x1p26);
	assert_true(param_step_value(&stride, 0x1p25, 10) == 0x1p26);
	assert_true(param_step_value(&stride, 33, -1) == 16);
	assert_true(param_step_value(&threads, 256, 1) == 512);
	assert_true(param_step_value(&threads, 1024, 1) == 1024);
	assert_true(param_step_value(&clock_ghz, 1, -2) == 0.5);
	assert_true(param_step_value(&variant, 0, 1) == 1);
	assert_true(param_step_value(&variant, 2, 1) == 2);
	assert_true(param_step_value(&variant, 1, -5) == 0);
}

static void doubling_leaves_zero_and_returns(void **state)
{
	(void)state;
	assert_true(param_step_value(&from_zero, 0, 1) == 1);
	assert_true(param_step_value(&from_zero, 1, 1) == 2);
	assert_true(param_step_value(&from_zero, 1, -1) == 0);
	assert_true(param_step_value(&from_zero, 0, -1) == 0);
	assert_true(param_step_value(&from_zero, 0, 100) == 64);
}

static void formatting(void **state)
{
	(void)state;
	char out[40];
	assert_string_equal(param_format(&stride, 65536, out, sizeof out), "64 KiB");
	assert_string_equal(param_format(&stride, 16, out, sizeof out), "16 B");
	assert_string_equal(param_format(&threads, 256, out, sizeof out), "256 threads");
	assert_string_equal(param_format(&variant, 1, out, sizeof out), "compiled");
	assert_string_equal(param_format(&clock_ghz, 1.536, out, sizeof out), "1.536 GHz");
}

static void one_has_a_singular_unit(void **state)
{
	(void)state;
	static const struct {
		const char *unit, *one;
	} units[] = {{"threads", "1 thread"}, {"copies", "1 copy"}, {"launches", "1 launch"}, {"caches", "1 cache"},
		{"passes", "1 pass"}, {"CUs", "1 CU"}, {"B", "1 B"}, {"ms", "1 ms"}, {"GB/s", "1 GB/s"},
		{"FMA", "1 FMA"}, {"", "1"}};
	char text[64];
	struct err e = {0};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		double v = 0;
		assert_string_equal(units_format(text, sizeof text, 1, units[i].unit, 4), units[i].one);
		assert_true(units_parse(text, units[i].unit, &v, &e) && v == 1); /* can be parsed again */
	}
	assert_string_equal(units_format(text, sizeof text, 2, "threads", 4), "2 threads");
	assert_string_equal(units_format(text, sizeof text, 1.5, "threads", 4), "1.5 threads");
	double v = 0;
	assert_true(units_parse("1kthreads", "threads", &v, &e) && units_parse("2 Kithread", "threads", &v, &e) &&
		v == 2048);
}

/* Records may be damaged, so values are checked. */
static void values_of_records(void **state)
{
	(void)state;
	static const struct {
		const struct param *p;
		const char *json;
		double value; /* -1: rejected */
	} rows[] = {
		{&stride, "64", 64},
		{&stride, "64.0", 64},
		{&stride, "\"64 KiB\"", 65536},
		{&stride, "8", -1},
		{&stride, "1e308", -1},
		{&stride, "null", -1},
		{&stride, "[64]", -1},
		{&clock_ghz, "1.5360000000000003", 1.5360000000000003},
		{&variant, "\"mad\"", 2},
		{&variant, "2", 2},
		{&variant, "\"madd\"", -1},
		{&variant, "3", -1},
		{&variant, "-1e-9", -1},
		{&variant, "0.5", -1},
		{&variant, "1e308", -1},
		{&variant, "-9223372036854775808", -1},
		{&variant, "true", -1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double v = -1;
		json_t *o = json_loads(rows[i].json, JSON_DECODE_ANY, NULL);
		assert_non_null(o);
		bool taken = param_from_json(rows[i].p, o, &v, NULL);
		if (taken != (rows[i].value != -1) || v != rows[i].value)
			fail_msg("%s of %s gave %g", rows[i].json, rows[i].p->id, v);
		json_decref(o);
	}
	double v = -1;
	assert_false(param_from_json(&stride, NULL, &v, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_values),
		cmocka_unit_test(invalid_values_are_rejected),
		cmocka_unit_test(one_has_a_singular_unit),
		cmocka_unit_test(values_of_records),
		cmocka_unit_test(stepping_up_and_down),
		cmocka_unit_test(doubling_leaves_zero_and_returns),
		cmocka_unit_test(formatting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
