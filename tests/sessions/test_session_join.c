/* Joining sessions that contain parts of one plan: the order, duplicates, damage, and what is not one measurement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "sessions/join/session_join.h"
#include "tests/scratch.h"

enum { POINTS = 4 };

static char *make_path(const char *name)
{
	char path[SCRATCH_PATH];
	return xstrdup(scratch_path(path, name));
}

/* Removes the file, too. */
static void drop_file(char *path)
{
	unlink(path);
	free(path);
}

static char *write_text(const char *name, const char *text)
{
	char *path = make_path(name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

static char *header_line(const char *device, bool deterministic, const char *batch)
{
	return xasprintf(
		"{\"type\":\"session\",\"schema\":1,\"time\":\"T\",\"experiment\":\"e\",\"sweep\":{\"param\":\"p\",\"values\":[0,1,2,3]},"
		"\"device\":{\"device\":\"%s\","
		"\"deterministic\":%s,\"versions\":{\"hip\":\"5\"}}%s}\n",
		device, deterministic ? "true" : "false", batch);
}

static char *point_line(int point, int job, double seconds, const char *status)
{
	return xasprintf(
		"{\"type\":\"point\",\"job\":%d,\"point\":%d,\"experiment\":\"e\",\"params\":{\"p\":%d},\"status\":\"%s\",\"seconds\":[%g],\"at\":%d.5}\n",
		job, point, point, status, seconds, job);
}

/* A session of points on a deterministic device; `seconds` of each is its number unless `other`. */
static char *write_session(const char *name, const char *device, const int *points, int count, double more)
{
	struct buf b = {0};
	char *line = header_line(device, true, ",\"batch\":{\"task\":1}");
	buf_puts(&b, line);
	free(line);
	for (int i = 0; i < count; i++) {
		line = point_line(points[i], i + 1, points[i] + 0.25 + more, "ok");
		buf_puts(&b, line);
		free(line);
	}
	char *path = write_text(name, b.data);
	buf_free(&b);
	return path;
}

static char *read_text(const char *path)
{
	struct buf b = {0};
	char chunk[4096];
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f));)
		buf_add(&b, chunk, n);
	fclose(f);
	return b.data;
}

static void points_are_in_the_order_of_the_plan(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *late = write_session("late.wbs", "soft:a", (int[]){2, 3}, 2, 0);
	char *early = write_session("early.wbs", "soft:a", (int[]){0, 1}, 2, 0), *out = make_path("out.wbs");
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, late, &e));
	assert_int_equal(j.have, 2);
	assert_false(session_join_has(&j, 0));
	assert_true(session_join_add(&j, early, &e));
	assert_int_equal(j.have, POINTS);
	assert_true(session_join_write(&j, out, &e));
	struct buf expected = {0};
	char *line = header_line("soft:a", true, "");
	buf_puts(&expected, line);
	free(line);
	for (int i = 0; i < POINTS; i++) { /* the job numbers of one run; "at" stays that of the task */
		line = xasprintf(
			"{\"type\":\"point\",\"job\":%d,\"point\":%d,\"experiment\":\"e\",\"params\":{\"p\":%d},\"status\":\"ok\",\"seconds\":[%d.25],\"at\":%d.5}\n",
			i + 1, i, i, i, i % 2 + 1);
		buf_puts(&expected, line);
		free(line);
	}
	buf_puts(&expected, "{\"type\":\"end\",\"points\":4}\n");
	char *text = read_text(out);
	assert_string_equal(text, expected.data);
	free(text);
	buf_free(&expected);
	session_join_free(&j);
	drop_file(late);
	drop_file(early);
	drop_file(out);
}

static char *write_part(const char *name, int point, const char *properties)
{
	char *record = point_line(point, 1, point + 1, "ok");
	char *text = xasprintf(
		"{\"type\":\"session\",\"schema\":2,\"experiment\":\"e\",\"sweep\":{\"param\":\"p\",\"values\":[0,1,2,3]},"
		"\"device\":{\"device\":\"hip:0\",\"properties\":{%s}},\"batch\":{\"task\":1}}\n%s",
		properties, record);
	char *path = write_text(name, text);
	free(text);
	free(record);
	return path;
}

/* Older programs wrote the slot of the GPU, which differs from node to node. */
static void parts_of_other_slots_are_joined_without_a_remark(void **state)
{
	(void)state;
	struct err e = {0};
	char *parts[] = {write_part("a.wbs", 0, "\"pci\":\"0000:03:00.0\",\"compute_units\":64"),
		write_part("b.wbs", 1, "\"pci\":\"0000:c3:00.0\",\"compute_units\":64"),
		write_part("c.wbs", 2, "\"compute_units\":64"), write_part("d.wbs", 3, "\"compute_units\":60")};
	struct session_join j;
	session_join_init(&j, POINTS, NULL);
	for (int i = 0; i < 4; i++) {
		assert_true(session_join_add(&j, parts[i], &e));
		assert_int_equal(j.remark != NULL, i == 3);
	}
	session_join_free(&j);
	for (int i = 0; i < 4; i++)
		drop_file(parts[i]);
}

/* Writes a session as a run of these points records it: the code of each kernel once, before the first point of it. The
 * points 0 and 2 have one kernel, 1 and 3 the other. */
static char *write_code_session(const char *name, const int *points, int count, bool is_part)
{
	struct buf b = {0};
	bool written[2] = {false, false};
	buf_printf(&b,
		"{\"type\":\"session\",\"schema\":2,\"experiment\":\"e\",\"sweep\":{\"param\":\"p\",\"values\":[0,1,2,3]},"
		"\"device\":{\"device\":\"soft:a\",\"deterministic\":true}%s}\n",
		is_part ? ",\"batch\":{\"task\":1}" : "");
	for (int i = 0; i < count; i++) {
		int kernel = points[i] % 2;
		char hash[CODE_HASH_TEXT];
		json_t *code = json_pack("{s:i, s:{s:i}}", "valu", 10 + kernel, "loop", "vmem", kernel),
		       *record = code_record_build(code_format_hash(code, hash), code);
		char *line = record_format_line(record);
		if (!written[kernel])
			buf_puts(&b, line);
		written[kernel] = true;
		buf_printf(&b,
			"{\"type\":\"point\",\"job\":%d,\"point\":%d,\"experiment\":\"e\",\"params\":{\"p\":%d},\"status\":\"ok\","
			"\"code\":\"%s\",\"seconds\":[%d.25]}\n",
			i + 1, points[i], points[i], hash, points[i]);
		free(line);
		json_decref(record);
		json_decref(code);
	}
	buf_printf(&b, "{\"type\":\"end\",\"points\":%d}\n", count);
	char *path = write_text(name, b.data);
	buf_free(&b);
	return path;
}

/* Each part has the code of its points; one part comes from a killed program and is tried again. */
static void code_of_all_parts_is_written_as_a_local_run_writes_it(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *parts[] = {write_code_session("b.wbs", (int[]){3, 2}, 2, true),
		write_code_session("a.wbs", (int[]){1}, 1, true),
		write_code_session("again.wbs", (int[]){0, 1}, 2, true)};
	char *local = write_code_session("local.wbs", (int[]){0, 1, 2, 3}, POINTS, false), *out = make_path("out.wbs");
	session_join_init(&j, POINTS, NULL);
	for (int i = 0; i < 3; i++)
		assert_true(session_join_add(&j, parts[i], &e));
	assert_int_equal(j.have, POINTS);
	assert_true(session_join_write(&j, out, &e));
	char *expected = read_text(local), *text = read_text(out);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
	session_join_free(&j);
	for (int i = 0; i < 3; i++)
		drop_file(parts[i]);
	drop_file(local);
	drop_file(out);
}

static void equal_points_count_once_and_others_name_both_files(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *one = write_session("one.wbs", "soft:a", (int[]){0, 1}, 2, 0);
	char *same = write_session("same.wbs", "soft:a", (int[]){1, 2}, 2, 0);
	char *other = write_session("other.wbs", "soft:a", (int[]){2}, 1, 0.5);
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, one, &e));
	assert_true(session_join_add(&j, same, &e));
	assert_int_equal(j.have, 3);
	assert_false(session_join_add(&j, other, &e));
	assert_non_null(strstr(e.text, "point 2 has different results"));
	assert_non_null(strstr(e.text, "same.wbs"));
	assert_non_null(strstr(e.text, "other.wbs"));
	session_join_free(&j);
	drop_file(one);
	drop_file(same);
	drop_file(other);
}

static void another_device_is_another_measurement(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *a = write_session("a.wbs", "soft:a", (int[]){0}, 1, 0);
	char *b = write_session("b.wbs", "soft:b", (int[]){1}, 1, 0);
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, a, &e));
	assert_false(session_join_add(&j, b, &e));
	assert_non_null(strstr(e.text, "differ in 'device'"));
	session_join_free(&j);
	drop_file(a);
	drop_file(b);
}

static void a_measured_point_replaces_a_failed_one(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *header = header_line("hip:0", false, ""), *bad = point_line(1, 1, 0, "failed"),
	     *good = point_line(1, 1, 7, "ok"), *later = point_line(1, 1, 8, "ok");
	char *first = xasprintf("%s%s", header, bad), *second = xasprintf("%s%s", header, good),
	     *third = xasprintf("%s%s", header, later);
	char *paths[] = {write_text("f1.wbs", first), write_text("f2.wbs", second), write_text("f3.wbs", third)};
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, paths[0], &e));
	assert_true(session_join_failed(&j, 1));
	assert_int_equal(j.failed, 1);
	assert_true(session_join_add(&j, paths[1], &e));
	assert_false(session_join_failed(&j, 1));
	assert_int_equal(j.failed, 0);
	assert_int_equal(j.have, 1);
	assert_true(session_join_add(&j, paths[2], &e)); /* measured twice on hardware: the first one stays */
	assert_true(session_join_add(&j, paths[0], &e));
	assert_false(session_join_failed(&j, 1));
	const json_t *seconds = json_object_get(point_list_get(&j.points, 1), "seconds");
	assert_true(json_number_value(json_array_get(seconds, 0)) == 7);
	session_join_free(&j);
	char *texts[] = {header, bad, good, later, first, second, third};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(texts[i]);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		drop_file(paths[i]);
}

static void what_a_killed_program_left_counts_as_far_as_it_is_complete(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *empty = write_text("empty.wbs", ""), *whole = write_session("whole.wbs", "soft:a", (int[]){0, 1}, 2, 0);
	struct stat st;
	assert_int_equal(stat(whole, &st), 0);
	assert_int_equal(truncate(whole, st.st_size - 20), 0);
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, empty, &e));
	assert_null(j.header);
	assert_true(session_join_add(&j, whole, &e));
	assert_int_equal(j.have, 1);
	session_join_free(&j);
	drop_file(empty);
	drop_file(whole);
}

static void a_session_is_a_regular_file(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *path = make_path("pipe.wbs");
	session_join_init(&j, POINTS, NULL);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(session_join_add(&j, path, &e));
	assert_non_null(strstr(e.text, "pipe.wbs: it is not a regular file; remove it"));
	session_join_free(&j);
	drop_file(path);
}

static void a_point_outside_of_the_plan_is_refused(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *path = write_session("far.wbs", "soft:a", (int[]){POINTS}, 1, 0);
	session_join_init(&j, POINTS, NULL);
	assert_false(session_join_add(&j, path, &e));
	assert_non_null(strstr(e.text, "outside of the plan of 4 points"));
	session_join_free(&j);
	drop_file(path);
}

static void only_the_same_measurement_is_replaced(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	char *a = write_session("ra.wbs", "soft:a", (int[]){0}, 1, 0),
	     *b = write_session("rb.wbs", "soft:b", (int[]){0}, 1, 0);
	char *text = write_text("letter.txt", "Dear reader\n"), *own = make_path("own.wbs");
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, a, &e));
	assert_true(session_join_write(&j, own, &e));
	assert_true(session_join_write(&j, own, &e));
	assert_false(session_join_write(&j, b, &e));
	assert_false(session_join_write(&j, text, &e));
	assert_non_null(strstr(e.text, "not a session of this measurement"));
	session_join_free(&j);
	drop_file(a);
	drop_file(b);
	drop_file(text);
	drop_file(own);
}

/* What a program or a machine that died left: a header that is not complete counts as an empty file. */
static void a_file_without_a_complete_header_counts_as_empty(void **state)
{
	(void)state;
	char *line = header_line("soft:a", true, "");
	line[strlen(line) - 1] = 0;
	for (size_t cut = strlen(line) - 1; cut > 0; cut /= 2) {
		struct session_join j;
		struct err e = {0};
		line[cut] = 0;
		char *torn = write_text("torn.wbs", line);
		session_join_init(&j, POINTS, NULL);
		assert_true(session_join_add(&j, torn, &e));
		assert_int_equal(j.have, 0);
		assert_int_equal(truncate(torn, 0) || truncate(torn, 5000), 0); /* zeros */
		assert_true(session_join_add(&j, torn, &e));
		session_join_free(&j);
		drop_file(torn);
	}
	free(line);
}

static void a_session_has_the_plan_of_its_batch(void **state)
{
	(void)state;
	struct session_join j;
	struct err e = {0};
	json_t *plan = json_pack("{s:{s:s, s:[i, i, i, i]}}", "sweep", "param", "p", "values", 0, 1, 2, 3);
	char *path = write_session("planned.wbs", "soft:a", (int[]){0, 1}, 2, 0);
	session_join_init(&j, POINTS, plan);
	assert_true(session_join_add(&j, path, &e));
	session_join_free(&j);
	json_object_set_new(plan, "params", json_pack("{s:i}", "q", 1));
	session_join_init(&j, POINTS, plan);
	assert_false(session_join_add(&j, path, &e));
	assert_non_null(strstr(e.text, "another 'params' than the plan has"));
	session_join_free(&j);
	json_object_set_new(plan, "open", json_pack("[s]", "q")); /* the device decides */
	session_join_init(&j, POINTS, plan);
	assert_true(session_join_add(&j, path, &e));
	session_join_free(&j);
	json_object_set_new(plan, "sweep", json_pack("{s:s, s:[i, i, i, i]}", "param", "p", "values", 7, 8, 9, 10));
	session_join_init(&j, POINTS, plan);
	assert_false(session_join_add(&j, path, &e));
	assert_non_null(strstr(e.text, "another 'sweep' than the plan has"));
	session_join_free(&j);
	json_object_set_new(plan, "open", json_pack("[s, s]", "q", "p"));
	session_join_init(&j, POINTS, plan);
	assert_true(session_join_add(&j, path, &e));
	session_join_free(&j);
	json_array_clear(json_object_get(json_object_get(plan, "sweep"), "values")); /* as many values as the plan */
	session_join_init(&j, POINTS, plan);
	assert_false(session_join_add(&j, path, &e));
	session_join_free(&j);
	drop_file(path);
	json_decref(plan);
}

/* A session of one point with these members, after a session with points 0 and 1 of another kernel. */
static void check_refused(const char *members, const char *why)
{
	struct session_join j;
	struct err e = {0};
	char *line = header_line("soft:a", true, ""),
	     *file = xasprintf("%s{\"type\":\"point\",\"job\":1,%s}\n", line, members);
	char *first = xasprintf("%s{\"type\":\"point\",\"job\":1,\"point\":0,\"experiment\":\"e\",\"params\":{\"p\":0},"
				"\"status\":\"ok\",\"kernel\":{\"files\":{\"k.hip\":\"1\",\"a.h\":\"2\"},"
				"\"compiler\":\"clang 15.0.6\",\"libraries\":\"7\"}}\n",
		line);
	char *a = write_text("a.wbs", first), *b = write_text("b.wbs", file);
	session_join_init(&j, POINTS, NULL);
	assert_true(session_join_add(&j, a, &e));
	bool ok = session_join_add(&j, b, &e);
	if (why)
		assert_non_null(strstr(e.text, why));
	else if (!ok)
		fail_msg("%s", e.text);
	assert_int_equal(ok, !why);
	session_join_free(&j);
	drop_file(a);
	drop_file(b);
	free(line);
	free(file);
	free(first);
}

#define POINT_1 "\"point\":1,\"experiment\":\"e\",\"params\":{\"p\":1},\"status\":\"ok\""
static void a_point_is_the_one_of_the_plan_and_of_the_same_kernel(void **state)
{
	(void)state;
	check_refused(POINT_1, NULL);
	check_refused("\"point\":1,\"experiment\":\"e\",\"params\":{\"p\":2},\"status\":\"ok\"",
		"other parameters for point 1");
	check_refused("\"point\":1,\"experiment\":\"f\",\"params\":{\"p\":1},\"status\":\"ok\"",
		"other parameters for point 1");
	check_refused(
		"\"point\":1,\"experiment\":\"e\",\"params\":{},\"status\":\"ok\"", "other parameters for point 1");
	check_refused(POINT_1 ",\"kernel\":{\"files\":{\"k.hip\":\"1\",\"b.h\":\"5\"}}", NULL);
	check_refused(POINT_1 ",\"kernel\":{\"files\":{\"k.hip\":\"1\",\"a.h\":\"3\"}}", "a.h has changed");
	check_refused(POINT_1 ",\"kernel\":{\"compiler\":\"clang 16.0.6\"}",
		"the compiler is clang 16.0.6, and was clang 15.0.6");
	check_refused(POINT_1 ",\"kernel\":{\"compiler\":\"prebuilt: clang 16.0.6\"}", NULL);
	check_refused(POINT_1 ",\"kernel\":{\"libraries\":\"8\"}", "device libraries");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_point_is_the_one_of_the_plan_and_of_the_same_kernel),
		cmocka_unit_test(parts_of_other_slots_are_joined_without_a_remark),
		cmocka_unit_test(a_file_without_a_complete_header_counts_as_empty),
		cmocka_unit_test(a_session_has_the_plan_of_its_batch),
		cmocka_unit_test(points_are_in_the_order_of_the_plan),
		cmocka_unit_test(code_of_all_parts_is_written_as_a_local_run_writes_it),
		cmocka_unit_test(equal_points_count_once_and_others_name_both_files),
		cmocka_unit_test(another_device_is_another_measurement),
		cmocka_unit_test(a_measured_point_replaces_a_failed_one),
		cmocka_unit_test(what_a_killed_program_left_counts_as_far_as_it_is_complete),
		cmocka_unit_test(a_session_is_a_regular_file),
		cmocka_unit_test(a_point_outside_of_the_plan_is_refused),
		cmocka_unit_test(only_the_same_measurement_is_replaced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
