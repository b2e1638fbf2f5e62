/* Jobs of a worker: sent, answered, canceled; the start and the end of a worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>

#include "tests/gpu/scripted_worker.h"

/* --- scripts --- */
static void script_ok(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"state\",\"job\":1,\"point\":2,\"state\":\"running\"}\n");
	say("{\"type\":\"po"); /* a record in two pieces */
	usleep(20000);
	say(POINT + 11);
	wait_request("quit");
}

static void script_fatal(void)
{
	say(HELLO "{\"type\":\"fatal\",\"text\":\"no such thing; install it\",\"status\":2}\n");
	_exit(2);
}

/* Answers pings but never ends its job. */
static void script_stubborn(void)
{
	say(HELLO DEVICE);
	for (;;) {
		wait_request("ping");
		say("{\"type\":\"pong\",\"seq\":1}\n");
	}
}

static void script_polite(void)
{
	say(HELLO DEVICE);
	wait_request("cancel");
	say("{\"type\":\"point\",\"job\":1,\"point\":2,\"status\":\"cancelled\"}\n");
	wait_request("quit");
}

static void script_old(void)
{
	say("{\"type\":\"hello\",\"protocol\":99}\n");
	wait_request("quit");
}

/* --- tests --- */
static void a_job_is_sent_and_answered(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("ok");
	assert_string_equal(record_get_text(worker_controller_device_record(w), "name"), "Fake");
	json_t *p = await_record(w, "point");
	assert_non_null(p);
	assert_true(json_number_value(json_array_get(json_object_get(p, "seconds"), 0)) == 0.5);
	json_decref(p);
	assert_int_equal(worker_controller_state(w), WORKER_READY);
	assert_string_equal(worker_controller_crash_text(w), "");
	worker_controller_close(w);
}

static void a_device_that_cannot_be_opened_is_fatal(void **state)
{
	(void)state;
	enum status s = ST_OK;
	struct worker_controller *w = start("fatal");
	assert_true(await_death(w));
	assert_true(worker_controller_open_failed(w, &s));
	assert_int_equal(s, ST_REQUEST);
	assert_string_equal(worker_controller_crash_text(w), "no such thing; install it");
	assert_null(worker_controller_device_record(w));
	worker_controller_close(w);
}

static void a_worker_that_does_not_cancel_is_killed_after_1_s(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("stubborn");
	double began = now();
	worker_controller_cancel(w);
	assert_true(await_death(w));
	assert_true(now() - began > 0.9);
	assert_string_equal(
		worker_controller_crash_text(w), "worker killed: it did not cancel within 1 s while running point 3");
	worker_controller_close(w);
}

static void a_worker_that_cancels_is_not_killed(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("polite");
	worker_controller_cancel(w);
	json_t *p = await_record(w, "point");
	assert_non_null(p);
	assert_string_equal(record_get_text(p, "status"), "cancelled");
	json_decref(p);
	for (double end = now() + 1.5; now() < end;)
		step(w);
	assert_int_equal(worker_controller_state(w), WORKER_READY);
	worker_controller_close(w);
}

/* Only jobs that existed at the time of the cancel have to end within 1 s. */
static void a_job_sent_after_a_cancel_is_not_canceled(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("polite");
	worker_controller_cancel(w);
	assert_true(worker_controller_send(w, json_pack("{s:s,s:i,s:i}", "type", "job", "job", 2, "point", 0)));
	json_t *p = await_record(w, "point");
	assert_non_null(p);
	json_decref(p);
	for (double end = now() + 1.5; now() < end;)
		step(w);
	assert_int_equal(worker_controller_state(w), WORKER_BUSY);
	worker_controller_close(w);
}

static void another_protocol_version_is_rejected(void **state)
{
	(void)state;
	struct worker_controller *w = start("old");
	assert_true(await_death(w));
	assert_non_null(strstr(worker_controller_crash_text(w), "protocol 99"));
	assert_true(worker_controller_open_failed(w, NULL));
	worker_controller_close(w);
}

/* The worker's job never ends. */
static void closing_ends_the_worker_during_a_job(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("silent");
	int pid = worker_controller_pid(w);
	worker_controller_close(w);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void a_missing_worker_program_is_an_error(void **state)
{
	(void)state;
	char *kept = strdup(getenv("WAVEDECK_WORKER"));
	struct err e = {0};
	setenv("WAVEDECK_WORKER", "/proc/none/worker", 1);
	assert_null(worker_controller_start(&(struct worker_place){.device = "ok"}, &e));
	assert_non_null(strstr(e.text, "No such file"));
	setenv("WAVEDECK_WORKER", kept, 1);
	free(kept);
}

int main(int argc, char **argv)
{
	static const struct worker_script scripts[] = {
		{"ok", script_ok},
		{"fatal", script_fatal},
		{"silent", script_silent},
		{"stubborn", script_stubborn},
		{"polite", script_polite},
		{"old", script_old},
		{NULL, NULL},
	};
	become_scripted_worker(argc, argv, scripts);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_sent_and_answered),
		cmocka_unit_test(a_device_that_cannot_be_opened_is_fatal),
		cmocka_unit_test(a_worker_that_does_not_cancel_is_killed_after_1_s),
		cmocka_unit_test(a_worker_that_cancels_is_not_killed),
		cmocka_unit_test(a_job_sent_after_a_cancel_is_not_canceled),
		cmocka_unit_test(another_protocol_version_is_rejected),
		cmocka_unit_test(closing_ends_the_worker_during_a_job),
		cmocka_unit_test(a_missing_worker_program_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
