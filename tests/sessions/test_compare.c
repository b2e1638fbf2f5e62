/* Sessions held against each other: points found by their parameters, ratios, noise, what is left out and why, what
 * else differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/compare/session_compare.h"

static json_t *parse(const char *text)
{
	json_error_t e;
	json_t *v = json_loads(text, 0, &e);
	if (!v)
		fail_msg("%s in %s", e.text, text);
	return v;
}

static struct session *session_new(const char *experiment, bool exact, const char *extra)
{
	struct session *s = xcalloc(1, sizeof *s);
	char *text = xasprintf(
		"{\"type\":\"session\",\"experiment\":\"%s\",\"device\":{\"device\":\"d\",\"deterministic\":%s%s},"
		"\"sweep\":{\"param\":\"size\",\"values\":[1,2,3]},\"params\":{\"variant\":\"a\"},"
		"\"columns\":{\"params\":[{\"id\":\"size\",\"unit\":\"B\"},{\"id\":\"variant\",\"unit\":\"\"}],"
		"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0}]}}",
		experiment, exact ? "true" : "false", extra);
	s->header = parse(text);
	free(text);
	return s;
}

static void add(struct session *s, double size, const char *metrics, const char *rest)
{
	char *text = xasprintf(
		"{\"type\":\"point\",\"params\":{\"size\":%g,\"variant\":\"a\"},\"status\":\"ok\",\"metrics\":{\"latency\":%s}%s}",
		size, metrics, rest);
	point_list_add_line(&s->points, text, strlen(text));
	free(text);
}

#define TEN "\"seconds\":[1,1,1,1,1,1,1,1,1,1]"

static void points_are_found_by_their_parameters(void **state)
{
	(void)state;
	struct session *a = session_new("x", true, ""), *b = session_new("x", true, "");
	struct session_comparison c;
	struct err e = {0};
	add(a, 1, "100", "");
	add(a, 2, "200", "");
	add(a, 4, "300", "");
	add(b, 2.0, "400", ""); /* another order */
	add(b, 1, "100", "");
	add(b, 8, "1", "");
	assert_true(comparison_make(&c, (const char *[]){"a", "b"}, (const struct session *[]){a, b}, 2, &e));
	assert_int_equal(c.row_count, 2);
	struct compared_value first = comparison_value_at(&c, 0, 0, 1), second = comparison_value_at(&c, 1, 0, 1);
	assert_true(first.has_ratio && first.ratio == 1 && first.verdict == COMPARED_SAME);
	assert_true(second.has_ratio && second.ratio == 2 && second.verdict == COMPARED_DIFFERENT);
	assert_int_equal(c.left_count, 2); /* size 4 of A, size 8 of B */
	assert_string_equal(c.left[0].why, "not in B");
	assert_string_equal(c.left[1].why, "not in A");
	assert_int_equal(c.left[1].side, 1);
	struct comparison_summary s = comparison_summarize(&c, 0, 1);
	assert_true(s.compared == 2 && s.same == 1 && s.median_ratio == 1.5 && s.least == 1 && s.most == 2);
	comparison_free(&c);
	session_free(a);
	session_free(b);
}

static void overlapping_quartiles_are_noise(void **state)
{
	(void)state;
	struct session *a = session_new("x", false, ""), *b = session_new("x", false, "");
	struct session_comparison c;
	struct err e = {0};
	add(a, 1, "100", "," TEN ",\"quartiles\":{\"latency\":[98,103]}");
	add(b, 1, "105", "," TEN ",\"quartiles\":{\"latency\":[102,107]}");
	add(a, 2, "100", "," TEN ",\"quartiles\":{\"latency\":[98,101]}");
	add(b, 2, "105", "," TEN ",\"quartiles\":{\"latency\":[102,107]}");
	add(a, 3, "100", ",\"seconds\":[0.9,1.0,1.2]"); /* of an older recording: as far as the samples are apart */
	add(b, 3, "105", ",\"seconds\":[0.9,1.0,1.2]");
	assert_true(comparison_make(&c, (const char *[]){"a", "b"}, (const struct session *[]){a, b}, 2, &e));
	assert_int_equal(comparison_value_at(&c, 0, 0, 1).verdict, COMPARED_SAME);
	assert_int_equal(comparison_value_at(&c, 1, 0, 1).verdict, COMPARED_DIFFERENT);
	assert_int_equal(comparison_value_at(&c, 2, 0, 1).verdict, COMPARED_SAME);
	struct compared_value at = comparison_value_at(&c, 2, 0, 0);
	assert_true(fabs(at.low - 100 / 1.1) < 1e-9 && fabs(at.high - 110) < 1e-9);
	comparison_free(&c);
	session_free(a);
	session_free(b);
}

/* On devices that always give the same, the least difference is one. */
static void exact_devices_have_no_noise(void **state)
{
	(void)state;
	struct session *a = session_new("x", true, ""), *b = session_new("x", true, "");
	struct session_comparison c;
	struct err e = {0};
	add(a, 1, "100", "," TEN ",\"quartiles\":{\"latency\":[90,110]}");
	add(b, 1, "100.0000001", "," TEN ",\"quartiles\":{\"latency\":[90,110]}");
	assert_true(comparison_make(&c, (const char *[]){"a", "b"}, (const struct session *[]){a, b}, 2, &e));
	assert_int_equal(comparison_value_at(&c, 0, 0, 1).verdict, COMPARED_DIFFERENT);
	comparison_free(&c);
	session_free(a);
	session_free(b);
}

static void untrusted_points_have_no_ratio(void **state)
{
	(void)state;
	struct session *a = session_new("x", false, ""), *b = session_new("x", false, "");
	struct session_comparison c;
	struct err e = {0};
	static const char *const faults[] = {",\"clocks_moved\":true",
		",\"verify\":\"failed\",\"verify_text\":\"buf[1]\"", ",\"contract\":\"broken\""};
	for (int i = 0; i < 3; i++) {
		add(a, i, "100", faults[i]);
		add(b, i, "100", "");
	}
	add(a, 7, "null", "");
	add(b, 7, "100", "");
	assert_true(comparison_make(&c, (const char *[]){"a", "b"}, (const struct session *[]){a, b}, 2, &e));
	assert_int_equal(c.left_count, 3);
	for (size_t i = 0; i < 3; i++) {
		struct compared_value at = comparison_value_at(&c, i, 0, 1);
		assert_true(at.verdict == COMPARED_FAULT && !at.has_ratio && c.left[i].side == 0);
	}
	assert_non_null(strstr(c.left[0].why, "clock moved"));
	assert_non_null(strstr(c.left[1].why, "buf[1]"));
	assert_int_equal(comparison_value_at(&c, 3, 0, 1).verdict, COMPARED_MISSING);
	assert_int_equal(comparison_summarize(&c, 0, 1).compared, 0);
	comparison_free(&c);
	session_free(a);
	session_free(b);
}

static const struct difference *find(const struct differences *d, const char *what)
{
	for (int i = 0; i < d->count; i++)
		if (!strcmp(d->list[i].what, what))
			return &d->list[i];
	return NULL;
}

static void other_differences_are_listed(void **state)
{
	(void)state;
	struct session *a = session_new(
		"x", true, ",\"constants\":{\"l1_bytes\":16384,\"l2_bytes\":1},\"versions\":{\"hip\":\"5\"}");
	struct session *b = session_new("x", true,
		",\"constants\":{\"l1_bytes\":65536,\"l2_bytes\":1},\"versions\":{\"hip\":\"5\",\"driver\":\"6\"}");
	struct session_comparison c;
	struct differences d;
	struct err e = {0};
	add(a, 1, "1", ",\"kernel\":{\"hash\":\"aa\",\"compiler\":\"clang 15\"},\"sclk_mhz\":1500");
	add(b, 1, "1", ",\"kernel\":{\"hash\":\"bb\",\"compiler\":\"clang 15\"},\"sclk_mhz\":1400");
	assert_true(comparison_make(&c, (const char *[]){"a", "b"}, (const struct session *[]){a, b}, 2, &e));
	differences_make(&c, &d);
	assert_string_equal(find(&d, "constants l1_bytes")->values[1], "65536");
	assert_null(find(&d, "constants l2_bytes"));
	assert_null(find(&d, "versions hip"));
	assert_string_equal(find(&d, "versions driver")->values[0], ""); /* one of them does not say */
	assert_string_equal(find(&d, "kernel")->values[0], "aa");
	assert_null(find(&d, "compiler"));
	assert_string_equal(find(&d, "core clock")->values[1], "1400 MHz");
	differences_free(&d);
	comparison_free(&c);
	session_free(a);
	session_free(b);
}

static void sessions_of_different_experiments_are_rejected(void **state)
{
	(void)state;
	struct session *a = session_new("x", true, ""), *b = session_new("y", true, "");
	struct session_comparison c;
	struct err e = {0};
	assert_false(comparison_make(&c, (const char *[]){"a.wbs", "b.wbs"}, (const struct session *[]){a, b}, 2, &e));
	assert_non_null(strstr(e.text, "b.wbs is one of y"));
	session_free(a);
	session_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_found_by_their_parameters),
		cmocka_unit_test(overlapping_quartiles_are_noise),
		cmocka_unit_test(exact_devices_have_no_noise),
		cmocka_unit_test(untrusted_points_have_no_ratio),
		cmocka_unit_test(other_differences_are_listed),
		cmocka_unit_test(sessions_of_different_experiments_are_rejected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
