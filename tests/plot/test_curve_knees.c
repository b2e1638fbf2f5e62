/* The knee finder on made curves, and on the recorded latency of the MI25 by range: it ends at 16 KiB and at 4 MiB. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "plot/curve_knees.h"

enum { MAX = 8 };

static int knees(const double *y, int n, struct knee *out)
{
	return knees_find(y, n, out, MAX);
}

static void a_knee_is_at_the_last_point_before_the_rise(void **state)
{
	(void)state;
	const double y[] = {100, 101, 100, 240, 241, 239, 240, 600, 600};
	struct knee k[MAX];
	assert_int_equal(knees(y, 9, k), 2);
	assert_int_equal(k[0].last, 2);
	assert_int_equal(k[1].last, 6);
	assert_true(k[0].from == 100 && k[0].to == 240 && k[1].to == 600);
}

static void a_ramp_between_two_plateaus_is_one_knee_where_it_begins(void **state)
{
	(void)state;
	const double y[] = {100, 100, 100, 130, 180, 240, 300, 300, 300};
	struct knee k[MAX];
	assert_int_equal(knees(y, 9, k), 1);
	assert_int_equal(k[0].last, 2);
	assert_true(k[0].to == 300);
}

static void slopes_and_flat_lines_have_no_knee(void **state)
{
	(void)state;
	struct knee k[MAX];
	double y[64];
	for (double grow = 1; grow < 1.6; grow += 0.01) {
		for (int i = 0; i < 64; i++)
			y[i] = 100 * pow(grow, i);
		for (int n = 1; n <= 64; n++)
			if (knees(y, n, k))
				fail_msg("%d points, each %.2f times the one before: a knee at %d", n, grow, k[0].last);
	}
	for (double add = 1; add < 400; add *= 1.3) {
		for (int i = 0; i < 64; i++)
			y[i] = 100 + add * i;
		for (int n = 3; n <= 64; n++)
			if (knees(y, n, k))
				fail_msg("%d points, each %.1f more: a knee at %d", n, add, k[0].last);
	}
}

static void a_knee_rises_by_15_percent(void **state)
{
	(void)state;
	struct knee k[MAX];
	assert_int_equal(knees((const double[]){100, 100, 100, 114, 114, 114}, 6, k), 0);
	assert_int_equal(knees((const double[]){100, 100, 100, 116, 116, 116}, 6, k), 1);
}

/* Three times as high as its plateaus are uneven. */
static void a_knee_is_clear_of_noise(void **state)
{
	(void)state;
	struct knee k[MAX];
	assert_int_equal(knees((const double[]){100, 104, 108, 127, 127, 127}, 6, k), 0);
	assert_int_equal(knees((const double[]){100, 104, 108, 130, 130, 130}, 6, k), 1);
}

static void a_fall_is_not_a_knee(void **state)
{
	(void)state;
	const double y[] = {600, 600, 600, 100, 100, 100};
	struct knee k[MAX];
	assert_int_equal(knees(y, 6, k), 0);
}

static void noise_outliers_and_gaps_do_not_matter(void **state)
{
	(void)state;
	struct knee k[MAX];
	double y[200];
	unsigned seed = 1;
	for (int i = 0; i < 200; i++) {
		seed = seed * 1103515245 + 12345;
		double noise = ((double)(seed >> 16 & 0x7fff) / 0x7fff - 0.5) * 0.08;
		y[i] = (i < 70 ? 120 : i < 140 ? 260 : 700) * (1 + noise);
	}
	y[30] = 900;
	y[100] = NAN;
	assert_int_equal(knees(y, 200, k), 2);
	assert_int_equal(k[0].last, 69);
	assert_int_equal(k[1].last, 139);
	for (int i = 0; i < 200; i++)
		y[i] = NAN;
	assert_int_equal(knees(y, 200, k), 0);
	assert_int_equal(knees(y, 0, k), 0);
}

static void the_mi25_curve_has_its_cache_knees(void **state)
{
	(void)state;
	FILE *in = fopen("share/sessions/range-latency-mi25.wbs", "r");
	static char line[1 << 20];
	double x[64], y[64];
	struct knee k[MAX];
	int n = 0;
	assert_non_null(in);
	while (fgets(line, sizeof line, in)) {
		json_t *r = json_loads(line, 0, NULL);
		const char *type = json_string_value(json_object_get(r, "type"));
		if (type && !strcmp(type, "point") && n < 64) {
			x[n] = json_number_value(json_object_get(json_object_get(r, "params"), "rangesize"));
			y[n++] = json_number_value(json_object_get(json_object_get(r, "metrics"), "latency"));
		}
		json_decref(r);
	}
	fclose(in);
	assert_int_equal(n, 19);
	assert_int_equal(knees(y, n, k), 2);
	assert_true(x[k[0].last] == 16 << 10 && x[k[1].last] == 4 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_knee_is_at_the_last_point_before_the_rise),
		cmocka_unit_test(a_ramp_between_two_plateaus_is_one_knee_where_it_begins),
		cmocka_unit_test(slopes_and_flat_lines_have_no_knee),
		cmocka_unit_test(a_knee_rises_by_15_percent),
		cmocka_unit_test(a_knee_is_clear_of_noise),
		cmocka_unit_test(a_fall_is_not_a_knee),
		cmocka_unit_test(noise_outliers_and_gaps_do_not_matter),
		cmocka_unit_test(the_mi25_curve_has_its_cache_knees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
