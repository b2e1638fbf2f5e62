/* A cause of faults is given once, with the number of its points. */
#include "sessions/load/fault_causes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sessions/export/session_table.h"

static json_t *make_point(const char *status, const char *error)
{
	return json_pack("{s:s, s:s*}", "status", status, "error", error);
}

static void causes_are_counted_in_order(void **state)
{
	(void)state;
	const char *const errors[] = {"b", "a", "b", "b"};
	struct fault_causes f = {0};
	for (int i = 0; i < 4; i++) {
		json_t *p = make_point("failed", errors[i]);
		fault_causes_add(&f, p);
		json_decref(p);
	}
	json_t *good = make_point("ok", NULL);
	fault_causes_add(&f, good);
	json_decref(good);
	assert_int_equal(f.points, 4);
	assert_int_equal(f.count, 2);
	assert_string_equal(f.list[0].text, "failed: b");
	assert_int_equal(f.list[0].points, 3);
	assert_int_equal(fault_causes_find(&f, "failed: a")->points, 1);
	assert_null(fault_causes_find(&f, "failed: c"));
	fault_causes_free(&f);
}

static void more_causes_than_the_list_has_are_counted(void **state)
{
	(void)state;
	struct fault_causes f = {0};
	for (int i = 0; i < 2 * FAULT_CAUSES_MAX; i++) {
		char error[20];
		snprintf(error, sizeof error, "%d", i);
		json_t *p = make_point("failed", error);
		fault_causes_add(&f, p);
		json_decref(p);
	}
	assert_int_equal(f.points, 2 * FAULT_CAUSES_MAX);
	assert_int_equal(f.count, FAULT_CAUSES_MAX);
	fault_causes_free(&f);
}

static void check_note(struct session_table *t, const json_t *point, const char *expected)
{
	char note[FAULT_TEXT];
	session_table_format_note(t, point, note, sizeof note);
	assert_string_equal(note, expected);
}

static void later_rows_refer_to_the_first(void **state)
{
	(void)state;
	json_t *shared = make_point("failed", "the worker died"), *alone = make_point("failed", "refused"),
	       *good = make_point("ok", NULL);
	struct session_table t = {0};
	fault_causes_add(&t.causes, shared);
	fault_causes_add(&t.causes, alone);
	fault_causes_add(&t.causes, shared);
	check_note(&t, good, "");
	check_note(&t, shared, "failed: the worker died (2 points)");
	check_note(&t, alone, "failed: refused");
	check_note(&t, shared, "failed, as above");
	fault_causes_free(&t.causes);
	json_decref(shared);
	json_decref(alone);
	json_decref(good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes_are_counted_in_order),
		cmocka_unit_test(more_causes_than_the_list_has_are_counted),
		cmocka_unit_test(later_rows_refer_to_the_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
