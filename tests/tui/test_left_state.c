/* The state in which the workbench was left: written, read and restored; broken and old files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/tui/screen_state.h"
#include "tui/lab/files/left_state.h"

static struct app app;
static struct experiment x;
static char folder[] = "/tmp/wavedeck-left-XXXXXX", *file;

static int open_app(void **state)
{
	(void)state;
	made_app(&app, &x, 3, 80, 24);
	return 0;
}

static int close_app(void **state)
{
	(void)state;
	made_free(&app);
	return 0;
}

static void write_file(const char *text)
{
	FILE *f = fopen(file, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* With a record for each point, as it was measured. */
static void pin_measured_curve(struct lab *b, const char *label)
{
	struct measured_curve c = {0};
	made_curve(b, &c, 3, 0);
	c.axis = 0;
	c.header = json_pack("{s:s, s:{s:s, s:[i,i,i]}, s:{s:[s,s,s], s:[{s:s}, {s:s}]}}", "experiment", "made-range",
		"sweep", "param", "rangesize", "values", 1024, 524288, 1 << 28, "columns", "params", "rangesize",
		"size", "variant", "metrics", "id", "latency", "id", "rate");
	assert_non_null(c.header);
	for (int i = 0; i < 3; i++)
		c.points[i].record = json_pack("{s:{s:f, s:f, s:s}, s:s, s:{s:f, s:f}}", "params", "rangesize",
			c.points[i].values[0], "size", c.points[i].values[1], "variant", "published", "status", "ok",
			"metrics", "latency", 100.0 + i, "rate", 1.0);
	assert_true(lab_pin_curve(b, &c, label));
	measured_curve_free(&c);
}

static void what_was_left_is_restored(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	struct lab *b = &app.labs[0];
	b->values[1] = 1 << 22;
	b->values[2] = 1;
	assert_true(lab_set_range(b, 0, "1 KiB..64 KiB:x4", true, &e));
	pin_measured_curve(b, "monday");
	app.view = view_find("table");
	assert_true(left_state_write(&app, &e));
	close_app(NULL);
	open_app(NULL);
	b = &app.labs[0];
	json_t *left = left_state_read(&e);
	if (!left)
		fail_msg("%s", e.text);
	assert_string_equal(left_state_experiment(left), "made-range");
	assert_ptr_equal(left_state_view(left), view_find("table"));
	left_state_restore_current(&app, left);
	assert_true(b->values[1] == 1 << 22 && b->values[2] == 1 && b->axis == 0);
	assert_string_equal(b->ranges[0], "1 KiB..64 KiB:x4");
	assert_int_equal(b->pin_count, 1);
	assert_string_equal(b->pins[0].label, "monday");
	assert_int_equal(b->pins[0].curve.count, 3);
	assert_true(b->pins[0].curve.points[2].metrics[0].value == 102 && !b->pins[0].curve.saved);
	json_decref(left);
}

static void other_experiments_get_their_pins(void **state)
{
	(void)state;
	struct err e = {.text = ""};
	pin_measured_curve(&app.labs[0], "monday");
	assert_true(left_state_write(&app, &e));
	json_t *left = left_state_read(&e);
	assert_non_null(left);
	lab_unpin_curve(&app.labs[0], 0);
	app.current = 1; /* another one is shown */
	left_state_restore_others(&app, left);
	assert_int_equal(app.labs[0].pin_count, 1);
	left_state_restore_others(&app, left);
	assert_int_equal(app.labs[0].pin_count, 1);
	app.current = 0;
	json_decref(left);
}

static void values_that_do_not_fit_keep_their_defaults(void **state)
{
	(void)state;
	struct err e;
	double before[PARAMS_MAX];
	struct lab *b = &app.labs[0];
	memcpy(before, b->values, sizeof before);
	write_file(
		"{\"version\":1,\"shown\":\"made-range\",\"view\":\"no-such\",\"settings\":{\"values\":"
		"{\"size\":7,\"variant\":\"gone\",\"rangesize\":[]},\"ranges\":{\"rangesize\":\"9..1\"},\"axis\":\"no\"},"
		"\"pins\":{\"made-range\":[3,{\"header\":{}},{\"header\":{\"experiment\":\"made-range\"},\"points\":[1]}]}}");
	json_t *left = left_state_read(&e);
	assert_non_null(left);
	left_state_restore_current(&app, left);
	assert_memory_equal(b->values, before, 3 * sizeof *before);
	assert_string_equal(b->ranges[0], "");
	assert_true(b->axis == x.x && b->pin_count == 0);
	assert_null(left_state_view(left));
	json_decref(left);
}

static void broken_and_old_files_are_ignored_with_a_note(void **state)
{
	(void)state;
	static const struct {
		const char *text, *note;
	} cases[] = {
		{"", "is damaged; it is ignored"},
		{"{\"version\":1", "is damaged"},
		{"[1]", "of another version of wavedeck"},
		{"{\"version\":2,\"shown\":\"made-range\"}", "of another version of wavedeck"},
	};
	struct err e;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_file(cases[i].text);
		assert_null(left_state_read(&e));
		if (!strstr(e.text, cases[i].note))
			fail_msg("'%s' lacks '%s'", e.text, cases[i].note);
	}
	unlink(file);
	assert_null(left_state_read(&e));
	assert_string_equal(e.text, "");
}

int main(void)
{
	assert_non_null(mkdtemp(folder));
	setenv("XDG_DATA_HOME", folder, 1);
	file = xasprintf("%s/wavedeck/workbench.json", folder);
#define T(f) cmocka_unit_test_setup_teardown(f, open_app, close_app)
	const struct CMUnitTest tests[] = {
		T(what_was_left_is_restored),
		T(other_experiments_get_their_pins),
		T(values_that_do_not_fit_keep_their_defaults),
		T(broken_and_old_files_are_ignored_with_a_note),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(file);
	char *data = xasprintf("%s/wavedeck", folder);
	rmdir(data);
	rmdir(folder);
	free(data);
	free(file);
	return failed;
}
