/* A worker that sends too much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "tests/gpu/scripted_worker.h"

/* --- scripts --- */
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

/* --- tests --- */
static size_t memory_kb(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	return (size_t)use.ru_maxrss;
}

static void dies_flooding(const char *script, const char *why)
{
	struct worker_controller *w = start_with_job(script);
	expect_crash_text(w, why);
	worker_controller_close(w);
}

static void a_worker_that_floods_is_killed(void **state)
{
	(void)state;
	size_t lines = log_line_count(), memory = memory_kb();
	dies_flooding("chatter", "worker killed: it sent 100 lines that are not records while running point 3");
	dies_flooding("endless line", "worker killed: it sent 64 MiB that are not records");
	dies_flooding("unasked", "worker killed: it sent 100 lines that are not records");
	dies_flooding("telemetry", "records in a second that answer no job");
	dies_flooding("errors", "worker killed: it wrote 1000000 lines to standard error while running point 3");
	assert_true(log_line_count() - lines < 5000); /* of a million lines */
	assert_true(memory_kb() - memory < 128 << 10);
}

int main(int argc, char **argv)
{
	static const struct worker_script scripts[] = {
		{"chatter", script_chatter},
		{"endless line", script_endless_line},
		{"unasked", script_unasked},
		{"telemetry", script_telemetry},
		{"errors", script_errors},
		{NULL, NULL},
	};
	become_scripted_worker(argc, argv, scripts);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_that_floods_is_killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
