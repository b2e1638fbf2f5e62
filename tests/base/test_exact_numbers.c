/* Numbers are written with the fewest digits that give them again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* The least number of digits from 15 on, by trial. */
static void format_by_trial(char *out, size_t size, double v)
{
	for (int digits = fabs(v) < DBL_MIN ? 6 : DBL_DIG; digits <= 17; digits++) {
		snprintf(out, size, "%.*g", digits, v);
		if (strtod(out, NULL) == v)
			return;
	}
}

static void check_number(double v)
{
	char text[40], expected[40];
	number_format_exact(text, sizeof text, v);
	assert_true(strtod(text, NULL) == v);
	if (fabs(v) < 1e15 && v == floor(v)) /* a whole number has no exponent */
		return;
	format_by_trial(expected, sizeof expected, v);
	assert_string_equal(text, expected);
}

static uint64_t state_of_random = 88172645463325252u;

static uint64_t next_random(void)
{
	state_of_random ^= state_of_random << 13;
	state_of_random ^= state_of_random >> 7;
	return state_of_random ^= state_of_random << 17;
}

static void any_bits_are_written_as_by_trial(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = next_random();
		double v;
		memcpy(&v, &bits, sizeof v);
		if (isfinite(v))
			check_number(v);
	}
}

/* Those of measurements: with few digits, with 15, 16 and 17, and the neighbors of such numbers. */
static void decimals_are_written_as_by_trial(void **state)
{
	(void)state;
	for (int i = 0; i < 60000; i++) {
		char text[60];
		int digits = 1 + (int)(next_random() % 17), exponent = (int)(next_random() % 30) - 12;
		snprintf(text, sizeof text, "%s%llu.%0*llue%d", i % 3 ? "" : "-",
			(unsigned long long)(1 + next_random() % 9), digits,
			(unsigned long long)(next_random() % (uint64_t)pow(10, digits)), exponent);
		double v = strtod(text, NULL);
		check_number(v);
		check_number(nextafter(v, INFINITY));
		check_number(nextafter(v, 0));
	}
}

static void powers_of_ten_and_their_neighbors(void **state)
{
	(void)state;
	for (int e = -320; e <= 308; e++) {
		char text[20];
		snprintf(text, sizeof text, "1e%d", e);
		double v = strtod(text, NULL);
		check_number(v);
		check_number(nextafter(v, INFINITY));
		check_number(nextafter(v, 0));
	}
}

static void some_numbers(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *text;
	} list[] = {{0, "0"}, {-0.0, "0"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {1536e6, "1536000000"},
		{0.1 + 0.2, "0.30000000000000004"}, {1e300, "1e+300"}, {5e-324, "4.94066e-324"}};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		char text[40];
		assert_string_equal(number_format_exact(text, sizeof text, list[i].value), list[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bits_are_written_as_by_trial),
		cmocka_unit_test(decimals_are_written_as_by_trial),
		cmocka_unit_test(powers_of_ten_and_their_neighbors),
		cmocka_unit_test(some_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
