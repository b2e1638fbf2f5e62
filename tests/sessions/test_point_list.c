/* The points of a session keep their lines, and records only for a while. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/load/point_list.h"

static json_int_t number_at(const struct point_list *p, size_t i)
{
	return json_integer_value(json_object_get(point_list_get(p, i), "n"));
}

static struct point_list list_of_lines(size_t count)
{
	struct point_list p = {0};
	for (size_t i = 0; i < count; i++) {
		char *line = xasprintf("{\"n\":%zu} ", i);
		point_list_add_line(&p, line, strlen(line));
		free(line);
	}
	return p;
}

static void every_point_can_be_read_in_any_order(void **state)
{
	(void)state;
	size_t count = 3 * POINTS_HELD + 7;
	struct point_list p = list_of_lines(count);
	assert_int_equal(p.count, count);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++)
			assert_int_equal(number_at(&p, i), i);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(number_at(&p, i * 2741 % count), i * 2741 % count);
	point_list_free(&p);
}

/* The address sanitizer would see the use of a freed record. */
static void a_record_stays_while_others_are_read(void **state)
{
	(void)state;
	static const struct {
		size_t count, held;
	} lists[] = {{POINTS_HELD, POINTS_HELD}, {3 * POINTS_HELD, POINTS_HELD_OF_LONG}};
	for (int k = 0; k < 2; k++) {
		struct point_list p = list_of_lines(lists[k].count);
		for (size_t i = 0; i < lists[k].count / 2; i++)
			point_list_get(&p, i);
		const json_t *kept = point_list_get(&p, 0);
		for (size_t i = 1; i < lists[k].held; i++)
			point_list_get(&p, i);
		assert_ptr_equal(point_list_get(&p, 0), kept);
		assert_int_equal(json_integer_value(json_object_get(kept, "n")), 0);
		point_list_free(&p);
	}
}

static void a_list_that_becomes_long_holds_fewer_records(void **state)
{
	(void)state;
	struct point_list p = list_of_lines(POINTS_HELD);
	for (size_t i = 0; i < POINTS_HELD; i++)
		point_list_get(&p, i);
	assert_int_equal(p.ring->parsed, POINTS_HELD);
	point_list_add_line(&p, "{\"n\":-1}", 8);
	assert_int_equal(number_at(&p, POINTS_HELD), -1);
	assert_int_equal(number_at(&p, 0), 0);
	assert_int_equal(p.ring->parsed, POINTS_HELD + 2); /* the first one again */
	point_list_free(&p);
}

static void points_are_replaced_and_copied(void **state)
{
	(void)state;
	struct point_list p = list_of_lines(3), other = {0};
	json_t *record = json_pack("{s:i}", "n", 40);
	assert_int_equal(number_at(&p, 1), 1);
	point_list_set_line(&p, 1, "{\"n\":20}", 8);
	assert_int_equal(number_at(&p, 1), 20);
	point_list_add_record(&other, NULL);
	point_list_add_record(&other, NULL);
	assert_null(point_list_get(&other, 0));
	point_list_copy(&other, 0, &p, 1);
	point_list_set_record(&p, 1, record);
	point_list_copy(&other, 1, &p, 1);
	assert_int_equal(number_at(&other, 0), 20);
	assert_ptr_equal(point_list_get(&other, 1), record);
	assert_ptr_equal(point_list_get(&p, 1), record);
	point_list_free(&p);
	point_list_free(&other);
	assert_int_equal(record->refcount, 1);
	json_decref(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_point_can_be_read_in_any_order),
		cmocka_unit_test(a_record_stays_while_others_are_read),
		cmocka_unit_test(a_list_that_becomes_long_holds_fewer_records),
		cmocka_unit_test(points_are_replaced_and_copied),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
