/* A worker on another machine: the text of its login, other builds, lost connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gpu/remote/build_identity.h"

#include "tests/gpu/scripted_worker.h"

/* --- scripts --- */
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

/* --- tests --- */
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

static void dies_via(const char *via, const char *script, const char *why, bool hopeless)
{
	struct worker_controller *w = start_via(via, script);
	expect_crash_text(w, why);
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
	expect_crash_text(w, "while running point 3: Connection to node7 closed by remote host.");
	worker_controller_close(w);
	w = send_first_job(start_via(self_via(), "dies-elsewhere"));
	expect_crash_text(w, "worker ended with status 3 while running point 3");
	worker_controller_close(w);
	w = send_first_job(start_via(self_via(), "needs"));
	expect_crash_text(w, "killed: it sent 100 lines that are not records");
	worker_controller_close(w);
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

int main(int argc, char **argv)
{
	static const struct worker_script scripts[] = {
		{"banner", script_banner},
		{"endless-banner", script_endless_banner},
		{"version", script_version},
		{"before-via", script_before_via},
		{"soft:softgpu", script_other_softgpu},
		{"loses-connection", script_loses_connection},
		{"dies-elsewhere", script_dies_elsewhere},
		{"needs", script_needs},
		{NULL, NULL},
	};
	become_scripted_worker(argc, argv, scripts);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_before_hello_is_tolerated),
		cmocka_unit_test(another_build_elsewhere_is_refused),
		cmocka_unit_test(a_lost_connection_is_a_dead_worker),
		cmocka_unit_test(a_command_that_starts_no_worker_says_what_helps),
		cmocka_unit_test(a_worker_elsewhere_has_no_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
