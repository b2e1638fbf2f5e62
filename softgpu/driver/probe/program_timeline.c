#include "softgpu/driver/probe/program_timeline.h"
#include "softgpu/driver/probe/kernel_name.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/trace/trace_events.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"

#define PS_PER_NS 1000

enum { EVENTS_MAX = 1000000, THREADS_MAX = 256 };
enum { HOST = 1, GPU }; /* processes of the trace; that of GPU i is GPU + i */

struct timeline_event {
	ns_t start, end; /* host time line */
	const char *name;
	uint64_t bytes, cycles, instructions;
	uint32_t grid[3];
	uint16_t workgroup[3];
	uint8_t process;
	int thread;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timeline_event *events;
static size_t count, room;
static uint64_t dropped;

bool program_timeline_is_on(void)
{
	static int on = -1;

	if (on < 0) {
		const char *file = getenv("SOFTGPU_TIMELINE");
		on = file && *file;
	}
	return on > 0;
}

/* --- recording --- */
static bool has_room(void)
{
	struct timeline_event *grown;

	if (count < room)
		return true;
	if (room == EVENTS_MAX)
		return false;
	grown = realloc(events, (room ? room * 2 < EVENTS_MAX ? room * 2 : EVENTS_MAX : 1024) * sizeof *events);
	if (!grown)
		return false;
	events = grown;
	room = room ? room * 2 < EVENTS_MAX ? room * 2 : EVENTS_MAX : 1024;
	return true;
}

static void add_timeline_event(const struct timeline_event *e)
{
	pthread_mutex_lock(&lock);
	if (has_room())
		events[count++] = *e;
	else
		dropped++;
	pthread_mutex_unlock(&lock);
}

/* The same text for the same name, kept until the end. */
static const char *keep_name(const char *name)
{
	static char *names[512];
	static size_t used;

	for (size_t i = 0; i < used; i++)
		if (!strcmp(names[i], name))
			return names[i];
	if (used == sizeof names / sizeof *names || !(names[used] = strdup(name)))
		return "kernel";
	return names[used++];
}

void program_timeline_add_kernel(unsigned gpu, uint32_t queue, const struct active_launch *r)
{
	struct timeline_event e = {.process = (uint8_t)(GPU + gpu),
		.thread = (int)queue,
		.cycles = r->result.cycles,
		.instructions = r->result.instructions};

	if (!program_timeline_is_on())
		return;
	e.end = host_timeline_reach(gpu, r->end_ns);
	e.start = e.end - (r->end_ns - r->start_ns);
	e.name = keep_name(strncmp(r->kernel, "0x", 2) ? r->kernel : NAMELESS_KERNEL);
	memcpy(e.grid, r->dispatch.grid, sizeof e.grid);
	memcpy(e.workgroup, r->dispatch.workgroup, sizeof e.workgroup);
	add_timeline_event(&e);
}

void program_timeline_add_copy(unsigned gpu, uint32_t queue, const char *name, uint64_t bytes, ns_t start, ns_t end)
{
	struct timeline_event e = {.process = (uint8_t)(GPU + gpu), .thread = (int)queue, .name = name, .bytes = bytes};

	if (!program_timeline_is_on())
		return;
	e.end = host_timeline_from_device(gpu, end); /* which the GPU has yet to reach */
	e.start = e.end - (end - start);
	add_timeline_event(&e);
}

ns_t program_timeline_now(void)
{
	return host_time_is_virtual() ? host_time_latest() : host_timeline_latest();
}

void program_timeline_add_wait(ns_t start)
{
	ns_t end = program_timeline_now();

	if (program_timeline_is_on() && end > start)
		add_timeline_event(&(struct timeline_event){.process = HOST,
			.thread = (int)syscall(SYS_gettid),
			.name = "wait",
			.start = start,
			.end = end});
}

/* --- writing --- */
static bool is_named(const struct timeline_event **named, size_t *used, const struct timeline_event *e)
{
	for (size_t i = 0; i < *used; i++)
		if (named[i]->process == e->process && named[i]->thread == e->thread)
			return true;
	if (*used < THREADS_MAX)
		named[(*used)++] = e;
	return false;
}

static void write_thread_names(struct trace_writer *t)
{
	const struct timeline_event *named[THREADS_MAX];
	size_t used = 0;
	char name[32];

	for (size_t i = 0; i < count; i++) {
		const struct timeline_event *e = &events[i];
		if (is_named(named, &used, e))
			continue;
		snprintf(name, sizeof name, "%s %d",
			e->process == HOST ? "thread"
				: e->bytes ? "copies"
					   : "queue",
			e->thread);
		trace_events_name_thread(t, e->process, e->thread, name);
	}
}

static void write_timeline_event(struct trace_writer *t, const struct timeline_event *e)
{
	static const char *const dimensions[] = {"x", "y", "z"};
	char key[24];
	const char *category = e->process == HOST ? "wait" : e->bytes ? "copy" : "kernel";

	trace_events_begin_span(t,
		&(struct trace_span){
			e->name, category, e->process, e->thread, e->start * PS_PER_NS, e->end * PS_PER_NS});
	if (e->bytes)
		trace_events_add_number(t, "bytes", e->bytes);
	for (unsigned k = 0; e->grid[0] && k < 3; k++) {
		snprintf(key, sizeof key, "workgroups %s", dimensions[k]);
		trace_events_add_number(
			t, key, (e->grid[k] + e->workgroup[k] - 1u) / (e->workgroup[k] ? e->workgroup[k] : 1));
		snprintf(key, sizeof key, "work-items %s", dimensions[k]);
		trace_events_add_number(t, key, e->workgroup[k]);
	}
	if (e->grid[0]) {
		trace_events_add_number(t, "cycles", e->cycles);
		trace_events_add_number(t, "wave instructions", e->instructions);
	}
	trace_events_end_span(t);
}

static void write_events(FILE *out)
{
	const struct model *m;
	struct trace_writer t;
	char text[96];

	trace_events_begin(&t, out);
	trace_events_name_process(&t, HOST, "host");
	for (unsigned i = 0; (m = machine_model(i)); i++)
		trace_events_name_process(&t, GPU + (int)i, m->gpu->marketing);
	write_thread_names(&t);
	for (size_t i = 0; i < count; i++)
		write_timeline_event(&t, &events[i]);
	snprintf(text, sizeof text, "{\"clock\":\"%s\",\"dropped\":%lu}",
		host_time_is_virtual() ? "host and GPU" : "GPU", (unsigned long)dropped);
	trace_events_end(&t, text);
}

static bool write_timeline_file(const char *path)
{
	char temporary[4096];
	FILE *out;
	bool ok;

	snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
	out = fopen(temporary, "we");
	if (!out)
		return false;
	write_events(out);
	ok = !ferror(out);
	ok = !fclose(out) && ok && !rename(temporary, path);
	if (!ok)
		unlink(temporary);
	return ok;
}

void program_timeline_write(void)
{
	const char *file = getenv("SOFTGPU_TIMELINE"), *first = getenv("SOFTGPU_PROGRAM");
	char path[4000];

	if (!program_timeline_is_on() || !file)
		return;
	pthread_mutex_lock(&lock);
	if (first && atol(first) == (long)getpid())
		snprintf(path, sizeof path, "%s", file);
	else
		snprintf(path, sizeof path, "%s.%ld", file, (long)getpid());
	if (!write_timeline_file(path))
		driver_warn("cannot write %s: %s; choose another file", path, strerror(errno));
	else if (dropped)
		driver_warn("%s has the first %d kernels, copies and waits; %lu more are left out", path, EVENTS_MAX,
			(unsigned long)dropped);
	pthread_mutex_unlock(&lock);
}

void program_timeline_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	count = 0;
	dropped = 0;
}
