/* The entropy criterion: where it ends on synthetic noise, with steps of a timer and with drift. The counts are those
 * of a direct transcription of nvbench's formulas, which computes everything again after each sample. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/worker/samples/entropy_rule.h"
#include "gpu/worker/samples/sample_rule.h"

enum { MANY = 10000 };

static uint64_t seed;

static double draw_uniform(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static double draw_normal(void)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += draw_uniform();
	return sum;
}

/* A time in steps of the timer, whose noise has this deviation; it drifts until sample `until`. */
struct source {
	double deviation, drift;
	int until;
	bool exact; /* no steps */
};

/* How many samples it takes; 0: all of MANY do not suffice. */
static int count_samples(const struct source *s, double *bits)
{
	struct entropy_rule *r = entropy_rule_new();
	int n = 0;
	seed = 1;
	for (int i = 0; i < MANY && !n; i++) {
		double time = s->deviation * draw_normal() + s->drift * (i < s->until ? i : s->until);
		entropy_rule_add(r, s->exact ? time : rint(time));
		n = entropy_rule_suffices(r) ? i + 1 : 0;
	}
	*bits = entropy_rule_bits(r);
	entropy_rule_free(r);
	return n;
}

static void it_ends_where_nvbench_ends(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		struct source source;
		int count;
		double bits;
	} rows[] = {
		{"noise of a step", {1, 0, 0, false}, 316, 1.983881},
		{"noise of four steps", {4, 0, 0, false}, 326, 3.874436},
		{"no two times are equal", {1, 0, 0, true}, 1874, 10.871905},
		{"drift to the end", {1, 0.02, MANY, false}, 1770, 5.197247},
		{"more noise, drift to the end", {4, 0.05, MANY, false}, 1764, 6.529596},
		{"drift that ends", {1, 0.05, 200, false}, 462, 3.236464},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double bits;
		int count = count_samples(&rows[i].source, &bits);
		if (count != rows[i].count || fabs(bits - rows[i].bits) > 1e-5)
			fail_msg("%s: %d samples, %.6f bits, not %d and %.6f", rows[i].what, count, bits, rows[i].count,
				rows[i].bits);
	}
}

static void equal_times_have_no_entropy(void **state)
{
	(void)state;
	struct entropy_rule *r = entropy_rule_new();
	assert_true(entropy_rule_bits(r) == 0);
	entropy_rule_add(r, 1e-3);
	assert_false(entropy_rule_suffices(r));
	entropy_rule_add(r, 1e-3);
	assert_true(entropy_rule_bits(r) == 0);
	assert_true(entropy_rule_suffices(r));
	entropy_rule_add(r, 2e-3); /* an odd count */
	assert_false(entropy_rule_suffices(r));
	entropy_rule_add(r, 2e-3);
	assert_true(fabs(entropy_rule_bits(r) - 1) < 1e-12);
	assert_false(entropy_rule_suffices(r)); /* it has risen */
	entropy_rule_free(r);
}

static void sampling_by_entropy_keeps_the_least_count_and_the_time(void **state)
{
	(void)state;
	const struct sample_rule rule = {.min = 8, .max = 10, .target = 0.005, .seconds = 2, .entropy = true};
	struct entropy_rule *same = entropy_rule_new(), *rising = entropy_rule_new();
	for (int i = 1; i <= 20; i++) {
		entropy_rule_add(same, 1);
		entropy_rule_add(rising, i);
		assert_int_equal(samples_suffice_by_entropy(same, i, &rule, 0), i >= 8 && i % 2 == 0);
		assert_false(samples_suffice_by_entropy(rising, i, &rule, 1.9)); /* also beyond rule.max */
		assert_true(samples_suffice_by_entropy(rising, i, &rule, 2));
	}
	assert_true(samples_suffice_by_entropy(rising, SAMPLES_MAX, &rule, 0));
	entropy_rule_free(same);
	entropy_rule_free(rising);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_ends_where_nvbench_ends),
		cmocka_unit_test(equal_times_have_no_entropy),
		cmocka_unit_test(sampling_by_entropy_keeps_the_least_count_and_the_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
