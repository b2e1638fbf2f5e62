/* The 95 % interval of the median holds the true median in 92 to 98 % of the points: the whole code of a measurement,
 * on times with each kind of noise. What is true comes from the noise itself: the time without noise; with drift, that
 * of the launch halfway through the samples; with steps of the clock, that at the clock which the point shows. */
#include "tests/gpu/noisy_device.h"

#include <math.h>

#include "gpu/protocol/point_record.h"

enum { REPEATS = 200, SEED = 1 };

/* An experiment: the time of a launch without noise, and its rule for samples. The last one ends by its time. */
static const struct {
	double seconds;
	const char *samples;
} experiments[] = {
	{1e-3, "'min':5,'max':30,'target':0.005,'seconds':2"},
	{20e-6, "'min':20,'max':100,'target':0.005,'seconds':2"},
	{0.1, "'min':5,'max':30,'target':0.005,'seconds':2"},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

struct coverage {
	int points, held, marked;
};

static double number_at(const json_t *o, const char *key, size_t i)
{
	return json_number_value(json_array_get(json_object_get(o, key), i));
}

static void count_point(const json_t *point, double seconds, double drift, struct coverage *c)
{
	int count = (int)json_array_size(json_object_get(point, "seconds"));
	double halfway = noisy_launches - (count + 1) / 2.0, clock = record_get_clocks(point).sclk_mhz.value,
	       truth = seconds * (1 + drift * halfway) * NOISY_CLOCK / clock;
	c->marked += point_has_moved_clocks(point);
	if (point_has_moved_clocks(point))
		return;
	c->points++;
	c->held += number_at(point, "median_interval", 0) <= truth && truth <= number_at(point, "median_interval", 1);
}

static struct coverage measure_often(const char *noise, double drift, int repeats)
{
	char text[NOISE_TEXT];
	struct coverage c = {0};
	snprintf(text, sizeof text, "%s+seed:%d", noise, SEED);
	struct opened_device d = noisy_open(text);
	for (int x = 0; x < EXPERIMENTS; x++)
		for (int i = 0; i < repeats; i++) {
			json_t *point =
				noisy_measure(&d, x * 1000000 + i, experiments[x].seconds, experiments[x].samples);
			count_point(point, experiments[x].seconds, drift, &c);
			json_decref(point);
		}
	return c;
}

static void check_coverage(const char *noise, double drift, int repeats, double low, double high)
{
	struct coverage c = measure_often(noise, drift, repeats);
	double part = 100.0 * c.held / c.points;
	print_message("%-28s %5.1f %% of %d points, %d more marked\n", noise, part, c.points, c.marked);
	assert_true(c.points >= repeats * EXPERIMENTS / 2);
	if (part < low || part > high)
		fail_msg("%s: %.1f %%, not %g to %g %%", noise, part, low, high);
}

static const struct {
	const char *noise;
	double drift;
} kinds[] = {
	{"white:0.002", 0},
	{"white:0.006", 0},
	{"white:0.01", 0},
	{"white:0.03", 0},
	{"white:0.006+drift:0.0001", 0.0001},
	{"white:0.01+drift:0.0005", 0.0005},
	{"white:0.002+drift:0.001", 0.001},
	{"white:0.003+steps:0.8:0.2", 0},
	{"white:0.01+steps:0.7:0.1", 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void the_interval_holds_the_true_median_in_92_to_98_percent_of_points(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++)
		check_coverage(kinds[k].noise, kinds[k].drift, REPEATS, 92, 98);
}

/* More points, so that chance is less than half a percent. */
static void and_in_93_to_98_percent_of_more_points(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++)
		check_coverage(kinds[k].noise, kinds[k].drift, 5 * REPEATS, 93, 98);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_holds_the_true_median_in_92_to_98_percent_of_points),
		cmocka_unit_test(and_in_93_to_98_percent_of_more_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
