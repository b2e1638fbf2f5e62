/* Drawn predictions: values between the points, error against the measured curve, limits of the grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "tui/lab/prediction.h"
#include "tui/toolkit/theme.h"

static void assert_near(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-12))
		fail_msg("%.12g, not %.12g", got, expected);
}

static void draw_point(struct prediction *p, int column, int row)
{
	prediction_move_cursor(p, column - p->column);
	prediction_raise_point(p, row - p->row);
}

static void values_between_points_lie_on_a_straight_line(void **state)
{
	(void)state;
	const double x[] = {1024, 2048, 4096, 8192, 16384};
	struct prediction p;
	prediction_init(&p, x, 5, true, 0);
	assert_true(isnan(prediction_value_at(&p, 2048)));
	draw_point(&p, 0, 25);
	assert_near(prediction_value_at(&p, 16384), 250); /* one point: level everywhere */
	draw_point(&p, 4, 75);
	assert_int_equal(prediction_point_count(&p), 2);
	assert_near(prediction_value_at(&p, 4096), 500); /* half way in log2 x */
	assert_near(prediction_value_at(&p, 512), 250);
	assert_near(prediction_value_at(&p, 1 << 20), 750);
	prediction_init(&p, x, 5, false, 0);
	draw_point(&p, 0, 25);
	draw_point(&p, 4, 75);
	assert_near(prediction_value_at(&p, (1024 + 16384) / 2.0), 500); /* in x on a linear axis */
}

static void mean_error_is_relative(void **state)
{
	(void)state;
	const double x[] = {1, 2, 3, 4}, same[] = {500, 500, 500, 500}, half[] = {1000, 1000, NAN, 1000},
		     mixed[] = {1000, 250, 500, 0};
	struct prediction p;
	prediction_init(&p, x, 4, false, 0);
	assert_true(isnan(prediction_mean_error(&p, x, same, 4)));
	draw_point(&p, 1, 50);
	assert_near(prediction_mean_error(&p, x, same, 4), 0);
	assert_near(prediction_mean_error(&p, x, half, 4), 0.5);
	assert_near(prediction_mean_error(&p, x, mixed, 4), (0.5 + 1 + 0) / 3); /* 0 has no relative error */
}

static void points_are_set_and_erased(void **state)
{
	(void)state;
	const double x[] = {1, 2, 3};
	struct prediction p;
	prediction_init(&p, x, 3, false, 0);
	draw_point(&p, 1, 7);
	prediction_toggle_point(&p);
	assert_int_equal(prediction_point_count(&p), 0); /* the same point again */
	draw_point(&p, 1, 7);
	prediction_move_cursor(&p, 1);
	prediction_erase_point(&p);
	assert_int_equal(prediction_point_count(&p), 0); /* the nearest to the left */
	for (int i = 0; i < 100; i++)
		prediction_move_cursor(&p, 1);
	assert_int_equal(p.column, 2);
	for (int i = 0; i < 100; i++)
		prediction_move_cursor(&p, -1);
	prediction_raise_point(&p, -200);
	assert_true(p.column == 0 && p.row == 0 && p.level[0] == 0);
}

/* An arrow key draws: no other key is needed. The pen follows the curve from column to column. */
static void arrows_draw_the_curve(void **state)
{
	(void)state;
	const double x[] = {1, 2, 3};
	struct prediction p;
	prediction_init(&p, x, 3, false, 80);
	assert_near(prediction_row_value(&p, 1), 0.8); /* a step is a hundredth of the axis */
	prediction_move_cursor(&p, 0);
	assert_int_equal(prediction_point_count(&p), 0); /* moving draws nothing */
	prediction_raise_point(&p, 10);
	assert_near(prediction_value_at(&p, 1), 48);
	prediction_move_cursor(&p, 2);
	prediction_raise_point(&p, -20);
	assert_near(prediction_value_at(&p, 3), 32);
	prediction_move_cursor(&p, -1);
	assert_near(prediction_row_value(&p, p.row), 40);
	prediction_move_cursor(&p, -1);
	assert_near(prediction_row_value(&p, p.row), 48);
	prediction_raise_point(&p, 100); /* to the end of the axis, and beyond */
	assert_near(p.top, 80);
	prediction_raise_point(&p, 1);
	assert_true(p.top == 160 && p.first_top == 80);
	assert_near(prediction_value_at(&p, 1), 81.6);
}

static void scaling_the_y_axis_keeps_values(void **state)
{
	(void)state;
	const double x[] = {1, 2};
	struct prediction p;
	prediction_init(&p, x, 2, false, 0);
	draw_point(&p, 0, 50);
	prediction_scale_y(&p, true);
	assert_near(p.top, 2000);
	assert_near(prediction_value_at(&p, 1), 500); /* unchanged */
	for (int i = 0; i < 500; i++)
		prediction_scale_y(&p, i % 3 != 0);
	assert_true(p.top > 0 && isfinite(p.top) && p.level[0] >= 0 && p.level[0] <= PREDICTION_ROWS);
}

static void long_sweeps_use_a_part_of_the_points(void **state)
{
	(void)state;
	double x[1000];
	struct prediction p;
	for (int i = 0; i < 1000; i++)
		x[i] = 1000 - i;
	prediction_init(&p, x, 1000, true, 0);
	assert_int_equal(p.columns, PREDICTION_COLUMNS_MAX);
	assert_near(p.x[0], 1);
	assert_near(p.x[PREDICTION_COLUMNS_MAX - 1], 1000);
	for (int i = 1; i < p.columns; i++)
		assert_true(p.x[i] > p.x[i - 1]);
	prediction_init(&p, x, 0, true, 0);
	prediction_toggle_point(&p);
	prediction_move_cursor(&p, 1);
	prediction_raise_point(&p, 1);
	assert_true(p.columns == 0 && prediction_point_count(&p) == 0 && p.column == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_between_points_lie_on_a_straight_line),
		cmocka_unit_test(mean_error_is_relative),
		cmocka_unit_test(points_are_set_and_erased),
		cmocka_unit_test(arrows_draw_the_curve),
		cmocka_unit_test(scaling_the_y_axis_keeps_values),
		cmocka_unit_test(long_sweeps_use_a_part_of_the_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
