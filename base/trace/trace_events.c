#include "base/trace/trace_events.h"

#include <inttypes.h>

#define PS_PER_US UINT64_C(1000000)

static void print_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else
			fputc(*s, out);
	}
	fputc('"', out);
}

static void print_us(FILE *out, const char *key, uint64_t ps)
{
	fprintf(out, ",\"%s\":%" PRIu64 ".%06" PRIu64, key, ps / PS_PER_US, ps % PS_PER_US);
}

static void begin_event(struct trace_writer *t, const char *phase, const char *name, int process, int thread)
{
	fputs(t->any ? ",\n{\"name\":" : "{\"name\":", t->out);
	print_string(t->out, name);
	fprintf(t->out, ",\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", phase, process, thread);
}

static void add_name(struct trace_writer *t, const char *what, int process, int thread, const char *name)
{
	begin_event(t, "M", what, process, thread);
	fputs(",\"args\":{\"name\":", t->out);
	print_string(t->out, name);
	fputs("}}", t->out);
	t->any = true;
}

void trace_events_begin(struct trace_writer *t, FILE *out)
{
	*t = (struct trace_writer){.out = out};
	fputs("{\"traceEvents\":[", out);
}

void trace_events_name_process(struct trace_writer *t, int process, const char *name)
{
	add_name(t, "process_name", process, 0, name);
}

void trace_events_name_thread(struct trace_writer *t, int process, int thread, const char *name)
{
	add_name(t, "thread_name", process, thread, name);
}

void trace_events_begin_span(struct trace_writer *t, const struct trace_span *s)
{
	begin_event(t, "X", s->name, s->process, s->thread);
	fputs(",\"cat\":", t->out);
	print_string(t->out, s->category);
	print_us(t->out, "ts", s->start);
	print_us(t->out, "dur", s->end > s->start ? s->end - s->start : 0);
	fputs(",\"args\":{", t->out);
	t->any = false;
}

static void begin_argument(struct trace_writer *t, const char *key)
{
	if (t->any)
		fputc(',', t->out);
	t->any = true;
	print_string(t->out, key);
	fputc(':', t->out);
}

void trace_events_add_number(struct trace_writer *t, const char *key, uint64_t value)
{
	begin_argument(t, key);
	fprintf(t->out, "%" PRIu64, value);
}

void trace_events_add_text(struct trace_writer *t, const char *key, const char *value)
{
	begin_argument(t, key);
	print_string(t->out, value);
}

void trace_events_end_span(struct trace_writer *t)
{
	fputs("}}", t->out);
	t->any = true;
}

void trace_events_end(struct trace_writer *t, const char *other)
{
	fprintf(t->out, "],\"displayTimeUnit\":\"ns\",\"otherData\":%s}\n", other);
}
