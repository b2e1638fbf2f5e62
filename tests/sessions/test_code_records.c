/* The code of points in session files: written once and again every thousand points, in points only its hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"
#include "sessions/load/session_scan.h"
#include "sessions/record/code_writer.h"
#include "sessions/session.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static char *in_folder(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static json_t *make_point(int n, int valu)
{
	return json_pack("{s:s, s:{s:i}, s:s, s:{s:i, s:{s:i}}, s:{s:f}}", "type", "point", "params", "n", n, "status",
		"ok", "code", "valu", valu, "named", "v_add", valu, "metrics", "latency", 361.25);
}

/* Records points `from` to below `to`; every third one has another kernel. */
static void record_points(struct recorder *r, int from, int to)
{
	struct err e = {0};
	for (int i = from; i < to; i++) {
		json_t *p = make_point(i, i % 3 ? 8 : 9);
		assert_true(recorder_write_record(r, p, &e));
		assert_true(json_is_object(json_object_get(p, "code"))); /* the caller's record is as it was */
		json_decref(p);
	}
}

static void record_file(const char *path, int schema, int points)
{
	struct err e = {0};
	json_t *h = json_pack("{s:s, s:i, s:s}", "type", "session", "schema", schema, "experiment", "x");
	struct recorder *r = recorder_open(path, h, &e);
	assert_non_null(r);
	record_points(r, 0, points);
	assert_true(recorder_close(r, &e));
	json_decref(h);
}

static size_t count_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0, n = 0;
	assert_non_null(f);
	while (getline(&line, &room, f) >= 0)
		n += strstr(line, text) != NULL;
	free(line);
	fclose(f);
	return n;
}

static void assert_all_have_code(const char *path, size_t count, size_t bad_lines)
{
	struct err e = {0};
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, count);
	assert_int_equal(s->bad_lines, bad_lines);
	for (size_t i = 0; i < count; i++) {
		json_t *want = make_point((int)i, i % 3 ? 8 : 9);
		assert_true(json_equal(
			json_object_get(point_list_get(&s->points, i), "code"), json_object_get(want, "code")));
		json_decref(want);
	}
	session_free(s);
}

static void code_is_written_every_thousand_points(void **state)
{
	(void)state;
	char *path = in_folder("long.wbs");
	record_file(path, SESSION_SCHEMA, 2 * CODE_REPEAT + 10);
	assert_int_equal(count_text(path, "\"type\":\"code\""), 6); /* of two kernels, three times */
	assert_int_equal(count_text(path, "\"valu\""), 6);
	assert_int_equal(count_text(path, "\"schema\":2"), 1);
	assert_all_have_code(path, 2 * CODE_REPEAT + 10, 0);
	free(path);
}

/* A version that knows only schema 1 may read such a file. */
static void a_file_of_schema_1_keeps_its_form(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("old.wbs");
	record_file(path, 1, 3);
	struct session *s = session_load(path, &e);
	struct recorder *r = recorder_open_existing(path, &e);
	recorder_continue_session(r, s);
	record_points(r, 3, 6);
	assert_true(recorder_close(r, &e));
	session_free(s);
	assert_int_equal(count_text(path, "\"valu\""), 6);
	assert_int_equal(count_text(path, "\"type\":\"code\""), 0);
	assert_all_have_code(path, 6, 0);
	free(path);
}

/* The file ends at each byte of its last lines, of which one is a code record; then it is continued. */
static void a_file_that_was_cut_is_continued(void **state)
{
	(void)state;
	char *path = in_folder("cut.wbs");
	record_file(path, SESSION_SCHEMA, 2);
	FILE *f = fopen(path, "r");
	char text[4096] = "";
	size_t n = fread(text, 1, sizeof text, f), from = (size_t)(strstr(text, "{\"type\":\"code\"") - text);
	fclose(f);
	assert_int_equal(count_text(path, "\"type\":\"code\""), 2);
	for (size_t end = from; end < n; end++) {
		struct err e = {0};
		f = fopen(path, "w");
		fwrite(text, 1, end, f);
		fclose(f);
		struct session *s = session_load(path, &e);
		struct recorder *r = recorder_open_existing(path, &e);
		assert_true(s && r);
		recorder_continue_session(r, s);
		record_points(r, (int)s->points.count, 5);
		assert_true(recorder_close(r, &e));
		session_free(s);
		assert_all_have_code(path, 5, 0);
	}
	free(path);
}

/* A damaged line costs the code of the points up to the next copy, not the points. */
static void a_lost_code_record_comes_again(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("lost.wbs"), command[2 * SCRATCH_PATH];
	record_file(path, SESSION_SCHEMA, CODE_REPEAT + 4);
	snprintf(command, sizeof command, "sed -i '2s/code/c\\x01de/;2s/..$//' '%s'", path);
	assert_int_equal(system(command), 0);
	struct session *s = session_load(path, &e);
	assert_int_equal(s->bad_lines, 1);
	assert_int_equal(s->points.count, CODE_REPEAT + 4);
	assert_null(json_object_get(point_list_get(&s->points, 0), "code"));
	assert_non_null(json_object_get(point_list_get(&s->points, 1), "code"));
	assert_non_null(json_object_get(point_list_get(&s->points, CODE_REPEAT + 2), "code"));
	session_free(s);
	free(path);
}

static void lists_of_sessions_count_the_points(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("scan.wbs");
	record_file(path, SESSION_SCHEMA, 4);
	struct session_scan *scan = session_scan_open(path, true, &e);
	while (session_scan_read(scan, 1 << 20))
		;
	assert_int_equal(session_scan_summary(scan)->points, 4);
	assert_int_equal(session_scan_summary(scan)->bad_lines, 0);
	json_t *p = session_scan_read_point(scan, 1);
	assert_int_equal(record_get_integer(record_get_params(p), "n"), 1);
	assert_null(json_object_get(p, "code")); /* no text where others expect an object */
	json_decref(p);
	session_scan_close(scan);
	free(path);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(scratch_path(folder, "code-XXXXXX")) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf '%s'", folder);
	int rc = system(command);
	free(command);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_written_every_thousand_points),
		cmocka_unit_test(a_file_of_schema_1_keeps_its_form),
		cmocka_unit_test(a_file_that_was_cut_is_continued),
		cmocka_unit_test(a_lost_code_record_comes_again),
		cmocka_unit_test(lists_of_sessions_count_the_points),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
