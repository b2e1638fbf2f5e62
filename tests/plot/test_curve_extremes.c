/* Extremes of a curve: which points must have a mark. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "plot/curve_extremes.h"

enum { MANY = 64 };

/* '^' for each extreme, '.' for the other points. */
static void check_extremes(const double *y, int count, double least, const char *want)
{
	bool found[MANY];
	char text[MANY + 1] = "";
	extremes_find(y, count, least, found);
	for (int i = 0; i < count; i++)
		text[i] = found[i] ? '^' : '.';
	assert_string_equal(text, want);
}

static void peaks_and_valleys_are_extremes(void **state)
{
	(void)state;
	check_extremes((double[]){0, 1, 2, 9, 2, 1, 5, 7}, 8, 1, "^..^.^.^");
	check_extremes((double[]){5, 4, 3, 2}, 4, 1, "^..^");
	check_extremes((double[]){3}, 1, 1, "^");
	check_extremes((double[]){4, 4, 4, 4}, 4, 1, "^..^");
}

/* Bank conflicts: a flat curve with peaks at every eighth and higher ones at every sixteenth point. */
static void every_peak_of_a_comb_is_found(void **state)
{
	(void)state;
	double y[MANY];
	bool found[MANY];
	for (int i = 0; i < MANY; i++)
		y[i] = (i + 1) % 16 == 0 ? 150 : (i + 1) % 8 == 0 ? 100 : 85;
	extremes_find(y, MANY, 5, found);
	for (int i = 0; i < MANY; i++)
		if ((i + 1) % 8 == 0)
			assert_true(found[i]);
	for (int i = 8; i + 8 < MANY; i += 8) { /* and one valley between two of them */
		int valleys = 0;
		for (int k = i; k < i + 7; k++)
			valleys += found[k];
		assert_int_equal(valleys, 1);
	}
}

static void the_middle_of_a_plateau_is_the_extreme(void **state)
{
	(void)state;
	check_extremes((double[]){0, 5, 5, 5, 0, 0, 0, 0, 0, 6}, 10, 1, "^.^...^..^");
}

static void smaller_turns_are_no_extremes(void **state)
{
	(void)state;
	check_extremes((double[]){0, 10, 9, 10, 9, 20, 19, 5}, 8, 2, "^....^.^");
	check_extremes((double[]){0, 10, 9, 10, 9, 20, 19, 5}, 8, 1, "^^^^^^.^");
}

static void parts_between_missing_points_have_their_own_ends(void **state)
{
	(void)state;
	check_extremes((double[]){NAN, 1, 3, 1, NAN, NAN, 2, 4, NAN}, 9, 1, ".^^^..^^.");
	check_extremes((double[]){NAN, NAN}, 2, 1, "..");
	check_extremes((double[]){0}, 0, 1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peaks_and_valleys_are_extremes),
		cmocka_unit_test(every_peak_of_a_comb_is_found),
		cmocka_unit_test(the_middle_of_a_plateau_is_the_extreme),
		cmocka_unit_test(smaller_turns_are_no_extremes),
		cmocka_unit_test(parts_between_missing_points_have_their_own_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
