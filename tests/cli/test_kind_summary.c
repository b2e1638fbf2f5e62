/* Errors of a validation by kind: which rows count, the median, and what is off by a factor of two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#include "cli/validate/kind_summary.h"

enum { ROWS = 9 };
static struct published_row published[ROWS];
static struct validation_row rows[ROWS];
static struct validation v = {.rows = rows};

static void add(const char *kind, enum row_state state, double value, double measured)
{
	struct published_row *p = &published[v.row_count];
	struct validation_row *r = &rows[v.row_count++];
	assert_in_range(v.row_count, 1, ROWS);
	*p = (struct published_row){
		.kind = kind, .state = state, .value = value, .other = value, .low = value, .high = value};
	*r = (struct validation_row){.row = p, .compared = true};
	r->signed_error = published_relative_error(p, measured);
	r->error = fabs(r->signed_error);
}

static int start_rows(void **state)
{
	(void)state;
	v.row_count = 0;
	add("dispatch", ROW_CHECKED, 0, 1);       /* differs from a published 0 */
	add("latency", ROW_CALIBRATED, 100, 100); /* no error, as it was fitted */
	add("latency", ROW_CHECKED, 100, 120);
	add("latency", ROW_BLIND, 100, 200); /* exactly twice */
	add("latency", ROW_BLIND, 100, 201);
	add("latency", ROW_CHECKED, 100, 49);
	add("bandwidth L2", ROW_CALIBRATED, 100, 75); /* exactly 25 % */
	add("bandwidth L2", ROW_CHECKED, 100, 500);
	rows[v.row_count - 1].compared = false;
	add("count", ROW_CHECKED, 0, 0);
	return 0;
}

static void assert_errors(const struct error_summary *s, int count, double median, double within, int off)
{
	assert_int_equal(s->rows, count);
	assert_true(fabs(s->median - median) < 1e-9);
	assert_true(fabs(s->within_25 - within) < 1e-9);
	assert_int_equal(s->off_by_two, off);
}

static void each_kind_has_its_rows(void **state)
{
	(void)state;
	struct kind_summary list[KIND_SUMMARIES_MAX];
	assert_int_equal(validation_summarize_kinds(&v, list), 5);
	assert_string_equal(list[0].kind, "latency"); /* in the order of published_kinds.def */
	assert_errors(&list[0].all, 5, 0.51, 0.4, 2);
	assert_errors(&list[0].unfitted, 4, (0.51 + 1) / 2, 0.25, 2);
	assert_string_equal(list[1].kind, "bandwidth L2");
	assert_errors(&list[1].all, 1, 0.25, 1, 0);
	assert_errors(&list[1].unfitted, 0, 0, 0, 0);
	assert_string_equal(list[2].kind, "dispatch");
	assert_errors(&list[2].all, 1, 1, 0, 1);
	assert_string_equal(list[3].kind, "count");
	assert_errors(&list[3].all, 1, 0, 1, 0);
	assert_string_equal(list[4].kind, "all");
	assert_errors(&list[4].all, 8, (0.25 + 0.51) / 2, 0.5, 3);
	assert_errors(&list[4].unfitted, 6, (0.51 + 1) / 2, 2 / 6.0, 3);
}

static void nothing_measured_is_nothing(void **state)
{
	(void)state;
	struct kind_summary list[KIND_SUMMARIES_MAX];
	for (int i = 0; i < v.row_count; i++)
		rows[i].compared = false;
	assert_int_equal(validation_summarize_kinds(&v, list), 0);
}

static void the_json_has_null_for_no_rows(void **state)
{
	(void)state;
	struct kind_summary list[KIND_SUMMARIES_MAX];
	json_t *all = kind_summaries_json(list, validation_summarize_kinds(&v, list));
	json_t *l2 = json_array_get(all, 1), *unfitted = json_object_get(l2, "unfitted");
	assert_int_equal(json_array_size(all), 5);
	assert_string_equal(json_string_value(json_object_get(l2, "kind")), "bandwidth L2");
	assert_true(json_number_value(json_object_get(l2, "median")) == 0.25);
	assert_int_equal(json_integer_value(json_object_get(l2, "rows")), 1);
	assert_true(json_is_null(json_object_get(unfitted, "median")) &&
		json_is_null(json_object_get(unfitted, "within_25")));
	assert_int_equal(json_integer_value(json_object_get(unfitted, "rows")), 0);
	json_decref(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_kind_has_its_rows, start_rows),
		cmocka_unit_test_setup(nothing_measured_is_nothing, start_rows),
		cmocka_unit_test_setup(the_json_has_null_for_no_rows, start_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
