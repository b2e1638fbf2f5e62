/* Noise in the times of the real worker: what it changes, and what it does not. */
#include "tests/softgpu/driver/worker_session.h"

#include "gpu/protocol/point_record.h"

enum { SAMPLES = 30 };

static const struct job_text chase = {
	CHASE,
	CHASE_BUFFERS,
	CHASE_ARGS("1024", "2000"),
	ONE,
	"'chase_range'",
	",'counters':['SQ_WAVES','GRBM_GUI_ACTIVE'],'samples':{'min':30,'max':30,'target':0.005,'seconds':2}",
};

static json_t *measure_on(const char *device)
{
	struct worker_controller *w = open_device(device);
	json_t *p = run_job(w, 1, &chase);
	worker_controller_close(w);
	assert_text(p, "status", "ok");
	assert_text(p, "verify", "ok");
	return p;
}

static void without_a_number_noise_changes_no_time(void **state)
{
	(void)state;
	json_t *exact = measure_on("soft:mi25"), *noisy = measure_on("soft:mi25,noise=white:0");
	const json_t *seconds = json_object_get(noisy, "seconds");
	assert_int_equal(json_array_size(seconds), SAMPLES);
	for (size_t i = 0; i < SAMPLES; i++)
		assert_true(json_number_value(json_array_get(seconds, i)) == seconds_of(exact));
	json_decref(exact);
	json_decref(noisy);
}

static void noise_changes_times_and_neither_cycles_nor_counters(void **state)
{
	(void)state;
	json_t *exact = measure_on("soft:mi25"), *noisy = measure_on("soft:mi25,noise=white:0.05+steps:0.6:0.3"),
	       *again = measure_on("soft:mi25,noise=white:0.05+steps:0.6:0.3"),
	       *other = measure_on("soft:mi25,noise=white:0.05+steps:0.6:0.3+seed:1");
	assert_true(json_equal(json_object_get(exact, "counters"), json_object_get(noisy, "counters")));
	assert_true(json_equal(json_object_get(exact, "code"), json_object_get(noisy, "code")));
	assert_true(json_equal(noisy, again));
	assert_false(json_equal(json_object_get(noisy, "seconds"), json_object_get(other, "seconds")));
	assert_true(point_has_moved_clocks(noisy));
	assert_null(json_object_get(exact, "median_interval"));
	assert_int_equal(json_array_size(json_object_get(noisy, "median_interval")), 2);
	json_decref(exact);
	json_decref(noisy);
	json_decref(again);
	json_decref(other);
}

static void a_device_with_noise_says_so(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25,noise=white:0.01+seed:2");
	const json_t *d = worker_controller_device_record(w);
	assert_text(d, "noise", "white:0.01+seed:2");
	assert_text(d, "name", "AMD Radeon Instinct MI25, with noise");
	assert_false(json_is_true(json_object_get(d, "deterministic")));
	worker_controller_close(w);
}

int main(void)
{
	use_worker_of_this_build();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_number_noise_changes_no_time),
		cmocka_unit_test(noise_changes_times_and_neither_cycles_nor_counters),
		cmocka_unit_test(a_device_with_noise_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
