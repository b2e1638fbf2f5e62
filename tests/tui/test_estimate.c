/* Estimates of the next sweep's time, and which published rows belong to a curve, on a made-up experiment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen_state.h"
#include "tui/lab/lab.h"

enum { POINTS = 19 }; /* of 1 KiB to 256 MiB */

static void record_half_a_second_per_point(struct lab *b)
{
	for (int i = 0; i < b->curve.count; i++)
		point_costs_add(&b->costs, b->x, &b->published, b->curve.points[i].values, 0.5, 0);
}

static void time_is_unknown_before_a_measurement(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char text[100];
	double seconds;
	made_app(&a, &x, POINTS, 80, 24);
	assert_false(lab_format_estimate(&a.labs[0], true, &seconds, text, sizeof text));
	assert_string_equal(text, "19 points, time unknown");
	made_free(&a);
}

static void check_left(double fraction, double elapsed, const char *want)
{
	char text[48];
	assert_string_equal(estimate_format_left(fraction, elapsed, text, sizeof text), want);
}

static void the_time_left_follows_from_what_is_done(void **state)
{
	(void)state;
	check_left(0.25, 10, "~30 s left");
	check_left(0.5, 240, "~4 min left");
	check_left(0.9, 4, "less than 1 s left");
	check_left(0.25, 1, ""); /* the first points mislead */
	check_left(0.01, 100, "");
	check_left(1, 100, "");
	estimate_show_times(false);
	check_left(0.25, 10, "");
	estimate_show_times(true);
}

static void similar_points_take_the_same_time(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char text[100];
	double seconds;
	made_app(&a, &x, POINTS, 80, 24);
	struct lab *b = &a.labs[0];
	x.x = b->axis = 0;
	record_half_a_second_per_point(b);
	b->values[2] = 1; /* another variant at the same sizes */
	assert_true(lab_format_estimate(b, true, &seconds, text, sizeof text));
	assert_float_equal(seconds, 9.5, 1e-9);
	point_costs_add(&b->costs, b->x, &b->published, b->curve.points[0].values, 3, 0); /* the newest cost counts */
	b->values[2] = 0;
	assert_true(lab_format_estimate(b, true, &seconds, text, sizeof text));
	assert_float_equal(seconds, 12, 1e-9);
	assert_string_equal(text, "19 points, ~12 s");
	made_free(&a);
}

static void another_size_is_scaled_by_its_work(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char text[100];
	double seconds;
	static struct published_row row = {.work = "size"};
	made_app(&a, &x, POINTS, 80, 24);
	struct lab *b = &a.labs[0];
	x.x = b->axis = 0;
	record_half_a_second_per_point(b);
	b->values[1] = x.params[1].value; /* sixteen times the size */
	assert_false(lab_format_estimate(b, true, &seconds, text, sizeof text));
	b->published.rows = xcalloc(1, sizeof *b->published.rows);
	b->published.rows[0] = (struct validation_row){.row = &row, .x = &x};
	b->published.row_count = 1;
	point_costs_clear(&b->costs);
	record_half_a_second_per_point(b);
	assert_true(lab_format_estimate(b, true, &seconds, text, sizeof text));
	assert_float_equal(seconds, 16 * 9.5, 1e-9);
	assert_string_equal(text, "19 points, ~3 min");
	made_free(&a);
}

static void published_rows_match_the_parameters_of_the_curve(void **state)
{
	(void)state;
	struct experiment x;
	made_experiment(&x);
	struct published_row latency = {.unit = "cycles"}, time = {.unit = "ms"};
	struct validation_row r = {.row = &latency, .x = &x, .published_at = {4096, 1u << 30, 0}};
	double values[PARAMS_MAX] = {1024, 1 << 26, 0};
	assert_true(overlay_row_fits(&r, values, 0)); /* the size is reduced for the software GPU */
	assert_false(overlay_row_fits(&r, values, 2));
	values[2] = 1;
	assert_false(overlay_row_fits(&r, values, 0));
	values[2] = 0;
	r.row = &time; /* a time differs at another size */
	assert_false(overlay_row_fits(&r, values, 0));
	values[1] = 1u << 30;
	assert_true(overlay_row_fits(&r, values, 0));
	assert_float_equal(overlay_row_x(&r, 0), 4096, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_unknown_before_a_measurement),
		cmocka_unit_test(the_time_left_follows_from_what_is_done),
		cmocka_unit_test(similar_points_take_the_same_time),
		cmocka_unit_test(another_size_is_scaled_by_its_work),
		cmocka_unit_test(published_rows_match_the_parameters_of_the_curve),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
