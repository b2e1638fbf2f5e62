/* Long sessions: what many points have in common is kept once, and exports read each record only a few times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"
#include "sessions/export/exporters.h"
#include "sessions/load/fault_causes.h"
#include "sessions/load/shared_members.h"

static void add_line(struct point_list *p, const char *line)
{
	point_list_add_line(p, line, strlen(line));
}

static char *dump_point(const struct point_list *p, size_t i)
{
	return json_dumps(point_list_get(p, i), JSON_COMPACT);
}

static void assert_same_point(const struct point_list *p, size_t i, const char *want)
{
	char *text = dump_point(p, i);
	assert_string_equal(text, want);
	free(text);
}

/* --- what points have in common --- */

static void equal_members_are_kept_once(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"{\"type\":\"point\",\"n\":1,\"kernel\":{\"hash\":\"\\\"}\"},\"code\":{\"valu\":9,\"named\":{\"a\":[1,2]}},\"at\":1}",
		"{\"type\":\"point\",\"n\":2,\"kernel\":{\"hash\":\"\\\"}\"},\"code\":{\"valu\":9,\"named\":{\"a\":[1,2]}},\"at\":2}",
		"{\"type\":\"point\",\"n\":3,\"inside\":{\"code\":{\"valu\":9,\"named\":{\"a\":[1,2]}}},\"code\":{\"valu\":8},\"at\":3}",
		"{\"type\":\"point\",\"n\":4,\"code\":{},\"kernel\":\"text\"}", "{\"type\":\"point\",\"n\":5}"};
	struct point_list p = {0}, other = {0};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		add_line(&p, lines[i]);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_same_point(&p, i, lines[i]);
	assert_ptr_equal(
		json_object_get(point_list_get(&p, 0), "code"), json_object_get(point_list_get(&p, 1), "code"));
	point_list_add_record(&other, NULL);
	point_list_copy(&other, 0, &p, 0);
	point_list_free(&p);
	assert_same_point(&other, 0, lines[0]);
	point_list_free(&other);
}

static void lines_that_are_no_records_stay_as_they_are(void **state)
{
	(void)state;
	static const char *const lines[] = {"", "{", "}", "[\"code\"]", "{\"code\"",
		"{\"code\":", "{\"code\":{\"a\":1}", "{\"code\":{\"a\":1},", "{\"a\":1}]", "{\"code\":{a}}",
		"{\"code\":{\"a\":1},\"code\":{\"a\":1}}", "{\"a\\"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		json_t *table = NULL;
		struct cut_line cut = line_cut(&table, lines[i], strlen(lines[i]));
		assert_null(cut_line_parse(&cut) && lines[i][0] != '[' ? "a record" : NULL);
		cut_line_free(&cut);
		json_decref(table);
	}
}

/* A kernel for each point: the first ones are kept parsed, those behind in their lines. */
static void any_number_of_kernels_is_kept(void **state)
{
	(void)state;
	enum { COUNT = SHARED_VALUES_MAX + 500 };
	struct point_list p = {0};
	for (int i = 0; i < COUNT; i++) {
		char *code = xasprintf("{\"type\":\"code\",\"hash\":\"%d\",\"code\":{\"valu\":%d}}", i, i),
		     *line = xasprintf("{\"type\":\"point\",\"code\":\"%d\",\"kernel\":{\"hash\":%d}}", i, i);
		point_list_add_code(&p, code, strlen(code));
		add_line(&p, line);
		free(code);
		free(line);
	}
	for (int i = 0; i < COUNT; i++) {
		const json_t *point = point_list_get(&p, (size_t)i);
		assert_int_equal(record_get_integer(json_object_get(point, "code"), "valu"), i);
		assert_int_equal(record_get_integer(json_object_get(point, "kernel"), "hash"), i);
	}
	assert_true(json_object_size(p.shared) >= SHARED_VALUES_MAX);
	point_list_free(&p);
}

static void code_that_was_not_read_is_missing(void **state)
{
	(void)state;
	struct point_list p = {0};
	add_line(&p, "{\"type\":\"point\",\"code\":\"12ab\",\"at\":3}");
	assert_same_point(&p, 0, "{\"type\":\"point\",\"at\":3}");
	point_list_free(&p);
}

/* While it is measured, a long session is kept as it would be loaded. */
static void records_are_packed(void **state)
{
	(void)state;
	enum { COUNT = POINTS_HELD + 5 };
	struct point_list p = {0};
	json_t *code = json_pack("{s:i}", "valu", 9);
	for (int i = 0; i < COUNT; i++) {
		json_t *record =
			json_pack("{s:i, s:O, s:{s:i}, s:f}", "n", i, "code", code, "params", "p", i, "at", 0.1 * i);
		point_list_add_record(&p, NULL);
		point_list_set_packed(&p, (size_t)i, record);
		assert_ptr_equal(point_list_get(&p, (size_t)i), record);
		json_decref(record);
	}
	assert_int_equal(p.ring->parsed, 0);
	for (int i = 0; i < COUNT; i++) {
		json_t *want =
			json_pack("{s:i, s:O, s:{s:i}, s:f}", "n", i, "code", code, "params", "p", i, "at", 0.1 * i);
		assert_true(json_equal(point_list_get(&p, (size_t)i), want));
		assert_ptr_equal(json_object_get(point_list_get(&p, (size_t)i), "code"), code);
		json_decref(want);
	}
	assert_true(p.ring->parsed > 0);
	point_list_free(&p);
	json_decref(code);
}

/* --- exports --- */

static const char header_text[] =
	"{\"type\":\"session\",\"experiment\":\"lds\",\"title\":\"LDS\",\"sweep\":[{\"param\":\"stride\",\"values\":[0]},{\"param\":\"size\",\"values\":[0]}],"
	"\"columns\":{\"params\":[{\"id\":\"size\",\"unit\":\"B\"},{\"id\":\"stride\",\"unit\":\"words\"}],"
	"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0},{\"id\":\"rate\",\"unit\":\"GB/s\",\"axis\":1}]}}";

static json_t *make_header(int curves, int per)
{
	json_t *header = json_loads(header_text, 0, NULL), *sweep = json_object_get(header, "sweep"),
	       *slow = json_object_get(json_array_get(sweep, 0), "values"),
	       *fast = json_object_get(json_array_get(sweep, 1), "values");
	for (int i = 1; i < curves; i++)
		json_array_append_new(slow, json_integer(i));
	for (int i = 1; i < per; i++)
		json_array_append_new(fast, json_integer(i));
	return header;
}

static struct point_list make_long_list(int curves, int per)
{
	struct point_list p = {0};
	for (int i = 0; i < curves * per; i++) {
		char *line = xasprintf(
			"{\"type\":\"point\",\"params\":{\"size\":%d,\"stride\":%d},\"status\":\"ok\",\"seconds\":[1],\"metrics\":{\"latency\":%d,\"rate\":2.5}}",
			i % per, i / per, 100 + i % 7);
		add_line(&p, line);
		free(line);
	}
	return p;
}

/* How often each record is parsed on average. */
static double count_reads(enum export_format format, int curves, int per)
{
	struct point_list p = make_long_list(curves, per);
	json_t *header = make_header(curves, per);
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	struct session_output o = {.format = format, .file = file, .header = header, .points = &p, .width = 100};
	session_output_print(&o);
	fclose(file);
	assert_true(size > 1000);
	double reads = (double)p.ring->parsed / (double)p.count;
	free(text);
	json_decref(header);
	point_list_free(&p);
	return reads;
}

/* All lists are longer than the part of them that is kept parsed. An export may also look at two points of each curve,
 * for example to see whether there is a profile. */
static void an_export_reads_each_record_as_often_whatever_the_number_of_curves(void **state)
{
	(void)state;
	static const struct {
		enum export_format format;
		double most;
	} formats[] = {{FORMAT_CSV, 1}, {FORMAT_SVG, 2}, {FORMAT_HTML, 3}, {FORMAT_GNUPLOT, 1}, {FORMAT_TABLE, 1}};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		assert_true(count_reads(formats[i].format, 2, POINTS_HELD) <= formats[i].most + 2.0 / POINTS_HELD);
		assert_true(count_reads(formats[i].format, 30, POINTS_HELD / 15) <=
			formats[i].most + 2.0 / (POINTS_HELD / 15));
	}
}

/* What a run looks up at its end. */
static void points_without_a_fault_are_not_parsed(void **state)
{
	(void)state;
	struct fault_causes f;
	struct point_list p = make_long_list(3, POINTS_HELD);
	fault_causes_count(&p, &f);
	assert_int_equal(f.points, 0);
	assert_int_equal(p.ring->parsed, 0);
	fault_causes_free(&f);
	add_line(&p, "{\"status\":\"ok\",\"verify\":\"\\u0066ailed\",\"verify_text\":\"a\"}");
	add_line(&p, "{\"status\":\"ok\",\"contract\":\"broken\"}");
	add_line(&p, "{\"status\":\"ok\",\"metric_error\":\"b\"}");
	add_line(&p, "{\"params\":{\"status\":\"ok\"},\"status\":\"failed\"}");
	add_line(&p, "{\"status\":\"ok\",\"text\":\"\\\"verify\\\":\\\"failed\\\"\"}");
	fault_causes_count(&p, &f);
	assert_int_equal(f.points, 4);
	assert_int_equal(p.ring->parsed, 5); /* the last one, too: it has an escape */
	fault_causes_free(&f);
	point_list_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_members_are_kept_once),
		cmocka_unit_test(lines_that_are_no_records_stay_as_they_are),
		cmocka_unit_test(any_number_of_kernels_is_kept),
		cmocka_unit_test(code_that_was_not_read_is_missing),
		cmocka_unit_test(records_are_packed),
		cmocka_unit_test(an_export_reads_each_record_as_often_whatever_the_number_of_curves),
		cmocka_unit_test(points_without_a_fault_are_not_parsed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
