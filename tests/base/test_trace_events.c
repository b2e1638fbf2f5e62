/* Traces are JSON, whatever the names in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/trace/trace_events.h"

static char *text;
static size_t size;

static json_t *write_trace(void (*add)(struct trace_writer *))
{
	struct trace_writer t;
	FILE *out = open_memstream(&text, &size);
	trace_events_begin(&t, out);
	add(&t);
	trace_events_end(&t, "{\"a\":1}");
	fclose(out);
	json_t *o = json_loadb(text, size, 0, NULL);
	free(text);
	return o;
}

static void add_nothing(struct trace_writer *t)
{
	(void)t;
}

static void an_empty_trace_is_json(void **state)
{
	(void)state;
	json_t *o = write_trace(add_nothing);
	assert_int_equal(json_array_size(json_object_get(o, "traceEvents")), 0);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "otherData"), "a")), 1);
	json_decref(o);
}

static void add_spans(struct trace_writer *t)
{
	trace_events_name_process(t, 1, "GPU");
	trace_events_name_thread(t, 1, 7, "queue \"7\"\n");
	for (int k = 0; k < 2; k++) {
		trace_events_begin_span(t, &(struct trace_span){"a\\b\"c\x01", "kernel", 1, 7, 1500000, 4500001});
		if (k) {
			trace_events_add_number(t, "cycles", UINT64_C(1) << 53);
			trace_events_add_text(t, "code", "v_add \x7f");
		}
		trace_events_end_span(t);
	}
	trace_events_begin_span(t, &(struct trace_span){"ends before it starts", "x", 1, 8, 5, 4});
	trace_events_end_span(t);
}

static void spans_have_times_in_microseconds(void **state)
{
	(void)state;
	setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is installed: a comma in numbers */
	json_t *o = write_trace(add_spans), *events = json_object_get(o, "traceEvents"), *e = json_array_get(events, 3);
	assert_int_equal(json_array_size(events), 5);
	assert_string_equal(json_string_value(json_object_get(e, "name")), "a\\b\"c\x01");
	assert_true(json_real_value(json_object_get(e, "ts")) == 1.5);
	assert_true(json_real_value(json_object_get(e, "dur")) == 3.000001);
	assert_true(json_integer_value(json_object_get(json_object_get(e, "args"), "cycles")) == INT64_C(1) << 53);
	assert_true(json_real_value(json_object_get(json_array_get(events, 4), "dur")) == 0);
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_trace_is_json),
		cmocka_unit_test(spans_have_times_in_microseconds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
