#include "softgpu/capture/launch_replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/min_max.h"
#include "softgpu/core/launch/saved_state.h"
#include "softgpu/core/model_config.h"

/* Memory behind mappings: reserved, and accessible only where a page was captured. */
struct span {
	uint64_t at, bytes;
	uint8_t *host;
};

enum { SLACK_CYCLES = 1 << 20, SLACK_INSTRUCTIONS = 1 << 24, TIMED_STEP = 1 << 22, UNTIMED_STEP = 1 << 16 };
enum { DESCRIPTOR_BYTES = 256 /* the longest: of code object version 2 */ };

struct launch_replay {
	const struct captured_launch *c;
	struct model model;
	struct gpu *gpu;
	struct gws_resources gws;
	struct span *spans; /* in the order of `at`, apart */
	size_t span_count;
};

/* --- memory --- */
static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Mappings of the same memory share a span. A page may be longer than the end of its mapping. */
static bool list_spans(struct launch_replay *r)
{
	const struct captured_launch *c = r->c;
	size_t last = 0;

	const size_t count = c->mapping_count + c->page_count;
	r->spans = calloc(count + 1, sizeof *r->spans);
	if (!r->spans)
		return false;
	for (size_t i = 0; i < c->mapping_count; i++)
		r->spans[i] = (struct span){.at = c->mappings[i].at, .bytes = c->mappings[i].size};
	for (size_t i = 0; i < c->page_count; i++)
		r->spans[c->mapping_count + i] = (struct span){.at = c->pages[i].at, .bytes = c->pages[i].bytes};
	qsort(r->spans, count, sizeof *r->spans, compare_spans);
	for (size_t i = 1; i < count; i++) {
		struct span *before = &r->spans[last], *s = &r->spans[i];
		if (s->at >= before->at + before->bytes)
			r->spans[++last] = *s;
		else if (s->at + s->bytes > before->at + before->bytes)
			before->bytes = s->at + s->bytes - before->at;
	}
	r->span_count = count ? last + 1 : 0;
	return true;
}

static bool reserve_spans(struct launch_replay *r)
{
	for (size_t i = 0; i < r->span_count; i++) {
		struct span *s = &r->spans[i];
		void *p = mmap(NULL, s->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			return false;
		s->host = p;
	}
	return true;
}

/* The host memory of [at, at + bytes); NULL: no mapping has it. */
static uint8_t *find_memory(const struct launch_replay *r, uint64_t at, uint64_t bytes)
{
	size_t low = 0, high = r->span_count; /* the last span that begins at or before `at` */

	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (r->spans[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	const struct span *s = &r->spans[low - 1];
	return at - s->at < s->bytes && bytes <= s->bytes - (at - s->at) ? s->host + (at - s->at) : NULL;
}

static bool allow_pages(struct launch_replay *r)
{
	for (size_t i = 0; i < r->c->page_count; i++) {
		const struct captured_page *p = &r->c->pages[i];
		uint8_t *host = find_memory(r, p->at, p->bytes);
		if (!host || mprotect(host, p->bytes, PROT_READ | PROT_WRITE))
			return false;
	}
	return true;
}

static bool map_memory(struct launch_replay *r)
{
	for (size_t i = 0; i < r->c->mapping_count; i++) {
		const struct captured_mapping *m = &r->c->mappings[i];
		if (!gpu_map(r->gpu, m->va, m->size, find_memory(r, m->at, m->size), m->phys, (unsigned)m->access))
			return false;
	}
	return true;
}

/* Zeros are given back to the host, so that a file of a few bytes cannot fill its memory. */
static void restore_memory(struct launch_replay *r)
{
	for (size_t i = 0; i < r->c->page_count; i++) {
		const struct captured_page *p = &r->c->pages[i];
		uint8_t *host = find_memory(r, p->at, p->bytes);
		if (p->before)
			memcpy(host, p->before, p->bytes);
		else if (madvise(host, p->bytes, MADV_DONTNEED))
			memset(host, 0, p->bytes);
	}
}

static uint64_t digest_memory(const struct launch_replay *r)
{
	uint64_t h = 0;

	for (size_t i = 0; i < r->c->page_count; i++) {
		const struct captured_page *p = &r->c->pages[i];
		if (p->written)
			h = capture_digest(h, p->at, find_memory(r, p->at, p->bytes), p->bytes);
	}
	return h;
}

/* Whether what the launch has changed in host memory is as it was after the captured one. What the program changed
 * meanwhile is not repeated. */
static bool is_page_as_then(const struct launch_replay *r, const struct captured_page *p)
{
	const uint8_t *now = find_memory(r, p->at, p->bytes);

	for (uint64_t i = 0; i < p->bytes; i++) {
		const uint8_t before = p->before ? p->before[i] : 0;
		if (now[i] != before && now[i] != (p->after ? p->after[i] : before))
			return false;
	}
	return true;
}

static bool is_host_page(const struct captured_page *p)
{
	return p->at >= CAPTURE_PROGRAM_AT || p->at % CAPTURE_DEVICE_BYTES >= CAPTURE_HOST_AT;
}

static bool is_host_memory_as_then(const struct launch_replay *r)
{
	for (size_t i = 0; i < r->c->page_count; i++)
		if (is_host_page(&r->c->pages[i]) && !is_page_as_then(r, &r->c->pages[i]))
			return false;
	return true;
}

/* --- opening --- */
static bool set_reason(char *why, size_t size, const char *text)
{
	snprintf(why, size, "%s", text);
	return false;
}

/* A file may claim that its launch took any time. */
static bool is_short_enough(const struct captured_launch *c, char *why, size_t size)
{
	if (c->result.cycles <= REPLAY_CYCLES_MAX && c->result.instructions <= REPLAY_INSTRUCTIONS_MAX)
		return true;
	snprintf(why, size,
		"it took %llu cycles and %llu instructions; a replay may take %llu cycles and %llu instructions",
		(unsigned long long)c->result.cycles, (unsigned long long)c->result.instructions,
		(unsigned long long)REPLAY_CYCLES_MAX, (unsigned long long)REPLAY_INSTRUCTIONS_MAX);
	return false;
}

static bool open_replay(struct launch_replay *r, const char *model, char *why, size_t size)
{
	if (*r->c->reason)
		return set_reason(why, size, r->c->reason);
	if (!is_short_enough(r->c, why, size) || !model_parse(&r->model, model, why, size))
		return false;
	if (!gpu_is_built(&r->model))
		return set_reason(why, size, "this build cannot run the code of the launch; run: make");
	r->gpu = gpu_open(&r->model);
	if (!r->gpu || !list_spans(r) || !reserve_spans(r))
		return set_reason(why, size, "out of memory");
	if (!allow_pages(r) || !map_memory(r))
		return set_reason(
			why, size, "the captured launch is damaged: its memory and its mappings do not fit together");
	return true;
}

struct launch_replay *launch_replay_open(const struct captured_launch *c, const char *model, char *why, size_t size)
{
	struct launch_replay *r = calloc(1, sizeof *r);

	if (!r) {
		set_reason(why, size, "out of memory");
		return NULL;
	}
	r->c = c;
	if (open_replay(r, model, why, size))
		return r;
	launch_replay_close(r);
	return NULL;
}

void launch_replay_close(struct launch_replay *r)
{
	if (r->gpu)
		gpu_close(r->gpu);
	for (size_t i = 0; i < r->span_count; i++)
		if (r->spans[i].host)
			munmap(r->spans[i].host, r->spans[i].bytes);
	free(r->spans);
	free(r);
}

struct gpu *launch_replay_gpu(const struct launch_replay *r)
{
	return r->gpu;
}

/* --- running --- */
static void ignore_interrupt(uint32_t data)
{
	(void)data;
}

static void explain_fault(const struct captured_launch *c, struct launch_result *out)
{
	for (size_t i = 0; i < c->mapping_count; i++)
		if (out->fault_va - c->mappings[i].va < c->mappings[i].size)
			snprintf(out->message, sizeof out->message,
				"0x%llx is memory that the captured launch did not touch, so its content was not kept",
				(unsigned long long)out->fault_va);
}

/* How far a replay runs. A launch that takes much longer than it did waits for something that only its program gave to
 * it. On another device it may take much longer, too. */
struct replay_limit {
	uint64_t cycles, instructions;
};

static struct replay_limit limit_replay(const struct launch_replay *r, enum replay_caches caches)
{
	const struct launch_result *then = &r->c->result;
	struct replay_limit l = {REPLAY_CYCLES_MAX, REPLAY_INSTRUCTIONS_MAX};

	if (caches == REPLAY_CACHES_CAPTURED && r->model.timing)
		l.cycles = min_u64(l.cycles, 2 * then->cycles + SLACK_CYCLES);
	if (caches == REPLAY_CACHES_CAPTURED || !r->model.timing)
		l.instructions = min_u64(l.instructions, 2 * then->instructions + SLACK_INSTRUCTIONS);
	if (!r->model.timing)
		l.cycles = UINT64_MAX; /* they say nothing */
	return l;
}

static void explain_limit(bool of_cycles, uint64_t limit, uint64_t then, char *why, size_t size)
{
	const char *now = of_cycles ? "run for" : "executed", *took = of_cycles ? "took" : "executed",
		   *unit = of_cycles ? "cycles" : "instructions";

	if (limit == (of_cycles ? REPLAY_CYCLES_MAX : REPLAY_INSTRUCTIONS_MAX))
		snprintf(why, size, "it has %s %llu %s, the most that a replay may take", now,
			(unsigned long long)limit, unit);
	else
		snprintf(why, size, "it waits for its program: it has %s %llu %s, and %s %llu then", now,
			(unsigned long long)limit, unit, took, (unsigned long long)then);
}

/* False: it has reached a limit, with the message. Instructions are counted on request, which the run after it
 * answers. */
static bool run_until_limit(
	struct launch_replay *r, const struct replay_limit *limit, struct launch_result *out, char *why, size_t size)
{
	const struct launch_result *then = &r->c->result;
	const cycle_t step = r->model.timing ? TIMED_STEP : UNTIMED_STEP;
	struct gpu_progress now = {0};

	for (cycle_t until = 0; until < limit->cycles && now.instructions <= limit->instructions;) {
		until += min_u64(step, limit->cycles - until);
		gpu_read_progress(r->gpu, &now);
		if (gpu_run_until(r->gpu, until) || gpu_launch_has_ended(r->gpu, out))
			return true;
	}
	if (now.instructions > limit->instructions)
		explain_limit(false, limit->instructions, then->instructions, why, size);
	else
		explain_limit(true, limit->cycles, then->cycles, why, size);
	return false;
}

static void run_to_limit(
	struct launch_replay *r, enum replay_caches caches, const struct dispatch *d, struct launch_result *out)
{
	char why[sizeof out->message];

	if (!gpu_begin_launch(r->gpu, d, out))
		return;
	const struct replay_limit limit = limit_replay(r, caches);
	const bool ended = run_until_limit(r, &limit, out, why, sizeof why);
	if (!ended)
		gpu_stop_launch(r->gpu);
	while (!ended && !gpu_launch_has_ended(r->gpu, out))
		gpu_run_until(r->gpu, UINT64_MAX);
	gpu_end_launch(r->gpu, out);
	if (!ended)
		snprintf(out->message, sizeof out->message, "%s", why);
}

/* Whether each page of [at, at + bytes) was captured. */
static bool is_captured(const struct captured_launch *c, uint64_t at, uint64_t bytes)
{
	const uint64_t end = at + bytes;

	for (size_t i = 0; i < c->page_count && at < end; i++)
		if (at - c->pages[i].at < c->pages[i].bytes)
			at = c->pages[i].at + c->pages[i].bytes;
	return at >= end;
}

/* A launch begins by reading its kernel's descriptor, before faults are taken. It refuses one that is not mapped. */
static bool has_descriptor(const struct captured_launch *c)
{
	const uint64_t va = c->dispatch.kernel_object;

	for (size_t i = 0; i < c->mapping_count; i++) {
		const struct captured_mapping *m = &c->mappings[i];
		if (va - m->va < m->size)
			return is_captured(c, m->at + (va - m->va), min_u64(DESCRIPTOR_BYTES, m->size - (va - m->va)));
	}
	return true;
}

static bool prepare_caches(struct launch_replay *r, enum replay_caches caches)
{
	if (caches == REPLAY_CACHES_EMPTY)
		gpu_clear_caches(r->gpu);
	return caches != REPLAY_CACHES_CAPTURED || gpu_restore_state(r->gpu, r->c->state, r->c->state_bytes);
}

enum launch_status launch_replay_run(
	struct launch_replay *r, enum replay_caches caches, struct launch_result *out, struct replay_memory *memory)
{
	struct dispatch d = r->c->dispatch;

	r->gws = r->c->gws;
	d.gws = r->c->has_gws ? &r->gws : NULL;
	d.interrupt = ignore_interrupt;
	restore_memory(r);
	if (!prepare_caches(r, caches)) {
		*out = (struct launch_result){.status = LAUNCH_BAD_PACKET};
		snprintf(out->message, sizeof out->message,
			"the captured state of the caches is damaged, or of another model");
		return out->status;
	}
	if (has_descriptor(r->c))
		run_to_limit(r, caches, &d, out);
	else
		*out = (struct launch_result){.status = LAUNCH_MEMORY_FAULT, .fault_va = d.kernel_object};
	if (out->status == LAUNCH_MEMORY_FAULT && r->c->result.status != LAUNCH_MEMORY_FAULT)
		explain_fault(r->c, out);
	*memory = (struct replay_memory){digest_memory(r), is_host_memory_as_then(r)};
	return out->status;
}

bool launch_replay_compare_memory(
	const struct captured_launch *c, const struct replay_memory *memory, char *why, size_t size)
{
	if (memory->device_digest == c->digest && memory->host_is_same)
		return true;
	snprintf(why, size, "the %s memory after it differs", memory->host_is_same ? "device" : "host");
	return false;
}

/* A launch that an error ended has counted what its waves had executed ahead (core/fast/run_ahead.h). A profiled one
 * executes nothing ahead, so their instructions are not compared. */
bool launch_replay_compare(const struct captured_launch *c, const struct launch_result *now,
	const struct replay_memory *memory, char *why, size_t size)
{
	const struct launch_result *then = &c->result;

	if (now->status != then->status)
		snprintf(why, size, "%s", *now->message ? now->message : "it ended, and the captured launch did not");
	else if (now->cycles != then->cycles)
		snprintf(why, size, "%llu cycles, the captured launch took %llu", (unsigned long long)now->cycles,
			(unsigned long long)then->cycles);
	else if (now->waves != then->waves)
		snprintf(why, size, "%llu waves, the captured launch started %llu", (unsigned long long)now->waves,
			(unsigned long long)then->waves);
	else if (then->status == LAUNCH_OK && now->instructions != then->instructions)
		snprintf(why, size, "%llu instructions, the captured launch executed %llu",
			(unsigned long long)now->instructions, (unsigned long long)then->instructions);
	else
		return launch_replay_compare_memory(c, memory, why, size);
	return false;
}
