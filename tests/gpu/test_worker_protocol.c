/* The worker's end of the protocol, in a process of its own: which lines it takes for requests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/worker_protocol.h"

enum { LONG_LINE = 400 << 20, MEMORY_MAX = 200 << 10 /* KiB, with the address sanitizer's */ };

static FILE *to, *from;
static pid_t worker;

/* Answers each request with its number. */
static void answer_requests(void)
{
	protocol_open();
	for (json_t *r; (r = protocol_read()); json_decref(r))
		protocol_send(json_pack("{s:s,s:I}", "type", "pong", "seq", record_get_integer(r, "seq")));
	_exit(0);
}

static int start_worker(void **state)
{
	(void)state;
	int in[2], out[2];
	if (pipe(in) || pipe(out))
		return -1;
	worker = fork();
	if (!worker) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		answer_requests();
	}
	close(in[0]);
	close(out[1]);
	to = fdopen(in[1], "w");
	from = fdopen(out[0], "r");
	return worker < 0 || !to || !from;
}

/* Ends it; its peak memory in KiB, or -1 if it died. */
static long end_worker(void)
{
	struct rusage use;
	int status;
	fclose(to);
	fclose(from);
	assert_int_equal(wait4(worker, &status, 0, &use), worker);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? use.ru_maxrss : -1;
}

static void send_bytes(int c, size_t count)
{
	char block[4096];
	memset(block, c, sizeof block);
	for (size_t n; count; count -= n) {
		n = count < sizeof block ? count : sizeof block;
		assert_int_equal(fwrite(block, 1, n, to), n);
	}
}

/* A request whose line has this many bytes. */
static void send_padded_request(int seq, size_t bytes)
{
	char *start = xasprintf("{\"type\":\"ping\",\"seq\":%d,\"pad\":\"", seq);
	fputs(start, to);
	send_bytes('x', bytes - strlen(start) - strlen("\"}"));
	fputs("\"}\n", to);
	free(start);
}

static void expect_answer(const char *type, int seq)
{
	char line[1024] = "";
	fflush(to);
	assert_non_null(fgets(line, sizeof line, from));
	json_t *r = json_loads(line, 0, NULL);
	assert_string_equal(record_get_type(r), type);
	if (seq)
		assert_int_equal(record_get_integer(r, "seq"), seq);
	else
		assert_non_null(strstr(record_get_text(r, "text"), "at most 16 MiB"));
	json_decref(r);
}

static void a_longer_line_is_skipped(void **state)
{
	(void)state;
	send_padded_request(1, RECORD_LINE_MAX);
	expect_answer("pong", 1);
	send_padded_request(2, RECORD_LINE_MAX + 1);
	expect_answer("log", 0);
	send_padded_request(3, 100);
	expect_answer("pong", 3);
	assert_true(end_worker() > 0);
}

static void a_long_line_is_not_held(void **state)
{
	(void)state;
	send_bytes('[', LONG_LINE);
	fputs("\n{\"type\":\"ping\",\"seq\":4}\n", to);
	expect_answer("log", 0);
	expect_answer("pong", 4);
	assert_in_range(end_worker(), 1, MEMORY_MAX);
}

static void a_line_without_an_end_is_no_request(void **state)
{
	(void)state;
	fputs("\n\n{\"type\":\"ping\",\"seq\":5}\n{\"type\":\"ping\",\"seq\":6}", to);
	expect_answer("pong", 5);
	fclose(to);
	assert_int_equal(fgetc(from), EOF);
	to = fopen("/dev/null", "w");
	assert_true(end_worker() > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_longer_line_is_skipped, start_worker),
		cmocka_unit_test_setup(a_long_line_is_not_held, start_worker),
		cmocka_unit_test_setup(a_line_without_an_end_is_no_request, start_worker),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
