/* Order statistics. */
#include "tests/experiments/engine_fixture.h"

#include "base/stats.h"
#include "experiments/sweep/sweep.h"

static void expect(const double *samples, int count, double min, double q1, double median, double q3, double max)
{
	struct stats s = stats_compute(samples, count);
	assert_int_equal(s.count, count);
	assert_true(s.min == min && s.max == max);
	assert_true(s.q1 == q1);
	assert_true(s.median == median);
	assert_true(s.q3 == q3);
}

static void quartiles_are_interpolated(void **state)
{
	(void)state;
	expect((const double[]){7}, 1, 7, 7, 7, 7, 7);
	expect((const double[]){2, 1}, 2, 1, 1.25, 1.5, 1.75, 2);
	expect((const double[]){3, 1, 2}, 3, 1, 1.5, 2, 2.5, 3);
	expect((const double[]){4, 1, 3, 2}, 4, 1, 1.75, 2.5, 3.25, 4); /* numpy.quantile([1,2,3,4], [.25,.5,.75]) */
	expect((const double[]){50, 10, 40, 20, 30}, 5, 10, 20, 30, 40, 50);
	expect((const double[]){5, 5, 5, 5, 5, 5}, 6, 5, 5, 5, 5, 5);
}

static void an_outlier_changes_only_the_maximum(void **state)
{
	(void)state;
	expect((const double[]){1, 2, 3, 4, 1e9}, 5, 1, 2, 3, 4, 1e9);
}

static void no_samples_give_no_statistics(void **state)
{
	(void)state;
	struct stats s = stats_compute(NULL, 0);
	assert_int_equal(s.count, 0);
	assert_true(s.min == 0 && s.median == 0 && s.max == 0);
}

static void the_samples_are_not_reordered(void **state)
{
	(void)state;
	double samples[] = {3, 1, 2};
	stats_compute(samples, 3);
	assert_true(samples[0] == 3 && samples[1] == 1 && samples[2] == 2);
}

static void seconds_of_a_record_give_statistics(void **state)
{
	(void)state;
	json_t *r = json_pack("{s:[f, n, i, s]}", "seconds", 0.5, 1, "x");
	struct stats s = point_sample_stats(r);
	assert_int_equal(s.count, 2); /* a value that is not a number is skipped */
	assert_true(s.median == 0.75);
	json_decref(r);
	r = json_object();
	assert_int_equal(point_sample_stats(r).count, 0);
	json_decref(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quartiles_are_interpolated),
		cmocka_unit_test(an_outlier_changes_only_the_maximum),
		cmocka_unit_test(no_samples_give_no_statistics),
		cmocka_unit_test(the_samples_are_not_reordered),
		cmocka_unit_test(seconds_of_a_record_give_statistics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
