/* Lines of a worker that are no records, and records that answer what it was not asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gpu/scripted_worker.h"

/* --- scripts --- */
static void script_rubbish(void)
{
	say(HELLO "this is no JSON\n{\"type\":\"unheard of\"}\n[1,2]\n\n\xff\xfe\n" DEVICE);
	say("{\"type\":\"log\",\"level\":\"warning\",\"text\":\"said by the worker\"}\n");
	for (int i = 0; i < 1000; i++)
		say("{\"type\":\"telemetry\",\"sclk_mhz\":1536}\n");
	wait_request("job");
	say(POINT);
	wait_request("quit");
}

static void script_warnings(void)
{
	say(HELLO DEVICE);
	say("{\"type\":\"log\",\"level\":\"warning\",\"text\":\"the machine lacks something\"}\n");
	say("{\"type\":\"log\",\"level\":\"warning\",\"text\":\"the machine lacks something\"}\n");
	wait_request("job");
	say(POINT);
	wait_request("quit");
}

static void script_other_job(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"state\",\"job\":7,\"point\":2,\"state\":\"running\"}\n"
	    "{\"type\":\"progress\",\"job\":7,\"point\":2,\"done\":1,\"total\":2}\n"
	    "{\"type\":\"point\",\"job\":7,\"point\":2,\"status\":\"ok\",\"seconds\":[0.25]}\n"
	    "{\"type\":\"point\",\"job\":1,\"point\":3,\"status\":\"ok\",\"seconds\":[0.25]}\n" POINT);
	wait_request("quit");
}

static void script_other_params(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"point\",\"job\":1,\"point\":2,\"params\":{\"n\":3},\"status\":\"ok\",\"seconds\":[0.25]}\n");
	wait_request("quit");
}

static void script_other_experiment(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"point\",\"job\":1,\"point\":2,\"experiment\":\"x\",\"status\":\"ok\",\"seconds\":[0.25]}\n");
	wait_request("quit");
}

static void script_other_status(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"point\",\"job\":1,\"point\":2,\"status\":5}\n");
	wait_request("quit");
}

static void script_unasked_cancel(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"point\",\"job\":1,\"point\":2,\"status\":\"cancelled\"}\n");
	wait_request("quit");
}

static void script_no_hello(void)
{
	say(DEVICE);
	wait_request("quit");
}

static void script_clocks(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"telemetry\",\"sclk_mhz\":1536,\"mclk_mhz\":0,\"temp_c\":1e38,\"power_w\":12}\n"
	    "{\"type\":\"point\",\"job\":1,\"point\":2,\"status\":\"ok\",\"seconds\":[0.5],\"sclk_mhz\":-5,\"mclk_mhz\":1e38,"
	    "\"temp_c\":35,\"power_w\":null}\n");
	wait_request("quit");
}

/* --- tests --- */
static void lines_that_are_not_records_are_logged_and_ignored(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("rubbish");
	json_t *p = await_record(w, "point");
	assert_non_null(p);
	json_decref(p);
	assert_true(logged("this is no JSON"));
	assert_true(logged("unheard of"));
	assert_true(logged("said by the worker"));
	worker_controller_close(w);
}

static void count_lines(const char *text, int *warnings, int *all)
{
	enum log_level level;
	*warnings = *all = 0;
	for (size_t i = 0; i < log_line_count(); i++)
		if (!strcmp(log_get_line(i, &level), text)) {
			++*all;
			*warnings += level == LOG_WARNING;
		}
}

static void a_warning_of_several_workers_is_one_of_the_first(void **state)
{
	(void)state;
	int warnings, all;
	for (int i = 1; i <= 3; i++) {
		struct worker_controller *w = start_with_job("warnings");
		json_decref(await_record(w, "point"));
		worker_controller_close(w);
		count_lines("the machine lacks something", &warnings, &all);
		assert_int_equal(warnings, 2); /* a worker may repeat itself */
		assert_int_equal(all, 2 * i);
	}
}

static void no_record_is_lost_when_many_arrive_at_once(void **state)
{
	(void)state;
	struct worker_controller *w = start("rubbish");
	int telemetry = 0;
	for (double end = now() + PATIENCE; now() < end && telemetry < 1000;) {
		usleep(50000); /* a busy front end */
		step(w);
		for (json_t *r; (r = worker_controller_next_record(w)); json_decref(r))
			telemetry += !strcmp(record_get_type(r), "telemetry");
	}
	assert_int_equal(telemetry, 1000);
	worker_controller_close(w);
}

static void a_record_of_a_job_that_the_worker_does_not_have_is_left_out(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("other job");
	static const char *const types[] = {"state", "progress", "point"};
	int count[3] = {0};
	for (double end = now() + PATIENCE; now() < end && !count[2];) {
		step(w);
		for (json_t *r; (r = worker_controller_next_record(w)); json_decref(r))
			for (int i = 0; i < 3; i++)
				if (!strcmp(record_get_type(r), types[i])) {
					count[i]++;
					assert_int_equal(record_get_integer(r, "job"), 1);
				}
	}
	assert_int_equal(count[0] + count[1], 0);
	assert_int_equal(count[2], 1);
	assert_true(logged("job 7, point 2"));
	worker_controller_close(w);
}

static void a_point_is_measured_failed_or_canceled_as_asked(void **state)
{
	(void)state;
	static const char *const scripts_and_errors[][2] = {
		{"other status", "the worker sent a point without a valid status"},
		{"unasked cancel", "the worker canceled the point without a request"},
	};
	for (int i = 0; i < 2; i++) {
		struct worker_controller *w = start_with_job(scripts_and_errors[i][0]);
		json_t *r = NULL;
		for (double end = now() + PATIENCE; now() < end && strcmp(record_get_type(r), "point");) {
			json_decref(r);
			step(w);
			r = worker_controller_next_record(w);
		}
		assert_string_equal(record_get_text(r, "status"), "failed");
		assert_string_equal(record_get_text(r, "error"), scripts_and_errors[i][1]);
		json_decref(r);
		worker_controller_close(w);
	}
}

static void a_point_with_other_parameters_ends_the_worker(void **state)
{
	(void)state;
	static const char *const named[] = {"other params", "other experiment"};
	for (int i = 0; i < 2; i++) {
		struct worker_controller *w = start_with_job(named[i]);
		assert_null(await_record(w, "point"));
		assert_true(await_death(w));
		assert_string_equal(worker_controller_crash_text(w),
			"the worker answers point 3 with other parameters than it was asked for; use a worker of the same version");
		worker_controller_close(w);
	}
}

static void a_worker_says_hello_first(void **state)
{
	(void)state;
	struct worker_controller *w = start("no hello");
	assert_null(await_record(w, "device"));
	assert_true(await_death(w));
	assert_non_null(strstr(worker_controller_crash_text(w), "does not say hello"));
	assert_true(worker_controller_open_failed(w, NULL));
	worker_controller_close(w);
}

static void readings_that_no_sensor_can_report_are_left_out(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("clocks");
	json_t *t = await_record(w, "telemetry"), *p = await_record(w, "point");
	assert_true(record_get_clocks(t).sclk_mhz.value == 1536 && record_get_clocks(t).power_w.value == 12);
	assert_true(json_is_null(json_object_get(t, "mclk_mhz")) && json_is_null(json_object_get(t, "temp_c")));
	assert_true(json_is_null(json_object_get(p, "sclk_mhz")) && json_is_null(json_object_get(p, "mclk_mhz")));
	assert_true(record_get_clocks(p).temp_c.value == 35 && !record_get_clocks(p).power_w.valid);
	assert_true(logged("left out readings that no sensor can report: mclk_mhz"));
	json_decref(t);
	json_decref(p);
	worker_controller_close(w);
}

int main(int argc, char **argv)
{
	static const struct worker_script scripts[] = {
		{"rubbish", script_rubbish},
		{"warnings", script_warnings},
		{"other job", script_other_job},
		{"other params", script_other_params},
		{"other experiment", script_other_experiment},
		{"other status", script_other_status},
		{"unasked cancel", script_unasked_cancel},
		{"no hello", script_no_hello},
		{"clocks", script_clocks},
		{NULL, NULL},
	};
	become_scripted_worker(argc, argv, scripts);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_that_are_not_records_are_logged_and_ignored),
		cmocka_unit_test(a_warning_of_several_workers_is_one_of_the_first),
		cmocka_unit_test(no_record_is_lost_when_many_arrive_at_once),
		cmocka_unit_test(a_record_of_a_job_that_the_worker_does_not_have_is_left_out),
		cmocka_unit_test(a_point_is_measured_failed_or_canceled_as_asked),
		cmocka_unit_test(a_point_with_other_parameters_ends_the_worker),
		cmocka_unit_test(a_worker_says_hello_first),
		cmocka_unit_test(readings_that_no_sensor_can_report_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
