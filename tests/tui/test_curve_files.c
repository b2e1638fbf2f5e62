/* Curves as files: what is unsaved, saving, exporting, suggested places, the question on quit, the clipboard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/settings.h"
#include "tests/scratch.h"
#include "tests/tui/screen_state.h"
#include "tui/lab/files/curve_files.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/clipboard.h"
#include "tui/toolkit/key_codes.h"

static char folder[SCRATCH_PATH];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "curves-XXXXXX")))
		return -1;
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("TZ", "UTC", 1);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf %s", folder);
	int status = system(command);
	free(command);
	return status;
}

/* As a sweep leaves it: with a header, and a record in each point. */
static void give_records(struct measured_curve *c)
{
	c->header = json_pack("{s:s, s:s, s:s, s:{s:s}, s:{s:s, s:[i,i]}, s:{s:[s,s,s], s:[{s:s, s:i}]}}", "type",
		"session", "experiment", "made-range", "time", "2027-03-01T10:00:05Z", "device", "device", "soft:made",
		"sweep", "param", "rangesize", "values", 1024, 2048, "columns", "params", "rangesize", "size",
		"variant", "metrics", "id", "latency", "axis", 0);
	for (int i = 0; i < c->count; i++)
		c->points[i].record = json_pack("{s:s, s:{s:f, s:i, s:s}, s:s, s:[f], s:{s:f}}", "type", "point",
			"params", "rangesize", c->points[i].values[0], "size", 1024, "variant", "published", "status",
			"ok", "seconds", 0.01, "metrics", "latency", c->points[i].metrics[0].value);
}

static void open_made(struct app *a, struct experiment *x)
{
	made_app(a, x, 3, 80, 24);
	give_records(&a->labs[0].curve);
}

static void copies_of_a_curve_count_once(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_made(&a, &x);
	assert_int_equal(unsaved_curves_count(&a), 1); /* the previous one has no header */
	assert_true(lab_pin_curve(&a.labs[0], &a.labs[0].curve, "copy"));
	assert_int_equal(unsaved_curves_count(&a), 1);
	give_records(&a.labs[0].previous);
	assert_int_equal(unsaved_curves_count(&a), 2);
	curves_mark_saved(&a, a.labs[0].pins[0].curve.header);
	assert_true(a.labs[0].curve.saved);
	assert_int_equal(unsaved_curves_count(&a), 1);
	made_free(&a);
}

static void a_curve_without_results_is_not_offered(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_made(&a, &x);
	for (int i = 0; i < 3; i++)
		a.labs[0].curve.points[i].status = POINT_FAILED;
	assert_int_equal(unsaved_curves_count(&a), 0);
	made_free(&a);
}

static void quitting_asks_and_saves(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_made(&a, &x);
	app_handle_key(&a, 'q');
	assert_true(a.input.is_open && !a.quit);
	app_handle_key(&a, TK_ENTER); /* no choice */
	assert_true(a.input.is_open && !a.quit);
	app_handle_key(&a, TK_ESC);
	assert_true(!a.input.is_open && !a.quit);
	app_handle_key(&a, 'q');
	app_handle_key(&a, 's');
	assert_true(a.quit && a.message_at_end && !a.input.is_open);
	char *path = xasprintf("%s/wavedeck/sessions/2027-03-01_100005-made-range-soft-made.wbs", folder);
	struct session *s = session_load(path, NULL);
	assert_non_null(s);
	assert_int_equal(s->points.count, 3);
	assert_true(s->complete);
	session_free(s);
	free(path);
	a.quit = false;
	app_handle_key(&a, 'q'); /* nothing is left to save */
	assert_true(a.quit);
	made_free(&a);
}

static void settings_answer_once_for_all(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_made(&a, &x);
	assert_true(setting_set("unsaved", "discard", NULL, NULL));
	app_handle_key(&a, 'q');
	assert_true(a.quit && !a.labs[0].curve.saved);
	a.quit = false;
	assert_true(setting_set("unsaved", "save", NULL, NULL));
	app_handle_key(&a, 'q');
	assert_true(a.quit && a.labs[0].curve.saved);
	assert_true(setting_set("unsaved", "ask", NULL, NULL));
	made_free(&a);
}

/* Exports to a file of that name; returns what is in it, until the next export. */
static const char *export_made(struct app *a, const char *name)
{
	static char text[1 << 18];
	char *path = xasprintf("%s/%s", folder, name);
	struct err e = {0};
	assert_true(app_run_action(a, "export", path, &e));
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof text - 1, in)] = 0;
	fclose(in);
	free(path);
	return text;
}

static void check_export(struct app *a, const char *name, const char *content)
{
	assert_non_null(strstr(export_made(a, name), content));
}

/* The pinned copy has the same records, which stay as they are. */
static void double_latencies(struct measured_curve *c)
{
	for (int i = 0; i < c->count; i++) {
		json_t *record = json_deep_copy(c->points[i].record);
		json_object_set_new(
			json_object_get(record, "metrics"), "latency", json_real(2 * c->points[i].metrics[0].value));
		json_decref(c->points[i].record);
		c->points[i].record = record;
	}
}

/* What the plot shows with the curve is in the picture and the report, not in the curve's data. */
static void pinned_curves_are_exported_as_their_ratio(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	static const char ratio[] = "ratio to the current curve";
	open_made(&a, &x);
	assert_null(strstr(export_made(&a, "alone.svg"), ratio));
	assert_true(lab_pin_curve(&a.labs[0], &a.labs[0].curve, "before"));
	double_latencies(&a.labs[0].curve);
	static const char *const pictures[] = {"pinned.svg", "pinned.html"};
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
		const char *text = export_made(&a, pictures[i]);
		assert_non_null(strstr(text, ratio));
		assert_non_null(strstr(text, "1 before, ratio"));
		assert_non_null(strstr(text, "data-y=\"0.5\"")); /* pinned / current */
	}
	assert_null(strstr(export_made(&a, "pinned.csv"), "before"));
	a.labs[0].pins[0].curve.axis = 1; /* over another parameter: not shown, not exported */
	assert_null(strstr(export_made(&a, "other.svg"), ratio));
	a.labs[0].pins[0].curve.axis = 0;
	made_free(&a);
}

static void the_extension_selects_the_format(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e = {0};
	open_made(&a, &x);
	check_export(&a, "curve.csv", "\nrangesize,size,variant,latency,");
	check_export(&a, "curve.json", "\"points\":[");
	check_export(&a, "curve.svg", "<svg");
	check_export(&a, "curve.txt", "Experiments");
	assert_false(a.labs[0].curve.saved);
	check_export(&a, "curve.wbs", "{\"type\":\"session\"");
	assert_true(a.labs[0].curve.saved);
	assert_true(app_run_action(&a, "export", "curve.exe", &e));
	assert_non_null(strstr(a.message, ".html or .wbs"));
	measured_curve_free(&a.labs[0].curve);
	assert_true(app_run_action(&a, "export", "none.csv", &e));
	assert_non_null(strstr(a.message, "no points are measured yet"));
	made_free(&a);
}

static void the_last_folder_is_suggested(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_made(&a, &x);
	char *here = getcwd(NULL, 0), *first = export_suggest_path(&a, "a.csv"), *path = path_from_user(first);
	assert_int_equal(strncmp(path, here, strlen(here)), 0);
	check_export(&a, "curve.csv", "rangesize");
	char *next = export_suggest_path(&a, "b.csv"), *want = xasprintf("%s/b.csv", folder);
	assert_string_equal(next, want);
	free(here), free(first), free(path), free(next), free(want);
	made_free(&a);
}

static void check_sequence(const char *text, const char *want)
{
	char *sequence = clipboard_sequence(text);
	assert_string_equal(sequence, want);
	free(sequence);
}

static void the_clipboard_gets_base64(void **state)
{
	(void)state;
	check_sequence("", "\033]52;c;\a");
	check_sequence("f", "\033]52;c;Zg==\a");
	check_sequence("fo", "\033]52;c;Zm8=\a");
	check_sequence("foo\xc2\xb5", "\033]52;c;Zm9vwrU=\a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_of_a_curve_count_once),
		cmocka_unit_test(a_curve_without_results_is_not_offered),
		cmocka_unit_test(quitting_asks_and_saves),
		cmocka_unit_test(settings_answer_once_for_all),
		cmocka_unit_test(the_extension_selects_the_format),
		cmocka_unit_test(pinned_curves_are_exported_as_their_ratio),
		cmocka_unit_test(the_last_folder_is_suggested),
		cmocka_unit_test(the_clipboard_gets_base64),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
