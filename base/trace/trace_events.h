/* Writes events in Chrome's trace format, which ui.perfetto.dev and chrome://tracing open: processes have threads,
 * threads have spans, which must not overlap. Times are in picoseconds. Independent of the locale. */
#ifndef BASE_TRACE_TRACE_EVENTS_H
#define BASE_TRACE_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct trace_writer {
	FILE *out; /* the caller's */
	bool any;  /* an event is written; in a span: an argument is */
};

void trace_events_begin(struct trace_writer *t, FILE *out);
void trace_events_name_process(struct trace_writer *t, int process, const char *name);
void trace_events_name_thread(struct trace_writer *t, int process, int thread, const char *name);

/* A span from `start` to `end` has arguments until trace_events_end_span. */
struct trace_span {
	const char *name, *category;
	int process, thread;
	uint64_t start, end;
};
void trace_events_begin_span(struct trace_writer *t, const struct trace_span *s);
void trace_events_add_number(struct trace_writer *t, const char *key, uint64_t value);
void trace_events_add_text(struct trace_writer *t, const char *key, const char *value);
void trace_events_end_span(struct trace_writer *t);

/* `other` is a JSON object with facts about the whole trace. */
void trace_events_end(struct trace_writer *t, const char *other);

#endif
