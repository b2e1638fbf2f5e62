/* The noise of a software GPU's times: its text in a device's name, what it draws, and which points have a clock that
 * moved. */
#include <math.h>

#include "base/stats.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "gpu/softgpu-link/soft_name.h"
#include "tests/gpu/noisy_device.h"

enum { DRAWS = 20000, POINTS = 200 };

static void noise_is_read_from_the_name_of_a_device(void **state)
{
	(void)state;
	struct noise_model m;
	struct err e;
	assert_true(noise_parse("mi25,noise=white:0.01+drift:-0.0005+steps:0.8:0.1+seed:7,l1_bytes=32768", &m, &e));
	assert_true(m.white == 0.01 && m.drift == -0.0005 && m.step_clock == 0.8 && m.step_share == 0.1 && m.seed == 7);
	assert_true(noise_parse("mi25", &m, &e));
	assert_true(!m.white && !m.drift && !m.step_share);
	char *plain = soft_name_remove_disturbances("mi25,noise=white:0.01,l1_bytes=32768"), text[NOISE_TEXT];
	assert_string_equal(plain, "mi25,l1_bytes=32768");
	free(plain);
	noise_find_text("mi25,l1_bytes=32768,noise=white:0.01+seed:2", text);
	assert_string_equal(text, "white:0.01+seed:2");
	assert_true(device_is_noisy("soft:mi25,noise=white:0.01"));
	assert_false(device_is_noisy("soft:mi25") || device_is_noisy("replay:a,noise=white:0.01"));
	assert_false(device_can("soft:mi25,noise=white:0.01", DEVICE_DETERMINISTIC));
	assert_true(device_can("soft:mi25,noise=white:0.01", DEVICE_COUNTERS));
}

static void wrong_noise_is_refused_with_what_is_valid(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "write noise= with white:SIGMA, drift:PART, steps:CLOCK:SHARE or seed:NUMBER"},
		{"pink:0.1", "unknown noise 'pink:0.1'"},
		{"white:0.01+", "unknown noise ''"},
		{"white", "the sigma of noise white is missing or no number; write white:SIGMA"},
		{"white:much", "missing or no number"},
		{"white:nan", "missing or no number"},
		{"white:0.5", "must be 0 to 0.2, not 0.5"},
		{"white:0.1:2", "has more than white:SIGMA"},
		{"drift:1", "must be -0.001 to 0.001, not 1"},
		{"steps:0.5", "the share of noise steps is missing"},
		{"seed:-1", "a whole number from 0"},
		{"seed:", "a whole number from 0"},
		{"seed:1111111111111111111", "of at most 18 digits"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct noise_model m;
		struct err e;
		char name[200];
		snprintf(name, sizeof name, "mi25,noise=%s", rows[i].text);
		assert_false(noise_parse(name, &m, &e));
		if (!strstr(e.text, rows[i].error))
			fail_msg("%s -> '%s', expected '%s'", rows[i].text, e.text, rows[i].error);
	}
}

static void white_noise_is_normal(void **state)
{
	(void)state;
	const struct noise_model m = {.white = 0.01, .step_clock = 1};
	static double times[DRAWS];
	double sum = 0, squares = 0;
	for (int i = 0; i < DRAWS; i++) {
		times[i] = noise_draw(&m, 5, (uint64_t)i).time;
		sum += times[i] - 1;
		squares += (times[i] - 1) * (times[i] - 1);
	}
	struct stats s = stats_compute(times, DRAWS);
	assert_true(fabs(sum / DRAWS) < 3 * 0.01 / sqrt(DRAWS));
	assert_true(fabs(sqrt(squares / DRAWS) - 0.01) < 0.0002);
	assert_true(fabs(s.q3 - s.q1 - 2 * 0.6745 * 0.01) < 0.0005); /* the quartiles of a normal distribution */
}

static void a_draw_depends_only_on_seed_point_and_number(void **state)
{
	(void)state;
	const struct noise_model m = {.white = 0.01, .step_clock = 1, .seed = 3},
				 other = {.white = 0.01, .step_clock = 1};
	double first = noise_draw(&m, 5, 9).time;
	noise_draw(&m, 6, 0);
	assert_true(noise_draw(&m, 5, 9).time == first);
	assert_true(noise_draw(&m, 6, 9).time != first && noise_draw(&m, 5, 8).time != first);
	assert_true(noise_draw(&other, 5, 9).time != first);
}

static void a_step_of_the_clock_is_in_time_and_clock(void **state)
{
	(void)state;
	const struct noise_model m = {.step_clock = 0.5, .step_share = 0.25};
	int steps = 0;
	for (int i = 0; i < DRAWS; i++) {
		struct noise_draw d = noise_draw(&m, 1, (uint64_t)i),
				  first = noise_draw(&m, 1, (uint64_t)(i - i % NOISE_STEP_TIMES));
		assert_true(d.time * d.clock == 1 && d.clock == first.clock);
		steps += d.clock < 1;
	}
	assert_true(fabs((double)steps / DRAWS - 0.25) < 0.03);
}

static void drift_makes_each_time_longer(void **state)
{
	(void)state;
	struct opened_device d = noisy_open("white:0.00001+drift:0.0005");
	json_t *p = noisy_measure(&d, 1, 1e-3, "'min':40,'max':40,'target':0.005,'seconds':2"),
	       *same = noisy_measure(&d, 1, 1e-3, "'min':40,'max':40,'target':0.005,'seconds':2");
	assert_true(fabs(json_number_value(json_object_get(p, "drift")) - 39 * 0.0005) < 0.0005);
	assert_true(json_equal(p, same));
	json_decref(p);
	json_decref(same);
	noisy_open("white:0.01");
	p = noisy_measure(&d, 1, 1e-3, "'min':40,'max':40,'target':0.005,'seconds':2");
	assert_null(json_object_get(p, "drift"));
	json_decref(p);
}

/* Without other noise, the samples of a point differ only if the clock moved between them. */
static void a_point_is_marked_if_its_clock_moved_twice(void **state)
{
	(void)state;
	struct opened_device d = noisy_open("steps:0.7:0.1");
	int marked = 0, again = 0, once = 0, slow = 0;
	for (int i = 0; i < POINTS; i++) {
		json_t *p = noisy_measure(&d, i, 1e-3, "'min':12,'max':30,'target':0.005,'seconds':2");
		double samples[64];
		int count = (int)json_array_size(json_object_get(p, "seconds")),
		    tries = (int)record_get_integer(p, "tries");
		for (int k = 0; k < count; k++)
			samples[k] = json_number_value(json_array_get(json_object_get(p, "seconds"), (size_t)k));
		struct stats s = stats_compute(samples, count);
		double clock = record_get_clocks(p).sclk_mhz.value;
		assert_int_equal(point_has_moved_clocks(p), s.max > 1.02 * s.min);
		assert_true(!point_has_moved_clocks(p) || tries == 2);
		assert_true(point_has_moved_clocks(p) || fabs(s.median * clock - 1e-3 * NOISY_CLOCK) < 1e-9);
		marked += point_has_moved_clocks(p);
		again += !point_has_moved_clocks(p) && tries == 2;
		once += tries == 1;
		slow += !point_has_moved_clocks(p) && clock < NOISY_CLOCK;
		json_decref(p);
	}
	assert_true(marked > 0 && again > 0 && once > 0);
	print_message("%d of %d points marked, %d no longer moved when measured again, %d slow\n", marked, POINTS,
		again, slow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_read_from_the_name_of_a_device),
		cmocka_unit_test(wrong_noise_is_refused_with_what_is_valid),
		cmocka_unit_test(white_noise_is_normal),
		cmocka_unit_test(a_draw_depends_only_on_seed_point_and_number),
		cmocka_unit_test(a_step_of_the_clock_is_in_time_and_clock),
		cmocka_unit_test(drift_makes_each_time_longer),
		cmocka_unit_test(a_point_is_marked_if_its_clock_moved_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
