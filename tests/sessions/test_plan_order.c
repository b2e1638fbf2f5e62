/* Points of a session that were recorded in any order are read in the order of the plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "sessions/load/plan_order.h"
#include "sessions/session.h"
#include "tests/scratch.h"

#define COLUMNS \
	"\"columns\":{\"params\":[{\"id\":\"mode\",\"choices\":[\"read\",\"write\",\"copy\"]},{\"id\":\"n\"}],\"metrics\":[]}"

/* Writes a session with these points, loads it, and returns its parameters in one line. The caller frees it. */
static char *load_order(const char *sweep, const char *const *params, size_t count)
{
	char path[SCRATCH_PATH];
	struct err e = {0};
	struct buf b = {0}, out = {0};
	buf_printf(&b, "{\"type\":\"session\",\"schema\":1,\"experiment\":\"e\",\"device\":{}%s%s}\n",
		*sweep ? "," : "", sweep);
	for (size_t i = 0; i < count; i++)
		buf_printf(&b, "{\"type\":\"point\",\"params\":{%s,\"seconds\":[%zu]}\n", params[i], i);
	FILE *f = fopen(scratch_path(path, "order.wbs"), "w");
	assert_non_null(f);
	fwrite(b.data, 1, b.len, f);
	fclose(f);
	struct session *s = session_load(path, &e);
	if (!s)
		fail_msg("%s", e.text);
	buf_puts(&out, "");
	for (size_t i = 0; i < s->points.count; i++) {
		char *text = json_dumps(json_object_get(point_list_get(&s->points, i), "params"), JSON_COMPACT);
		buf_printf(&out, "%s%s", i ? " " : "", text);
		free(text);
	}
	session_free(s);
	unlink(path);
	buf_free(&b);
	return out.data;
}

static void check_order(const char *sweep, const char *const *params, size_t count, const char *expected)
{
	char *order = load_order(sweep, params, count);
	assert_string_equal(order, expected);
	free(order);
}
#define CHECK(sweep, expected, ...)                                                                                    \
	check_order(sweep, (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
		expected)
#define N(n) "\"n\":" #n "},\"status\":\"ok\""

static void points_of_two_workers_are_in_order(void **state)
{
	(void)state;
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[1,2,4,8,16,32]}",
		"{\"n\":1} {\"n\":2} {\"n\":4} {\"n\":8} {\"n\":16} {\"n\":32}", N(1), N(2), N(8), N(16), N(4), N(32));
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[32,8,1]}", "{\"n\":32} {\"n\":8} {\"n\":1}", N(8), N(1), N(32));
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[4,1,2]}", "{\"n\":4} {\"n\":1} {\"n\":2}", N(1), N(2), N(4));
}

static void values_outside_of_the_plan_lie_between_the_others(void **state)
{
	(void)state;
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[1,4,16]}",
		"{\"n\":1} {\"n\":2.5} {\"n\":4} {\"n\":16} {\"n\":99}", N(99), N(16), N(2.5), N(4), N(1));
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[16,4,1]}",
		"{\"n\":99} {\"n\":16} {\"n\":4} {\"n\":2.5} {\"n\":1}", N(2.5), N(99), N(4), N(1), N(16));
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[4,1,2]}", "{\"n\":4} {\"n\":1} {\"n\":2} {\"n\":7} {\"n\":3}",
		N(7), N(2), N(4), N(3), N(1));
}

static void choices_have_the_order_of_the_definition(void **state)
{
	(void)state;
	CHECK("\"sweep\":[{\"param\":\"mode\",\"values\":[\"read\",\"copy\"]},{\"param\":\"n\",\"values\":[1,2]}]," COLUMNS,
		"{\"mode\":\"read\",\"n\":1} {\"mode\":\"read\",\"n\":2} {\"mode\":\"write\",\"n\":1} {\"mode\":\"copy\",\"n\":1} "
		"{\"mode\":\"copy\",\"n\":2}",
		"\"mode\":\"copy\"," N(2), "\"mode\":\"read\"," N(2), "\"mode\":\"write\"," N(1),
		"\"mode\":\"copy\"," N(1), "\"mode\":\"read\"," N(1));
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[1,2]}," COLUMNS, /* mode was turned by hand between the sweeps */
		"{\"mode\":\"read\",\"n\":1} {\"mode\":\"read\",\"n\":2} {\"mode\":\"write\",\"n\":1} {\"mode\":\"write\",\"n\":2}",
		"\"mode\":\"write\"," N(2), "\"mode\":\"read\"," N(2), "\"mode\":\"write\"," N(1),
		"\"mode\":\"read\"," N(1));
}

static void the_last_measurement_of_a_point_counts(void **state)
{
	(void)state;
	struct err e = {0};
	char path[SCRATCH_PATH];
	static const char text[] =
		"{\"type\":\"session\",\"schema\":1,\"experiment\":\"e\",\"device\":{},\"sweep\":{\"param\":\"n\",\"values\":[1,2,3]}}\n"
		"{\"type\":\"point\",\"params\":{\"n\":3},\"status\":\"ok\",\"seconds\":[0.3]}\n"
		"{\"type\":\"point\",\"params\":{\"n\":1},\"status\":\"ok\",\"seconds\":[0.1]}\n"
		"{\"type\":\"point\",\"params\":{\"n\":3},\"status\":\"ok\",\"seconds\":[0.4]}\n"
		"{\"type\":\"point\",\"params\":{\"n\":1},\"status\":\"failed\",\"seconds\":[]}\n"
		"{\"type\":\"point\",\"params\":{\"n\":2},\"status\":\"failed\",\"seconds\":[]}\n";
	FILE *f = fopen(scratch_path(path, "twice.wbs"), "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, 3);
	static const double seconds[] = {0.1, 0, 0.4};
	for (size_t i = 0; i < 3; i++)
		assert_true(json_number_value(json_array_get(
				    json_object_get(point_list_get(&s->points, i), "seconds"), 0)) == seconds[i]);
	session_free(s);
	unlink(path);
}

/* Without a sweep there is no plan: the order is what the person did. */
static void what_was_turned_by_hand_keeps_its_history(void **state)
{
	(void)state;
	CHECK("", "{\"n\":4} {\"n\":1} {\"n\":4}", N(4), N(1), N(4));
	CHECK(COLUMNS, "{\"n\":4} {\"n\":1} {\"n\":4}", N(4), N(1), N(4));
}

static void damaged_headers_and_points_are_read(void **state)
{
	(void)state;
	CHECK("\"sweep\":[5,{\"param\":7},{\"param\":\"n\",\"values\":\"x\"}]", "{\"n\":1} {\"n\":2}", N(2), N(1));
	CHECK("\"sweep\":{\"param\":\"n\",\"values\":[[],null,\"a\",3]}", "{\"m\":1} {\"n\":3}", N(3),
		"\"m\":1},\"status\":\"ok\"");
	CHECK("\"sweep\":{\"param\":\"mode\",\"values\":[1]},\"columns\":{\"params\":[{\"id\":\"mode\",\"choices\":[null,5,\"x\"]}]}",
		"{\"mode\":\"x\"} {\"mode\":\"y\"}", "\"mode\":\"y\"},\"status\":\"ok\"",
		"\"mode\":\"x\"},\"status\":\"ok\"");
}

/* Plans of up to three axes with random values, shuffled, some points several times. */
static void a_shuffled_plan_is_in_the_order_of_the_plan(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 200; round++) {
		int axes = 1 + rand() % 3, total = 1;
		json_t *sweep = json_array(), *header, *points = json_array();
		for (int a = 0; a < axes; a++) {
			char name[2] = {(char)('a' + a), 0};
			json_t *values = json_array();
			int count = 1 + rand() % 4;
			total *= count;
			for (int i = 0; i < count; i++) /* in any order, each once */
				json_array_insert_new(values, (size_t)(rand() % (i + 1)), json_real(i * 1.5 - 2));
			json_array_append_new(sweep, json_pack("{s:s,s:o}", "param", name, "values", values));
		}
		header = json_pack("{s:o}", "sweep", sweep);
		struct plan_order o;
		struct point_list list = {0};
		plan_order_init(&o, header);
		for (int i = 0; i < 2 * total; i++)
			json_array_insert_new(points, (size_t)(rand() % (i + 1)),
				json_pack("{s:o,s:s}", "params", plan_point_params(header, (size_t)(i % total)),
					"status", "ok"));
		for (int i = 0; i < 2 * total; i++) {
			plan_order_add(&o, json_array_get(points, (size_t)i));
			point_list_add_record(&list, json_array_get(points, (size_t)i));
		}
		plan_order_apply(&o, &list);
		assert_int_equal(list.count, total);
		for (int i = 0; i < total; i++) {
			json_t *planned = plan_point_params(header, (size_t)i);
			assert_true(json_equal(planned, json_object_get(point_list_get(&list, (size_t)i), "params")));
			json_decref(planned);
		}
		point_list_free(&list);
		plan_order_free(&o);
		json_decref(points);
		json_decref(header);
	}
}

static void a_header_says_how_many_points_its_plan_has(void **state)
{
	(void)state;
	static const struct {
		const char *sweep;
		size_t points;
	} rows[] = {
		{"{}", 1},
		{"{\"sweep\":{\"param\":\"n\",\"values\":[1,2,3]}}", 3},
		{"{\"sweep\":[{\"values\":[1,2,3]},{\"values\":[1,2]}]}", 6},
		{"{\"sweep\":[{\"values\":[1,2,3]},{\"values\":[]},5]}", 3},
		{"{\"sweep\":5}", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		json_t *header = json_loads(rows[i].sweep, 0, NULL);
		assert_int_equal(plan_count_points(header), rows[i].points);
		json_decref(header);
	}
	json_t *values = json_array(), *sweep = json_array(), *header = json_pack("{s:o}", "sweep", sweep);
	for (int i = 0; i < 1024; i++)
		json_array_append_new(values, json_integer(i));
	for (int i = 0; i < 7; i++) /* 2^70 */
		json_array_append_new(sweep, json_pack("{s:O}", "values", values));
	assert_int_equal(plan_count_points(header), SIZE_MAX);
	json_decref(header);
	json_decref(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_says_how_many_points_its_plan_has),
		cmocka_unit_test(points_of_two_workers_are_in_order),
		cmocka_unit_test(values_outside_of_the_plan_lie_between_the_others),
		cmocka_unit_test(choices_have_the_order_of_the_definition),
		cmocka_unit_test(the_last_measurement_of_a_point_counts),
		cmocka_unit_test(what_was_turned_by_hand_keeps_its_history),
		cmocka_unit_test(damaged_headers_and_points_are_read),
		cmocka_unit_test(a_shuffled_plan_is_in_the_order_of_the_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
