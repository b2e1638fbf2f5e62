/* A sequence of steps, with a runtime in host memory that records its calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gpu/worker/stream_sequence.h"

/* --- the runtime --- */
static char said[400];
static bool lossy; /* copies skip the last byte */

static void say(const char *fmt, unsigned a, unsigned b)
{
	size_t n = strlen(said);
	snprintf(said + n, sizeof said - n, fmt, a, b);
}

static void *take(void *device, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	return malloc(bytes);
}

static void give(void *device, void *p)
{
	(void)device;
	free(p);
}

static bool transfer(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	memcpy(to, from, bytes);
	return true;
}

static bool begin(void *device, unsigned streams, struct err *e)
{
	(void)device, (void)e;
	say("begin %u", streams, 0);
	return true;
}

static bool launch(void *device, unsigned stream, void *kernel, const struct launch_shape *s, unsigned lds, void **args,
	struct err *e)
{
	(void)device, (void)kernel, (void)lds, (void)e;
	say(", launch %u grid %u", stream, s->grid[0]);
	say(" first %u count %u", *(unsigned *)args[1], *(unsigned *)args[2]);
	return true;
}

static bool copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	say(to_device ? ", in %u %u" : ", out %u %u", stream, (unsigned)bytes);
	memcpy(to_device ? on_device : on_host, to_device ? on_host : on_device, bytes - lossy);
	return true;
}

static bool call(void *device, unsigned stream, enum library_call function, void **args, struct err *e)
{
	(void)device, (void)e;
	assert_int_equal(function, LIBRARY_CALL_rocblas_sgemm);
	say(", sgemm %u of %u", stream, (unsigned)*(int *)args[3]);
	*(**(float ***)args + 5) += *(float *)args[4];
	return true;
}

static bool wait(void *device, unsigned stream, unsigned on, struct err *e)
{
	(void)device, (void)e;
	say(", %u waits for %u", stream, on);
	return true;
}

static bool end(void *device, struct err *e)
{
	(void)device, (void)e;
	say(", end", 0, 0);
	return true;
}

static const struct gpu_runtime host = {.alloc = take,
	.release = give,
	.write = transfer,
	.read = transfer,
	.alloc_host = take,
	.release_host = give,
	.begin = begin,
	.launch = launch,
	.call = call,
	.copy = copy,
	.wait = wait,
	.end = end};

/* --- jobs --- */
static const char ints[] =
	"{'type':'job','kernel':{'file':'a.hip','entry':'a'},'buffers':[{'name':'buf','type':'int','count':256,'fill':'index'}],"
	"'args':[{'type':'int *','buffer':'buf'},{'type':'int','value':0},{'type':'int','value':256}],"
	"'grid':[4],'block':[64],'host':'pinned','steps':";
static const char matrices[] =
	"{'type':'job','buffers':[{'name':'buf','type':'float','count':256,'fill':'index'}],'args':[{'type':'const float *','buffer':'buf'},"
	"{'type':'const float *','buffer':'buf'},{'type':'float *','buffer':'buf'},{'type':'int','value':16},"
	"{'type':'float','value':2},{'type':'float','value':0}],'host':'pinned','steps':";
static const char *rest = ints; /* of the jobs, without their steps */

static bool parse(const char *steps, struct job *j, struct err *e)
{
	char text[2000];
	snprintf(text, sizeof text, "%s%s}", rest, steps);
	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	json_t *record = json_loads(text, 0, NULL);
	assert_non_null(record);
	return job_parse(record, j, e);
}

/* Runs the sequence once on new memory; returns whether the copies are equal. */
static bool run(const char *steps)
{
	struct job j;
	struct err e;
	struct buffers b;
	struct stream_sequence s;
	char text[200] = "";
	bool same;
	if (!parse(steps, &j, &e))
		fail_msg("%s", e.text);
	*said = 0;
	assert_true(buffers_alloc(&b, &host, NULL, &j, &e));
	assert_true(stream_sequence_open(&s, &host, NULL, &j, &b, &e));
	assert_true(stream_sequence_fill(&s, &e));
	assert_true(stream_sequence_start(&s, &e));
	assert_true(stream_sequence_check(&s, &same, text, sizeof text, &e));
	assert_true(same == !*text);
	stream_sequence_free(&s);
	buffers_free(&b);
	job_free(&j);
	return same;
}

static void steps_are_issued_in_order(void **state)
{
	(void)state;
	lossy = false;
	assert_true(run(
		"[{'copy':'to_device','buffer':'buf','offset':0,'bytes':512},{'launch':true,'grid':[2],'block':[64],'stream':1,"
		"'values':[{'arg':1,'value':128}]},{'wait':1,'stream':0},{'copy':'to_host','buffer':'buf','offset':512,'bytes':64,'stream':0}]"));
	assert_string_equal(
		said, "begin 2, in 0 512, launch 1 grid 2 first 128 count 256, 0 waits for 1, out 0 64, end");
}

static void copies_are_compared(void **state)
{
	(void)state;
	static const char in[] = "[{'copy':'to_device','buffer':'buf'}]", out[] = "[{'copy':'to_host','buffer':'buf'}]";
	lossy = false;
	assert_true(run(in));
	assert_string_equal(said, "begin 1, in 0 1024, end");
	assert_true(run(out));
	lossy = true; /* the last int is 255: only its first byte is not 0 */
	assert_true(
		run("[{'copy':'to_device','buffer':'buf','bytes':1024}]")); /* the skipped byte is 0 on both sides */
	assert_false(run("[{'copy':'to_device','buffer':'buf','bytes':1021}]"));
	assert_false(run("[{'copy':'to_host','buffer':'buf','bytes':1021}]"));
	lossy = false;
}

static void library_functions_are_called(void **state)
{
	(void)state;
	rest = matrices;
	assert_true(run("[{'call':'rocblas_sgemm','stream':1},{'copy':'to_host','buffer':'buf'}]"));
	assert_string_equal(said, "begin 2, sgemm 1 of 16, out 0 1024, end");
	/* The function may change what was copied to the device. */
	assert_true(run("[{'copy':'to_device','buffer':'buf'},{'call':'rocblas_sgemm'}]"));
	assert_string_equal(said, "begin 1, in 0 1024, sgemm 0 of 16, end");
	rest = ints;
}

static void wrong_steps_are_rejected(void **state)
{
	(void)state;
	static const struct {
		const char *steps, *says;
	} rows[] = {
		{"[]", "0 steps"},
		{"[{'copy':'to_device','buffer':'bof'}]", "unknown buffer 'bof'"},
		{"[{'copy':'to_device','buffer':'buf','offset':1024,'bytes':4}]",
			"bytes 1024 to 1028 of the buffer buf, which has 1024"},
		{"[{'copy':'to_device','buffer':'buf','stream':8}]", "stream is 8"},
		{"[{'launch':true,'grid':[0]}]", "grid dimension 1 is 0"},
		{"[{'launch':true,'grid':[1],'values':[{'arg':0,'value':1}]}]",
			"argument 1 to a value that it does not accept"},
		{"[{'call':'rocblas_sgem'}]", "did you mean 'rocblas_sgemm'"},
		{"[{'call':'rocblas_sgemm'}]", "argument 1 is a const float *, but the definition has a int *"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct job j;
		struct err e = {.text = ""};
		assert_false(parse(rows[i].steps, &j, &e));
		if (!strstr(e.text, rows[i].says))
			fail_msg("'%s' lacks '%s'", e.text, rows[i].says);
		job_free(&j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_issued_in_order),
		cmocka_unit_test(copies_are_compared),
		cmocka_unit_test(library_functions_are_called),
		cmocka_unit_test(wrong_steps_are_rejected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
