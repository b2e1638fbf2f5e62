/* Clocks, temperature and power: what counts as a change, and the scale on which it is drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "plot/reading_span.h"

static struct reading_span span_from(double low, double high)
{
	struct reading_span s = {0};
	reading_span_add(&s, low);
	reading_span_add(&s, high);
	return s;
}

static bool moves(double low, double high, const char *unit)
{
	struct reading_span s = span_from(low, high);
	return reading_span_moves(&s, unit);
}

static void noise_does_not_move_a_reading(void **state)
{
	(void)state;
	assert_false(moves(35, 35.034, "C"));
	assert_false(moves(35, 36, "C"));
	assert_true(moves(35, 38, "C"));
	assert_false(moves(25, 25.275, "W"));
	assert_true(moves(25, 29, "W"));
	assert_false(moves(200, 205, "W")); /* 5 W of 200 W */
	assert_true(moves(200, 215, "W"));
	assert_false(moves(1536, 1539, "MHz"));
	assert_true(moves(1440, 1536, "MHz"));
	assert_false(moves(1536, 1536, "MHz"));
	struct reading_span none = {0};
	assert_false(reading_span_moves(&none, "MHz"));
}

/* A small move takes a part of the height only; a large one all of it. */
static void the_scale_is_not_smaller_than_the_quantity_deserves(void **state)
{
	(void)state;
	struct reading_span small = span_from(35, 37), large = span_from(35, 75), still = span_from(35, 35.03);
	assert_true(reading_span_fraction(&small, "C", 37) - reading_span_fraction(&small, "C", 35) < 0.26);
	assert_true(reading_span_fraction(&large, "C", 35) == 0 && reading_span_fraction(&large, "C", 75) == 1);
	assert_true(reading_span_fraction(&still, "C", 35) == 0.5 && reading_span_fraction(&still, "C", 35.03) == 0.5);
}

static void readings_have_no_more_digits_than_they_mean(void **state)
{
	(void)state;
	char text[80];
	struct reading_span s = span_from(35, 35.034), wide = span_from(1440, 1539.2), none = {0};
	assert_string_equal(reading_span_format(&s, "C", true, text, sizeof text), "35 C");
	assert_string_equal(reading_span_format(&wide, "MHz", true, text, sizeof text), "1440..1539 MHz");
	assert_string_equal(reading_span_format(&none, "W", true, text, sizeof text), "-- W");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_does_not_move_a_reading),
		cmocka_unit_test(the_scale_is_not_smaller_than_the_quantity_deserves),
		cmocka_unit_test(readings_have_no_more_digits_than_they_mean),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
