/* Devices in the workbench: names and constants, what a change of device keeps, verdicts of the self-test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/log.h"
#include "gpu/backends/backend.h"
#include "gpu/worker/selftest_run.h"
#include "tests/tui/screen_state.h"
#include "tui/lab/device_switch.h"
#include "tui/views/devices/devices_view.h"
#include "tui/shell/keymap.h"
#include "tui/shell/screen_draw.h"

static void device_names_carry_changed_constants(void **state)
{
	(void)state;
	char out[80];
	assert_true(device_format_altered("soft:mi25", "l1_bytes", "65536", out, sizeof out));
	assert_string_equal(out, "soft:mi25,l1_bytes=65536");
	assert_true(device_format_altered("soft:mi25,l1_bytes=32768,l1_ways=8", "l1_bytes", "65536", out, sizeof out));
	assert_string_equal(out, "soft:mi25,l1_ways=8,l1_bytes=65536");
	assert_true(device_format_altered(
		"soft:mi25,l1_ways=8", "l1", "1", out, sizeof out)); /* a whole name, not a prefix */
	assert_string_equal(out, "soft:mi25,l1_ways=8,l1=1");
	assert_false(device_format_altered("soft:mi25", "l1_bytes", "65536", out, 20));
}

static void device_names_are_checked(void **state)
{
	(void)state;
	struct err e = {0};
	assert_true(
		device_check_name("hip:3", &e)); /* software GPUs are checked by their library: tests/e2e/devices.sh */
	assert_false(device_check_name("replay:/proc/none.wbs", &e));
	assert_false(device_check_name("gpu", &e));
	assert_true(device_is_soft("soft:mi60") && !device_is_soft("hip:0"));
}

static void a_change_of_device_keeps_settings(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = app_current_lab(&a);
	b->x->params[1].soft = 1 << 26;
	b->values[1] = 1 << 26;
	double first = b->curve.points[0].metrics[0].value;
	assert_false(app_switch_device(&a, "nonsense:0"));
	assert_string_equal(a.device, "soft:made"); /* nothing changes */
	assert_int_equal(b->curve.count, 19);
	assert_true(app_switch_device(&a, "hip:0"));
	assert_true(!strcmp(a.device, "hip:0") && !a.soft && a.measure_at);
	assert_int_equal(b->curve.count, 0);
	assert_int_equal(b->previous.count, 19);
	assert_true(b->previous.points[0].metrics[0].value == first);
	assert_true(b->values[1] == 1u << 30); /* it was the software GPU's default */
	assert_true(b->values[0] == 4096);
	b->values[1] = 1 << 22;
	assert_true(app_switch_device(&a, "hip:1") && !a.soft);
	assert_true(b->values[1] == 1 << 22); /* a value set by the user is kept */
	made_free(&a);
}

/* What was recorded on a GPU of NVIDIA is shown with NVIDIA's words. */
static void a_recording_has_the_words_of_its_gpu(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = app_current_lab(&a);
	snprintf(b->x->title, sizeof b->x->title, "LDS bank conflicts");
	assert_true(app_switch_device(&a, "replay:share/sessions/range-latency-h200.wbs"));
	assert_string_equal(a.arch, "sm_90");
	assert_string_equal(b->x->title, "Shared memory bank conflicts");
	assert_true(app_switch_device(&a, "replay:share/sessions/range-latency-mi25.wbs"));
	assert_string_equal(a.arch, "gfx900");
	assert_string_equal(b->x->title, "LDS bank conflicts");
	made_free(&a);
}

/* A size that only one target has is marked there, and not on others. */
static void sizes_of_a_target_are_marked_as_reduced(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = app_current_lab(&a);
	b->x->params[1].soft_on[0] = (struct target_default){"gfx11", 1 << 20};
	b->x->params[1].soft_on_count = 1;
	b->values[1] = 1 << 20;
	snprintf(b->arch, sizeof b->arch, "gfx900");
	assert_false(lab_is_scaled(b));
	snprintf(b->arch, sizeof b->arch, "gfx1100");
	assert_true(lab_is_scaled(b));
	made_free(&a);
}

static json_t *device_record(bool deterministic)
{
	return json_pack("{s:s,s:s,s:s,s:b,s:{s:i,s:f,s:i,s:i}}", "name", "Made", "arch", "gfx900", "kind",
		deterministic ? "soft" : "hip", "deterministic", deterministic, "properties", "compute_units", 64,
		"mclk_mhz", 945.0, "memory_bus_bits", 2048, "timer_khz", 25000);
}

static void judged(enum selftest t, double value, bool deterministic, enum selftest_verdict want, const char *words)
{
	json_t *device = device_record(deterministic), *point = json_pack("{s:f}", "value", value);
	struct selftest_result r = selftest_evaluate(t, point, device);
	if (r.verdict != want || !strstr(r.text, words))
		fail_msg("%s, %g: verdict %d, '%s'", selftest_title(t), value, (int)r.verdict, r.text);
	json_decref(device);
	json_decref(point);
}

static void self_test_verdicts_follow_the_numbers(void **state)
{
	(void)state;
	judged(SELFTEST_TIMER, 40e-9, false, SELFTEST_GOOD, "1 tick of the 25 MHz timer");
	judged(SELFTEST_TIMER, 1e-9, false, SELFTEST_NOTE, "finer");
	judged(SELFTEST_LAUNCH, 5e-6, false, SELFTEST_GOOD, "contains");
	judged(SELFTEST_LAUNCH, 2e-3, false, SELFTEST_BAD, "other work");
	judged(SELFTEST_LAUNCH, 0, true, SELFTEST_BAD, "no timing");
	judged(SELFTEST_WALL, 1.003, false, SELFTEST_GOOD, "agree");
	judged(SELFTEST_WALL, 1.5, false, SELFTEST_BAD, "differ");
	judged(SELFTEST_WALL, 0.001, true, SELFTEST_NOTE, "virtual");
	judged(SELFTEST_ON_DEVICE, 400e9, false, SELFTEST_GOOD, "83 % of 484 GB/s");
	judged(SELFTEST_ON_DEVICE, 100e9, false, SELFTEST_BAD, "21 %");
	json_t *failed = json_pack("{s:s}", "error", "out of memory");
	assert_string_equal(selftest_evaluate(SELFTEST_TO_HOST, failed, NULL).text, "out of memory");
	json_decref(failed);
}

static void bandwidth_follows_the_kind_of_memory(void **state)
{
	(void)state;
	json_t *device = device_record(false);
	assert_true(device_record_bandwidth(device) == 483.84e9);
	json_object_set_new(device, "arch", json_string("gfx1100"));
	assert_true(device_record_bandwidth(device) == 8 * 483.84e9);
	json_object_set_new(device, "constants", json_pack("{s:i}", "dram_mbps", 960000));
	assert_true(device_record_bandwidth(device) == 960e9);
	json_object_clear(device);
	assert_true(device_record_bandwidth(device) == 0);
	json_decref(device);
}

static void self_test_texts_have_units(void **state)
{
	(void)state;
	static const struct {
		enum selftest t;
		double value;
		const char *text;
	} rows[] = {
		{SELFTEST_TIMER, 40e-9, "40 ns"},
		{SELFTEST_LAUNCH, 5.1e-6, "5.1 us"},
		{SELFTEST_WALL, 1.0031, "1.0031"},
		{SELFTEST_TO_HOST, 12.34e9, "12.3 GB/s"},
		{SELFTEST_TO_HOST, 150e6, "150.0 MB/s"},
	};
	char out[40];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(
			selftest_format_value(rows[i].t, (struct reading){true, rows[i].value}, out, sizeof out),
			rows[i].text);
	assert_string_equal(selftest_format_value(SELFTEST_WALL, (struct reading){0}, out, sizeof out), "--");
}

/* The worker accepts the job of each self-test. */
static void self_test_jobs_are_accepted(void **state)
{
	(void)state;
	struct err e = {0};
	for (int t = 0; t < SELFTEST_COUNT; t++)
		for (int soft = 0; soft < 2; soft++) {
			struct job j;
			json_t *o = selftest_make_job((enum selftest)t, t + 1, soft);
			assert_non_null(o);
			assert_true(selftest_is_requested(o));
			if (!job_parse(o, &j, &e))
				fail_msg("%s: %s", selftest_title((enum selftest)t), e.text);
			assert_int_equal(j.job, t + 1);
			assert_int_equal((size_t)j.shape.grid[0] * j.shape.block[0],
				t >= SELFTEST_TO_DEVICE ? j.buffers[0].count : 64);
			job_free(&j);
		}
}

/* Each property of a device is listed with its source. */
static void details_have_sources(void **state)
{
	(void)state;
	struct device_row r = {.device = "hip:0", .state = DEVICE_READY};
	int count, runtime = 0;
	assert_null(devices_view_details(&r, true, &count));
	assert_int_equal(count, 0);
	r.record = device_record(true);
	const struct device_detail *d = devices_view_details(&r, true, &count);
	for (int i = 0; i < count; i++) {
		assert_true(*d[i].name && *d[i].value && *d[i].from);
		runtime += !strcmp(d[i].from, "runtime");
		assert_false(d[i].alterable); /* constants of hardware cannot be changed */
		if (!strcmp(d[i].name, "memory_bus_bits"))
			assert_string_equal(d[i].value, "2048 bit");
	}
	assert_int_equal(runtime, 4);
	for (int i = 0; i < count; i++)
		free(d[i].name), free(d[i].value), free(d[i].from), free(d[i].help), free(d[i].low), free(d[i].high);
	free(r.details);
	json_decref(r.record);
}

int main(void)
{
	log_to_stderr((enum log_level)(LOG_ERROR + 1)); /* the test provokes errors; keep them off the terminal */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_names_carry_changed_constants),
		cmocka_unit_test(device_names_are_checked),
		cmocka_unit_test(a_change_of_device_keeps_settings),
		cmocka_unit_test(a_recording_has_the_words_of_its_gpu),
		cmocka_unit_test(sizes_of_a_target_are_marked_as_reduced),
		cmocka_unit_test(self_test_verdicts_follow_the_numbers),
		cmocka_unit_test(bandwidth_follows_the_kind_of_memory),
		cmocka_unit_test(self_test_texts_have_units),
		cmocka_unit_test(self_test_jobs_are_accepted),
		cmocka_unit_test(details_have_sources),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
