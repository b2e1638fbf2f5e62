/* The arithmetic of noisy samples: intervals, outliers, batches, warm-up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/worker/samples/median_interval.h"
#include "gpu/worker/samples/sample_rule.h"

enum { MANY = 30 };

static void fill_alternating(double *times, double even, double odd)
{
	for (int i = 0; i < MANY; i++)
		times[i] = i % 2 ? odd : even;
}

static void sampling_stops_by_the_interval_of_the_median_or_at_a_limit(void **state)
{
	(void)state;
	const struct sample_rule rule = {5, MANY, 0.005, 2, false};
	double same[MANY], noisy[MANY], near[MANY];
	fill_alternating(same, 1e-3, 1e-3);
	fill_alternating(noisy, 1e-3, 2e-3);
	fill_alternating(near, 1.009, 1);                  /* half of 0.009 is within 0.5 % */
	assert_false(samples_suffice(same, 0, &rule, 10)); /* at least one */
	assert_false(samples_suffice(same, 5, &rule, 0));  /* too few for an interval */
	assert_true(samples_suffice(same, 6, &rule, 0));
	assert_false(samples_suffice(noisy, 29, &rule, 1));
	assert_true(samples_suffice(noisy, 30, &rule, 1));
	assert_true(samples_suffice(noisy, 1, &rule, 2.1));
	assert_true(samples_suffice(near, 6, &rule, 0));
	fill_alternating(near, 1.011, 1);
	assert_false(samples_suffice(near, 6, &rule, 0));
}

/* Ranks of tables for the sign test at 96.5 %: with 6 values the extremes (96.9 %), with 10 the 2nd (97.9 %) and not
 * the 3rd (89.1 %), with 20 the 5th (98.8 %) and not the 6th (95.9 %), with 30 the 9th (98.4 %) and not the 10th (95.7
 * %). */
static void the_interval_is_between_the_ranks_of_the_sign_test(void **state)
{
	(void)state;
	static const struct {
		int count, low, high;
	} rows[] = {{6, 1, 6}, {10, 2, 9}, {20, 5, 16}, {30, 9, 22}};
	double times[MANY] = {0}, low, high;
	assert_false(samples_median_interval(times, 5, &low, &high));
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		for (int i = 0; i < rows[k].count; i++) /* 1 to count, in an order without drift */
			times[i] = i % 2 ? rows[k].count - i / 2 : i / 2 + 1;
		assert_true(samples_median_interval(times, rows[k].count, &low, &high));
		assert_true(low >= rows[k].low && low < rows[k].low + 1);
		assert_true(high <= rows[k].high && high > rows[k].high - 1);
		assert_true(fabs(low + high - (rows[k].count + 1)) < 1e-9);
	}
}

/* How often the interval contains the true median, of a distribution with a long tail: 96.5 % of the samples that were
 * looked at once. */
static void the_interval_contains_the_median_of_a_skewed_distribution(void **state)
{
	(void)state;
	uint64_t seed = 1;
	int contained = 0, trials = 40000;
	for (int t = 0; t < trials; t++) {
		double times[21], low, high;
		for (int i = 0; i < 21; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			times[i] = -log(((double)(seed >> 11) + 1) / 9007199254740993.0); /* its median is ln 2 */
		}
		assert_true(samples_median_interval(times, 21, &low, &high));
		contained += low <= M_LN2 && M_LN2 <= high;
	}
	assert_true(contained > trials * 0.96 && contained < trials * 0.97);
}

static void the_interval_of_drifting_samples_is_that_of_the_one_halfway(void **state)
{
	(void)state;
	double times[MANY], low, high;
	for (int i = 0; i < MANY; i++)
		times[i] = 100 + i + (i * 7 % 5) * 0.1;
	assert_true(fabs(samples_find_drift(times, MANY) - 1) < 0.01);
	assert_true(samples_median_interval(times, MANY, &low, &high));
	assert_true(low > 114 && low < 114.9 && high > 114.5 && high < 115.5);
	fill_alternating(times, 1, 1.1);
	assert_true(samples_find_drift(times, MANY) == 0);
	times[0] = 2; /* a launch that took longer is no drift */
	assert_true(samples_find_drift(times, MANY) == 0);
}

static void sampling_looks_at_doubled_counts(void **state)
{
	(void)state;
	const struct sample_rule rule = {5, 1000, 0.005, 2, false}, from_ten = {10, 1000, 0.005, 2, false};
	double same[MANY];
	fill_alternating(same, 1e-3, 1e-3);
	for (int n = 1; n <= MANY; n++) {
		assert_int_equal(samples_suffice(same, n, &rule, 0), n == 6 || n == 12 || n == 24);
		assert_int_equal(samples_suffice(same, n, &from_ten, 0), n == 10 || n == 20);
	}
}

static void outliers_are_counted(void **state)
{
	(void)state;
	double times[MANY];
	fill_alternating(times, 1.001, 1);
	assert_int_equal(samples_count_outliers(times, MANY), 0);
	times[3] = 1.009; /* below 1 % of the median */
	assert_int_equal(samples_count_outliers(times, MANY), 0);
	times[3] = 1.2;
	times[7] = 0.8;
	assert_int_equal(samples_count_outliers(times, MANY), 2);
	fill_alternating(times, 2, 1); /* wide, but no sample is apart */
	assert_int_equal(samples_count_outliers(times, MANY), 0);
}

static void short_launches_are_batched(void **state)
{
	(void)state;
	assert_int_equal(samples_choose_batch(1e-3, 32e-9, 0.005), 1);
	assert_int_equal(samples_choose_batch(2e-6, 32e-9, 0.005), 4); /* 32 ns of 8 us are 0.4 % */
	assert_int_equal(samples_choose_batch(1e-9, 1e-6, 0.005), 1000);
	assert_int_equal(samples_choose_batch(2e-6, INFINITY, 0.005), 1);
	assert_int_equal(samples_choose_batch(0, 32e-9, 0.005), 1);
	double steps[] = {0, 96e-9, 64e-9, 64e-9, 0}, none[] = {0, 0};
	assert_true(fabs(smallest_difference(steps, 5) - 32e-9) < 1e-12);
	assert_true(isinf(smallest_difference(none, 2)));
}

static void warm_up_ends_when_times_are_stable(void **state)
{
	(void)state;
	const double falling[] = {5, 3, 2, 1.5, 1.2, 1.01, 1, 1};
	assert_false(warmup_suffices(falling, 2, 0.001, false));
	assert_false(warmup_suffices(falling, 7, 0.001, false) && warmup_suffices(falling, 6, 0.001, false));
	assert_true(warmup_suffices(falling, 8, 0.001, false));
	assert_false(warmup_suffices(falling, 8, 0.001, true)); /* the clocks may still rise */
	assert_true(warmup_suffices(falling, 8, 0.06, true));
	assert_true(warmup_suffices(falling, 1, 0.6, true)); /* a long launch */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampling_stops_by_the_interval_of_the_median_or_at_a_limit),
		cmocka_unit_test(sampling_looks_at_doubled_counts),
		cmocka_unit_test(the_interval_is_between_the_ranks_of_the_sign_test),
		cmocka_unit_test(the_interval_contains_the_median_of_a_skewed_distribution),
		cmocka_unit_test(the_interval_of_drifting_samples_is_that_of_the_one_halfway),
		cmocka_unit_test(outliers_are_counted),
		cmocka_unit_test(short_launches_are_batched),
		cmocka_unit_test(warm_up_ends_when_times_are_stable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
