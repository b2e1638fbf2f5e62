/* Definitions of captured launches: the jobs that they become, and their errors. */
#include "tests/experiments/engine_fixture.h"

#include "experiments/sweep/sweep.h"
#include "gpu/protocol/record.h"

/* With a function `captured` of this code. The caller frees it. */
static char *write_captured(const char *code)
{
	fixture_write("1.co", "code", 4);
	return xasprintf("return {\n  title = \"T\", params = { { \"n\", min = 1, max = 8, default = 4 } },\n"
			 "  kernel = { file = \"1.co\", entry = \"_Z3sum\" }, launch = { grid = 1, block = 64 },\n"
			 "  captured = function(p) %s end,\n"
			 "  metrics = { { \"it\", function(m, p, v) return m.seconds end } },\n}\n",
		code);
}

static struct experiment *load_captured(const char *code)
{
	char *text = write_captured(code);
	struct experiment *x = fixture_load(text);
	free(text);
	return x;
}

static void refuse(const char *code, const char *phrase)
{
	char *text = write_captured(code);
	fixture_refused(text, 0, phrase);
	free(text);
}

static json_t *build_default_job(struct experiment *x)
{
	double values[PARAMS_MAX];
	struct err e = {.text = ""};
	fixture_values(x, values);
	json_t *job = experiment_build_job(x, values, false, "", true, &e);
	if (!job)
		fail_msg("%s", e.text);
	return job;
}

static void captured_launches(void **state)
{
	(void)state;
	struct experiment *x = load_captured("return { launch = \"launches/\" .. p.n .. \".launch\","
					     " constants = { l1_bytes = 1024 * p.n }, caches = \"warm\" }");
	json_t *job = build_default_job(x), *captured = json_object_get(job, "captured");
	char *file = xasprintf("%s/launches/4.launch", fixture_folder);
	assert_string_equal(record_get_text(captured, "file"), file);
	assert_string_equal(record_get_text(captured, "constants"), "l1_bytes=4096");
	assert_true(json_is_true(json_object_get(captured, "warm")));
	json_decref(job);
	free(file);
	experiment_free(x);
	x = load_captured("return { launch = \"1.launch\" }");
	captured = json_object_get(job = build_default_job(x), "captured");
	assert_string_equal(record_get_text(captured, "constants"), "");
	assert_true(json_is_false(json_object_get(captured, "warm")));
	json_decref(job);
	experiment_free(x);
}

static void captured_launches_are_checked(void **state)
{
	static const struct {
		const char *returned, *phrase;
	} wrong[] = {
		{"\"1.launch\"", "captured: "},
		{"{}", "captured.launch"},
		{"{ launch = 1 }", "captured.launch"},
		{"{ launch = \"1.launch\", cache = \"warm\" }", "captured.cache"},
		{"{ launch = \"1.launch\", caches = \"cold\" }", "use \"captured\" or \"warm\""},
		{"{ launch = \"1.launch\", constants = 3 }", "captured.constants"},
		{"{ launch = \"1.launch\", constants = { l1_bytes = 1.5 } }", "whole number"},
		{"{ launch = \"1.launch\", constants = { l1_bytes = \"x\" } }", "captured.constants.l1_bytes"},
		{"{ launch = \"1.launch\", constants = { [\"a,b\"] = 1 } }", "the name of a constant"},
		{"{ launch = \"1.launch\", constants = { 4 } }", "the name of a constant"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *code = xasprintf("return %s", wrong[i].returned);
		refuse(code, wrong[i].phrase);
		free(code);
	}
	refuse("return { launch = \"1.launch\" } end, args = {}, values = function()",
		"not allowed together with captured");
	refuse("return { launch = \"/etc/passwd\" }", "give only the name of a file in the definition's folder");
	refuse("return { launch = \"../1.launch\" }", "give only the name of a file in the definition's folder");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captured_launches),
		cmocka_unit_test(captured_launches_are_checked),
	};
	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
