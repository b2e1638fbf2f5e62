/* Faults of a software GPU: their text in a device's name, and what they do to times and clocks. */
#include "base/stats.h"
#include "gpu/backends/backend.h"
#include "gpu/backends/faulty_runtime.h"
#include "gpu/protocol/point_record.h"
#include "gpu/softgpu-link/soft_name.h"
#include "tests/gpu/noisy_device.h"

#define SAMPLES "'min':12,'max':30,'target':0.005,'seconds':2"

static void faults_are_read_from_the_name_of_a_device(void **state)
{
	(void)state;
	struct fault_model m;
	struct err e;
	char text[FAULT_TEXT];
	const char *name = "mi25,fault=smi_slow:300+smi_gone+idle_clock:345+hang:2+error:3+busy:0.25,l1_bytes=32768";
	assert_true(fault_parse(name, &m, &e));
	assert_true(m.smi_slow == 300 && m.smi_gone && m.idle_clock == 345 && m.hang == 2 && m.error == 3 &&
		m.busy == 0.25);
	assert_true(fault_parse("mi25", &m, &e));
	assert_true(!m.smi_slow && !m.smi_gone && !m.idle_clock && !m.hang && !m.error && !m.busy);
	char *plain = soft_name_remove_disturbances("mi25,noise=white:0.01,l1_bytes=32768,fault=hang:2");
	assert_string_equal(plain, "mi25,l1_bytes=32768");
	free(plain);
	fault_find_text("mi25,fault=hang:2,noise=white:0.01", text);
	assert_string_equal(text, "hang:2");
	assert_true(device_is_noisy("soft:mi25,fault=hang:2"));
	assert_false(device_is_noisy("replay:a,fault=hang:2"));
	assert_false(device_can("soft:mi25,fault=hang:2", DEVICE_DETERMINISTIC));
}

static void wrong_faults_are_refused_with_what_is_valid(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "write fault= with smi_slow:MS, smi_gone, idle_clock:MHZ, hang:POINT, error:POINT or busy:SHARE"},
		{"fire", "unknown fault 'fire'"},
		{"hang:2+", "unknown fault ''"},
		{"hang", "the point of fault hang is missing or no number; write hang:POINT"},
		{"hang:0", "must be a whole number from 1 to 1e+06, not 0"},
		{"error:1.5", "must be a whole number from 1 to 1e+06, not 1.5"},
		{"error:1:2", "missing or no number"},
		{"smi_gone:1", "has more than smi_gone"},
		{"smi_slow:-1", "must be 0 to 5000, not -1"},
		{"idle_clock:nan", "missing or no number"},
		{"busy:1", "must be 0 to 0.95, not 1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fault_model m;
		struct err e;
		char name[200];
		snprintf(name, sizeof name, "mi25,fault=%s", rows[i].text);
		assert_false(fault_parse(name, &m, &e));
		if (!strstr(e.text, rows[i].error))
			fail_msg("%s -> '%s', expected '%s'", rows[i].text, e.text, rows[i].error);
	}
	char longest[300];
	struct fault_model m;
	struct err e;
	snprintf(longest, sizeof longest, "mi25,fault=%0200d", 1);
	assert_false(fault_parse(longest, &m, &e));
	assert_non_null(strstr(e.text, "longer than 119 characters"));
}

static struct opened_device open_faulty(const char *text)
{
	struct opened_device d = noisy_open("white:0");
	struct fault_model m;
	struct err e;
	char name[200];
	snprintf(name, sizeof name, "mi25,fault=%s", text);
	assert_true(fault_parse(name, &m, &e));
	faulty_runtime_wrap(&d, &m);
	telemetry_start(d.read_clocks, false);
	return d;
}

static double median_of(const json_t *point)
{
	double samples[64];
	const json_t *list = json_object_get(point, "seconds");
	int count = (int)json_array_size(list);
	for (int k = 0; k < count; k++)
		samples[k] = json_number_value(json_array_get(list, (size_t)k));
	return stats_compute(samples, count).median;
}

static void an_idle_clock_is_warmed_up(void **state)
{
	(void)state;
	struct opened_device d = open_faulty("idle_clock:250");
	for (int i = 0; i < 3; i++) { /* each point begins idle */
		json_t *p = noisy_measure(&d, i, 1e-3, SAMPLES);
		assert_true(median_of(p) == 1e-3 && record_get_clocks(p).sclk_mhz.value == NOISY_CLOCK);
		assert_true(!point_has_moved_clocks(p) && record_get_integer(p, "tries") == 1);
		json_decref(p);
	}
}

/* Three launches agree at once, at the low clock. */
static void without_a_long_warm_up_an_idle_clock_moves(void **state)
{
	(void)state;
	struct opened_device d = open_faulty("idle_clock:250");
	d.starts_idle = false;
	json_t *p = noisy_measure(&d, 0, 1e-3, "'min':30,'max':30,'target':0.005,'seconds':2");
	assert_true(record_get_integer(p, "tries") == 2); /* and steady the second time */
	assert_true(!point_has_moved_clocks(p) && median_of(p) == 1e-3);
	json_decref(p);
}

static void a_busy_neighbor_takes_time_and_is_counted(void **state)
{
	(void)state;
	struct opened_device d = open_faulty("busy:0.5");
	json_t *p = noisy_measure(&d, 0, 1e-3, SAMPLES);
	char text[80];
	assert_true(median_of(p) == 2e-3 && record_get_integer(p, "other_processes") == 1);
	assert_true(point_has_moved_clocks(p) && record_get_integer(p, "tries") == 1);
	assert_string_equal(point_format_clocks(p, text, sizeof text), "1 other process had the GPU open");
	json_decref(p);
}

static void missing_sensors_leave_the_times(void **state)
{
	(void)state;
	struct opened_device d = open_faulty("smi_gone");
	json_t *p = noisy_measure(&d, 0, 1e-3, SAMPLES);
	assert_true(median_of(p) == 1e-3 && !record_get_clocks(p).sclk_mhz.valid && !point_has_moved_clocks(p));
	json_decref(p);
}

/* Only the point that it names, and the launch has no end. */
static void a_launch_hangs_or_fails_for_its_point(void **state)
{
	(void)state;
	struct opened_device d = open_faulty("hang:2+error:3");
	struct err e;
	double seconds;
	static const enum poll_state expected[] = {POLL_DONE, POLL_BUSY, POLL_FAILED, POLL_DONE};
	for (int i = 0; i < 4; i++) {
		d.begin_noisy_point(7, i);
		assert_int_equal(d.rt->poll(d.handle, &seconds, &e), expected[i]);
		assert_int_equal(d.rt->poll(d.handle, &seconds, &e), expected[i]);
	}
	assert_string_equal(e.text, "kernel failed: unspecified launch failure (HIP error 719)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_read_from_the_name_of_a_device),
		cmocka_unit_test(wrong_faults_are_refused_with_what_is_valid),
		cmocka_unit_test(an_idle_clock_is_warmed_up),
		cmocka_unit_test(without_a_long_warm_up_an_idle_clock_moves),
		cmocka_unit_test(a_busy_neighbor_takes_time_and_is_counted),
		cmocka_unit_test(missing_sensors_leave_the_times),
		cmocka_unit_test(a_launch_hangs_or_fails_for_its_point),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
