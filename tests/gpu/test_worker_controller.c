/* The worker controller against a scripted worker: this program, started with the name of the script as the device. */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"
#include "gpu/controller/worker_controller.h"
#include "gpu/controller/worker_crash.h"
#include "gpu/protocol/record.h"
#include "gpu/remote/build_identity.h"

/* --- the scripted worker --- */
static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(3);
}

#define HELLO  "{\"type\":\"hello\",\"protocol\":1,\"program\":\"fake\",\"pid\":1}\n"
#define DEVICE "{\"type\":\"device\",\"device\":\"fake\",\"name\":\"Fake\",\"kind\":\"soft\"}\n"
#define POINT  "{\"type\":\"point\",\"job\":1,\"point\":2,\"status\":\"ok\",\"seconds\":[0.5]}\n"

/* Waits for a request of this type. */
static void wait_request(const char *type)
{
	static char line[65536];
	char mark[64];
	snprintf(mark, sizeof mark, "\"type\":\"%s\"", type);
	while (fgets(line, sizeof line, stdin))
		if (strstr(line, mark))
			return;
	_exit(0);
}

static void end_by(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

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

static void script_fatal(void)
{
	say(HELLO "{\"type\":\"fatal\",\"text\":\"no such thing; install it\",\"status\":2}\n");
	_exit(2);
}

static void script_silent(void)
{
	say(HELLO DEVICE);
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
}

static void script_falls_silent(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	say("{\"type\":\"state\",\"job\":1,\"point\":2,\"state\":\"running\"}\n");
	for (;;)
		pause();
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

static void script_old(void)
{
	say("{\"type\":\"hello\",\"protocol\":99}\n");
	wait_request("quit");
}

/* --- scripts that answer what they were not asked --- */
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

/* --- scripts that send too much --- */
static void script_chatter(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	for (;;)
		say("no record\n");
}

static void script_endless_line(void)
{
	static char bytes[1 << 16];
	say(HELLO DEVICE);
	wait_request("job");
	memset(bytes, 'x', sizeof bytes - 1);
	for (;;)
		say(bytes);
}

static void script_unasked(void)
{
	say(HELLO DEVICE);
	wait_request("job");
	for (;;)
		say("{\"type\":\"point\",\"job\":77,\"point\":0,\"status\":\"ok\"}\n");
}

static void script_telemetry(void)
{
	static char many[64 * 1024];
	say(HELLO DEVICE);
	wait_request("job");
	while (strlen(many) + 64 < sizeof many)
		strcat(many, "{\"type\":\"telemetry\"}\n");
	for (;;)
		say(many);
}

static void script_errors(void)
{
	static char many[1 << 16];
	say(HELLO DEVICE);
	wait_request("job");
	memset(many, '\n', sizeof many - 1);
	for (size_t i = 0; i + 2 < sizeof many; i += 64)
		memset(many + i, 'e', 63);
	for (;;)
		fputs(many, stderr);
}

/* --- scripts of workers elsewhere; the hello is completed by the test --- */
static void say_hello_elsewhere(const char *key, const char *value)
{
	json_t *hello = json_pack("{s:s, s:i, s:s, s:i}", "type", "hello", "protocol", RECORD_PROTOCOL, "program",
		PROGRAM_VERSION, "pid", 1);
	build_identity_add(hello);
	if (key)
		json_object_set_new(hello, key, json_string(value));
	char *line = record_format_line(hello);
	say(line);
	free(line);
	json_decref(hello);
}

/* A login's text, then the worker. */
static void script_banner(void)
{
	for (int i = 0; i < 300; i++)
		say("Welcome to node7. {\"type\":\n");
	say_hello_elsewhere(NULL, NULL);
	say(DEVICE);
	wait_request("job");
	say(POINT);
	wait_request("quit");
}

static void script_endless_banner(void)
{
	for (;;)
		say("Welcome to node7.\n");
}

static void script_version(void)
{
	say_hello_elsewhere("program", "wavedeck 0.0.9");
	wait_request("quit");
}

static void script_before_via(void)
{
	say("{\"type\":\"hello\",\"protocol\":1,\"program\":\"" PROGRAM_VERSION "\",\"pid\":1}\n");
	wait_request("quit");
}

static void script_other_softgpu(void)
{
	say_hello_elsewhere("software_gpu", "0123456789abcdef");
	wait_request("quit");
}

static void script_loses_connection(void)
{
	say_hello_elsewhere(NULL, NULL);
	say(DEVICE);
	wait_request("job");
	fprintf(stderr, "Connection to node7 closed by remote host.\n");
	_exit(255);
}

static void script_dies_elsewhere(void)
{
	say_hello_elsewhere(NULL, NULL);
	say(DEVICE);
	wait_request("job");
	_exit(3);
}

static void script_needs(void)
{
	say_hello_elsewhere(NULL, NULL);
	say(DEVICE);
	wait_request("job");
	for (;;)
		say("{\"type\":\"need\",\"job\":1,\"point\":2,\"hashes\":[\"0123456789abcdef\"]}\n");
}

static void script_exits(void)
{
	fprintf(stderr, "last words without an end of line");
	_exit(7);
}

static const struct {
	const char *name;
	void (*run)(void);
} scripts[] = {
	{"ok", script_ok},
	{"segv", script_segv},
	{"fault", script_fault},
	{"fatal", script_fatal},
	{"silent", script_silent},
	{"falls-silent", script_falls_silent},
	{"stubborn", script_stubborn},
	{"polite", script_polite},
	{"rubbish", script_rubbish},
	{"old", script_old},
	{"other job", script_other_job},
	{"other params", script_other_params},
	{"other experiment", script_other_experiment},
	{"other status", script_other_status},
	{"unasked cancel", script_unasked_cancel},
	{"no hello", script_no_hello},
	{"clocks", script_clocks},
	{"exits", script_exits},
	{"chatter", script_chatter},
	{"endless line", script_endless_line},
	{"unasked", script_unasked},
	{"telemetry", script_telemetry},
	{"errors", script_errors},
	{"banner", script_banner},
	{"endless-banner", script_endless_banner},
	{"version", script_version},
	{"before-via", script_before_via},
	{"soft:softgpu", script_other_softgpu},
	{"loses-connection", script_loses_connection},
	{"dies-elsewhere", script_dies_elsewhere},
	{"needs", script_needs},
};

static int scripted(const char *name)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		if (!strcmp(name, scripts[i].name))
			scripts[i].run();
	return 0;
}

/* --- driving the controller --- */
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void step(struct worker_controller *w)
{
	int two[2], n = worker_controller_poll_fds(w, two);
	struct pollfd fds[2];
	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = two[i], .events = POLLIN};
	poll(fds, (nfds_t)n, 20);
	worker_controller_pump(w);
}

enum { PATIENCE = 120 /* seconds for an event on a busy host */ };

/* The next record of this type, NULL if none comes; drops other records. */
static json_t *await_record(struct worker_controller *w, const char *type)
{
	for (double end = now() + PATIENCE; now() < end;) {
		for (json_t *r; (r = worker_controller_next_record(w)); json_decref(r))
			if (!strcmp(record_get_type(r), type))
				return r;
		if (worker_controller_state(w) == WORKER_DEAD)
			return NULL;
		step(w);
	}
	return NULL;
}

static bool await_death(struct worker_controller *w)
{
	for (double end = now() + PATIENCE; now() < end && worker_controller_state(w) != WORKER_DEAD;)
		step(w);
	return worker_controller_state(w) == WORKER_DEAD;
}

static struct worker_controller *start(const char *script)
{
	struct err e;
	struct worker_controller *w = worker_controller_start(&(struct worker_place){.device = script}, &e);
	assert_non_null(w);
	return w;
}

/* As on another machine: a shell runs the command, and nothing of this process reaches the worker but the device. */
static struct worker_controller *start_via(const char *via, const char *script)
{
	struct err e;
	struct worker_controller *w = worker_controller_start(&(struct worker_place){script, via}, &e);
	assert_non_null(w);
	return w;
}

static const char *self_via(void)
{
	static char self[400], via[600];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	assert_true(n > 0);
	snprintf(via, sizeof via, "env FOR_TEST=1 sh -c 'shift; exec %s \"$@\"' sh", self);
	return via;
}

static struct worker_controller *send_first_job(struct worker_controller *w);

static struct worker_controller *start_with_job(const char *script)
{
	return send_first_job(start(script));
}

static struct worker_controller *send_first_job(struct worker_controller *w)
{
	json_t *device = await_record(w, "device");
	assert_non_null(device);
	json_decref(device);
	assert_int_equal(worker_controller_state(w), WORKER_READY);
	assert_true(worker_controller_send(w, json_pack("{s:s,s:i,s:i}", "type", "job", "job", 1, "point", 2)));
	assert_int_equal(worker_controller_state(w), WORKER_BUSY);
	return w;
}

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

static bool logged(const char *text)
{
	for (size_t i = 0; i < log_line_count(); i++) {
		const char *line = log_get_line(i, NULL);
		if (line && strstr(line, text))
			return true;
	}
	return false;
}

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

static void another_protocol_version_is_rejected(void **state)
{
	(void)state;
	struct worker_controller *w = start("old");
	assert_true(await_death(w));
	assert_non_null(strstr(worker_controller_crash_text(w), "protocol 99"));
	assert_true(worker_controller_open_failed(w, NULL));
	worker_controller_close(w);
}

/* --- answers to what was not asked --- */
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

/* --- too much output --- */
static void dies_flooding(struct worker_controller *w, const char *why)
{
	assert_true(await_death(w));
	if (!strstr(worker_controller_crash_text(w), why))
		print_error("'%s' lacks '%s'\n", worker_controller_crash_text(w), why);
	assert_non_null(strstr(worker_controller_crash_text(w), why));
	worker_controller_close(w);
}

static size_t memory_kb(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	return (size_t)use.ru_maxrss;
}

static void a_worker_that_floods_is_killed(void **state)
{
	(void)state;
	size_t lines = log_line_count(), memory = memory_kb();
	dies_flooding(start_with_job("chatter"),
		"worker killed: it sent 100 lines that are not records while running point 3");
	dies_flooding(start_with_job("endless line"), "worker killed: it sent 64 MiB that are not records");
	dies_flooding(start_with_job("unasked"), "worker killed: it sent 100 lines that are not records");
	dies_flooding(start_with_job("telemetry"), "records in a second that answer no job");
	dies_flooding(start_with_job("errors"),
		"worker killed: it wrote 1000000 lines to standard error while running point 3");
	assert_true(log_line_count() - lines < 5000); /* of a million lines */
	assert_true(memory_kb() - memory < 128 << 10);
}

/* --- elsewhere --- */
static void dies_via(const char *via, const char *script, const char *why, bool hopeless)
{
	struct worker_controller *w = start_via(via, script);
	assert_true(await_death(w));
	if (!strstr(worker_controller_crash_text(w), why))
		print_error("'%s' lacks '%s'\n", worker_controller_crash_text(w), why);
	assert_non_null(strstr(worker_controller_crash_text(w), why));
	assert_int_equal(worker_controller_open_failed(w, NULL), hopeless);
	worker_controller_close(w);
}

static void a_text_before_hello_is_tolerated(void **state)
{
	(void)state;
	struct worker_controller *w = send_first_job(start_via(self_via(), "banner"));
	json_t *p = await_record(w, "point");
	assert_non_null(p);
	assert_true(*record_get_text(p, "host"));
	json_decref(p);
	worker_controller_close(w);
	dies_via(self_via(), "endless-banner", "killed: it sent 1000 lines that are not records", false);
}

static void another_build_elsewhere_is_refused(void **state)
{
	(void)state;
	dies_via(self_via(), "version", "has wavedeck 0.0.9 (protocol 1), this is " PROGRAM_VERSION, true);
	dies_via(self_via(), "version", "install this one there: wavedeck install --via", true);
	dies_via(self_via(), "before-via", "has another build of " PROGRAM_VERSION, true);
	dies_via(self_via(), "soft:softgpu", "results could differ: the software GPU of ", true);
	dies_via(self_via(), "soft:softgpu", "is another build (01234567, here ", true);
}

static void a_lost_connection_is_a_dead_worker(void **state)
{
	(void)state;
	struct worker_controller *w = send_first_job(start_via(self_via(), "loses-connection"));
	dies_flooding(w, "while running point 3: Connection to node7 closed by remote host.");
	w = send_first_job(start_via(self_via(), "dies-elsewhere"));
	dies_flooding(w, "worker ended with status 3 while running point 3");
	w = send_first_job(start_via(self_via(), "needs"));
	dies_flooding(w, "killed: it sent 100 lines that are not records");
}

static void a_command_that_starts_no_worker_says_what_helps(void **state)
{
	(void)state;
	dies_via("echo 'node7: Permission denied (publickey).' >&2; exit 255; ssh -x node7", "x",
		"needs a password or a key; set up a key: ssh-copy-id", true);
	dies_via("echo 'Host key verification failed.' >&2; exit 255; true", "x", "connect once by hand", true);
	dies_via("echo 'bash: wavedeck: command not found' >&2; exit 127; true", "x", "wavedeck is not installed on ",
		true);
	dies_via("exit 127; true", "x", "wavedeck is not installed on ", true);
	dies_via("no-such-program-here node7", "x", "no-such-program-here is not installed on this machine", true);
	dies_via("echo 'Connection refused' >&2; exit 255; true", "x", "Connection refused", false);
	dies_via("exit 4; true", "x", "which ended with status 4", false);
}

static void a_worker_elsewhere_has_no_terminal(void **state)
{
	(void)state;
	dies_via("(exec </dev/tty) 2>/dev/null && echo a terminal >&2 || echo no terminal >&2; exit 9; true", "x",
		": no terminal", false);
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
	if (argc == 4 && !strcmp(argv[1], "worker"))
		return scripted(argv[3]);
	setenv("WAVEDECK_WORKER", "/proc/self/exe", 1);
	log_to_stderr(LOG_ERROR + 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_sent_and_answered),
		cmocka_unit_test(a_crash_names_the_signal_and_the_point),
		cmocka_unit_test(a_gpu_fault_is_reported_by_its_line),
		cmocka_unit_test(a_device_that_cannot_be_opened_is_fatal),
		cmocka_unit_test(a_silent_worker_is_killed_after_5_s),
		cmocka_unit_test(a_stop_of_the_program_does_not_hide_a_silent_worker),
		cmocka_unit_test(a_worker_that_does_not_cancel_is_killed_after_1_s),
		cmocka_unit_test(a_worker_that_cancels_is_not_killed),
		cmocka_unit_test(a_job_sent_after_a_cancel_is_not_canceled),
		cmocka_unit_test(lines_that_are_not_records_are_logged_and_ignored),
		cmocka_unit_test(no_record_is_lost_when_many_arrive_at_once),
		cmocka_unit_test(another_protocol_version_is_rejected),
		cmocka_unit_test(a_record_of_a_job_that_the_worker_does_not_have_is_left_out),
		cmocka_unit_test(a_point_is_measured_failed_or_canceled_as_asked),
		cmocka_unit_test(a_point_with_other_parameters_ends_the_worker),
		cmocka_unit_test(a_worker_says_hello_first),
		cmocka_unit_test(readings_that_no_sensor_can_report_are_left_out),
		cmocka_unit_test(a_worker_that_floods_is_killed),
		cmocka_unit_test(a_text_before_hello_is_tolerated),
		cmocka_unit_test(another_build_elsewhere_is_refused),
		cmocka_unit_test(a_lost_connection_is_a_dead_worker),
		cmocka_unit_test(a_command_that_starts_no_worker_says_what_helps),
		cmocka_unit_test(a_worker_elsewhere_has_no_terminal),
		cmocka_unit_test(the_last_line_of_standard_error_is_reported),
		cmocka_unit_test(closing_ends_the_worker_during_a_job),
		cmocka_unit_test(a_missing_worker_program_is_an_error),
		cmocka_unit_test(crash_texts_show_the_most_significant_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
