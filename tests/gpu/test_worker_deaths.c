/* A worker that crashes, ends or says nothing: what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>

#include "gpu/controller/worker_crash.h"

#include "tests/gpu/scripted_worker.h"

/* --- scripts --- */
static void end_by(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static void script_segv(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	end_by(SIGSEGV);
}

static void script_fault(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	fprintf(stderr,
		"Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f00dead0000. Reason: Page not present or supervisor privilege.\n"
		"something said after it\n");
	end_by(SIGABRT);
}

static void script_falls_silent(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"state\",\"job\":1,\"point\":2,\"state\":\"running\"}\n");
	for (;;)
		pause();
}

static void script_exits(void)
{
	fprintf(stderr,
		"Warning: Agent creation failed. The GPU node has an unrecognized id.\n"
		"last words without an end of line");
	_exit(7);
}

/* --- tests --- */
static void a_crash_names_the_signal_and_the_point(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("segv");
	assert_true(await_death(w));
	assert_string_equal(worker_controller_crash_text(w), "worker killed by SIGSEGV while running point 3");
	assert_false(worker_controller_open_failed(w, NULL));
	assert_false(worker_controller_send(w, json_pack("{s:s}", "type", "job")));
	worker_controller_close(w);
}

static void a_gpu_fault_is_reported_by_its_line(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("fault");
	assert_true(await_death(w));
	assert_non_null(strstr(worker_controller_crash_text(w), "GPU memory fault: Memory access fault by GPU node-1"));
	assert_non_null(strstr(worker_controller_crash_text(w), "0x7f00dead0000"));
	assert_non_null(strstr(worker_controller_crash_text(w), "SIGABRT while running point 3"));
	worker_controller_close(w);
}

static void a_silent_worker_is_killed_after_5_s(void **state)
{
	(void)state;
	struct worker_controller *w = start_with_job("silent");
	double began = now();
	assert_true(await_death(w));
	assert_true(now() - began > 4.5);
	assert_string_equal(worker_controller_crash_text(w), "worker killed: no answer for 5 s while running point 3");
	worker_controller_close(w);
}

/* The time for which this program was stopped does not count as silence, but gives a silent worker no more than that,
 * also if it has written something meanwhile. */
static void a_stop_of_the_program_does_not_hide_a_silent_worker(void **state)
{
	(void)state;
	enum { STOPPED_S = 4 };
	struct worker_controller *w = start_with_job("falls-silent");
	sleep(STOPPED_S);
	step(w);
	assert_int_equal(worker_controller_state(w), WORKER_BUSY);
	struct worker_controller *later = start_with_job("silent");
	while (worker_controller_state(later) != WORKER_DEAD) {
		step(w);
		step(later);
	}
	double dead = now();
	assert_true(await_death(w));
	assert_true(now() - dead < STOPPED_S / 2.);
	worker_controller_close(later);
	worker_controller_close(w);
}

static void the_last_line_of_standard_error_is_reported(void **state)
{
	(void)state;
	struct worker_controller *w = start("exits");
	assert_true(await_death(w));
	assert_non_null(strstr(worker_controller_crash_text(w),
		"ended with status 7 while opening the device: last words without an end of line"));
	worker_controller_close(w);
}

/* The level at which a line with this text is in the log; -1: not there. */
static int log_level_of(const char *text)
{
	enum log_level level;
	for (size_t i = log_line_count(); i--;)
		if (strstr(log_get_line(i, &level), text))
			return (int)level;
	return -1;
}

/* The worker goes on without HIP for that GPU: nothing is wrong. */
static void what_rocm_says_about_an_unknown_gpu_is_for_developers(void **state)
{
	(void)state;
	struct worker_controller *w = start("exits");
	assert_true(await_death(w));
	assert_int_equal(log_level_of("Agent creation failed"), LOG_DEBUG);
	assert_int_equal(log_level_of("last words without an end of line"), LOG_INFO);
	worker_controller_close(w);
}

static void crash_texts_show_the_most_significant_line(void **state)
{
	(void)state;
	char text[400];
	struct stderr_summary w = {0};
	worker_crash_describe(text, sizeof text, SIGKILL, &w, "");
	assert_string_equal(text, "worker killed by SIGKILL, possibly out of memory");
	stderr_summary_add(&w, "softgpu: illegal instruction v_foo at 0x100 in kernel k");
	stderr_summary_add(&w, "Memory access fault by GPU node-1, less telling");
	for (int i = 0; i < 100; i++)
		stderr_summary_add(&w, "noise");
	worker_crash_describe(text, sizeof text, SIGABRT, &w, "running point 1");
	assert_string_equal(text,
		"software GPU: illegal instruction v_foo at 0x100 in kernel k (worker killed by SIGABRT while running point 1)");
	stderr_summary_clear(&w);
	stderr_summary_add(&w, "noise");
	worker_crash_describe(text, sizeof text, 3 << 8, &w, "");
	assert_string_equal(text, "worker ended with status 3: noise");
}

int main(int argc, char **argv)
{
	static const struct worker_script scripts[] = {
		{"segv", script_segv},
		{"fault", script_fault},
		{"silent", script_silent},
		{"falls-silent", script_falls_silent},
		{"exits", script_exits},
		{NULL, NULL},
	};
	become_scripted_worker(argc, argv, scripts);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crash_names_the_signal_and_the_point),
		cmocka_unit_test(a_gpu_fault_is_reported_by_its_line),
		cmocka_unit_test(a_silent_worker_is_killed_after_5_s),
		cmocka_unit_test(a_stop_of_the_program_does_not_hide_a_silent_worker),
		cmocka_unit_test(the_last_line_of_standard_error_is_reported),
		cmocka_unit_test(what_rocm_says_about_an_unknown_gpu_is_for_developers),
		cmocka_unit_test(crash_texts_show_the_most_significant_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
