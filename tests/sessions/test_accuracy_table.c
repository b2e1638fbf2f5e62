/* The accuracy of each model: the shipped files, and files that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/paths.h"
#include "sessions/compare/accuracy_table.h"
#include "tests/scratch.h"

static void the_shipped_files_are_read(void **state)
{
	(void)state;
	struct accuracy_table t;
	struct err e = {.text = ""};
	char *folder = path_share("accuracy");
	int of_mi25 = 0;
	if (!accuracy_load(folder, &t, &e))
		fail_msg("%s", e.text);
	for (int i = 0; i < t.count; i++) {
		assert_true(!strncmp(t.rows[i].device, "soft:", 5) && *t.rows[i].kind);
		assert_true(t.rows[i].rows >= 1 && t.rows[i].median >= 0);
		of_mi25 += !strcmp(t.rows[i].device, "soft:mi25");
	}
	assert_in_range(of_mi25, 5, 100);
	accuracy_free(&t);
	free(folder);
}

/* --- files of the test --- */
static char folder[SCRATCH_PATH], path[SCRATCH_PATH + 16];

static int make_folder(void **state)
{
	(void)state;
	scratch_path(folder, "accuracy");
	snprintf(path, sizeof path, "%s/mi25.json", folder);
	return mkdir(folder, 0700);
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static bool load(const char *text, struct accuracy_table *t, struct err *e)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return accuracy_load(folder, t, e);
}

#define KIND(name, rows, median) \
	"{\"kind\": \"" name "\", \"rows\": 9, \"unfitted\": {\"rows\": " rows ", \"median\": " median "}}"
#define FILE_OF(device, kinds) "{\"measured_on\": \"" device "\", \"kinds\": [" kinds "]}"

static void kinds_without_rows_and_the_sum_are_left_out(void **state)
{
	(void)state;
	struct accuracy_table t;
	struct err e = {.text = ""};
	assert_true(load(
		FILE_OF("soft:mi25",
			KIND("latency", "5", "0.011") ", " KIND("LDS", "0", "null") ", " KIND("all", "5", "0.011")),
		&t, &e));
	assert_int_equal(t.count, 1);
	assert_string_equal(t.rows[0].device, "soft:mi25");
	assert_string_equal(t.rows[0].kind, "latency");
	assert_true(t.rows[0].rows == 5 && t.rows[0].median == 0.011);
	accuracy_free(&t);
}

static void refuse(const char *text, const char *phrase)
{
	struct accuracy_table t;
	struct err e = {.text = ""};
	if (load(text, &t, &e))
		fail_msg("accepted, but expected: %s", phrase);
	if (!strstr(e.text, phrase) || !strstr(e.text, "mi25.json: "))
		fail_msg("'%s' lacks '%s' or the file", e.text, phrase);
	assert_int_equal(t.count, 0);
}

static void wrong_files_are_refused(void **state)
{
	(void)state;
	struct accuracy_table t;
	struct err e;
	refuse("", "share/accuracy/README.md");
	refuse("[]", "'measured_on' is not a model");
	refuse(FILE_OF("soft:mi25,l1_bytes=65536", ""), "'measured_on' is not a model");
	refuse("{\"measured_on\": \"soft:mi25\"}", "no list 'kinds'");
	refuse(FILE_OF("soft:mi25", KIND("lag", "5", "0.1")), "no known kind");
	refuse(FILE_OF("soft:mi25", "{}"), "no known kind");
	refuse(FILE_OF("soft:mi25", KIND("latency", "-1", "0.1")), "no number of rows");
	refuse(FILE_OF("soft:mi25", KIND("LDS", "1", "1") "," KIND("latency", "5", "null")), "no median of them");
	refuse(FILE_OF("soft:mi25", KIND("latency", "5", "-0.1")), "below 0");
	assert_false(accuracy_load("/dev/null", &t, &e)); /* no folder */
	assert_non_null(strstr(e.text, "cannot read /dev/null"));
	assert_true(accuracy_load("/proc/none", &t, &e)); /* a program without its share/ */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shipped_files_are_read),
		cmocka_unit_test_setup_teardown(
			kinds_without_rows_and_the_sum_are_left_out, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(wrong_files_are_refused, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
