#include "softgpu/core/memory/l1.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/access_memo.h"
#include "softgpu/core/memory/access_requests.h"
#include "softgpu/core/memory/gl1.h"
#include "softgpu/core/memory/l2.h"
#include "softgpu/core/memory/store_stops.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/profile/wave_trace.h"

/* --- L1 --- */
/* L1 sends a request to L2 in a cycle: 64 bytes (ROCm Compute Profiler: TCP). */
static inline cycle_t reserve_request(struct cu_memory *memory, cycle_t t, struct access_path *p)
{
	t = max_u64(t, memory->request_free);
	memory->request_free = t + 1;
	access_path_add(p, STALL_L1, t);
	return t;
}

/* When the address of a line of 64 bytes is translated, at cycle t or later. Physical pages stand for virtual ones: the
 * driver maps them in pieces of 2 MiB (vm_fragment_size of amdgpu). */
static inline cycle_t translate_line(
	struct machine *m, struct cu_memory *memory, uint64_t line, cycle_t t, struct access_path *p)
{
	struct cache *utcl1 = &memory->utcl1;

	if (!utcl1->sets)
		return t;
	const uint64_t page = line >> (TLB_PAGE_BITS - LINE_BITS), *ready = cache_find(utcl1, 0, page);
	if (ready)
		t = max_u64(t, *ready);
	else
		cache_insert(utcl1, 0, page, 0, t += m->model.utcl2_latency);
	access_path_add(p, STALL_L1, t);
	return t;
}

/* Loads a line of L1 at cycle t; returns when its data is back. */
PROFILED_VARIANT cycle_t l1_load(
	struct machine *m, struct simd *s, uint64_t line, cycle_t t, unsigned flags, struct access_path *p)
{
	const uint64_t first = line << m->l1_shift;
	struct cu *cu = s->cu;
	struct cache *l1 = &s->memory->l1;
	const bool bypass = flags & FLAG_GLC;
	uint64_t set = line & (l1->sets - 1), *ready = cache_find(l1, set, line);

	if (p)
		profiler_record_cache(m, CACHE_L1, cu - m->cu, set, ready && !bypass);
	if (!ready && __builtin_expect(model_is_ideal(&m->model, IDEAL_l1) && !bypass, 0)) {
		m->thread.sums.l1_miss++;
		access_path_add(p, STALL_L1, t + m->model.l1_latency);
		return t + m->model.l1_latency;
	}
	if (ready && !bypass) {
		m->thread.sums.l1_hit++;
		access_path_add(p, STALL_L1, t + m->model.l1_latency);
		access_path_add(p, STALL_FILL, *ready);
		return max_u64(t + m->model.l1_latency, *ready);
	}
	m->thread.sums.l1_miss++;
	t = translate_line(m, s->memory, line, reserve_request(s->memory, t, p), p);
	uint64_t back = cu->array ? gl1_load(m, cu->array, first, t, flags, p)
		: !p && m->apart  ? l2_ask_load(cu->cluster, first, t)
				  : l2_load(m, first, t, p);
	if (ready) {
		cache_refill(l1, ready, back);
		if (!p && cycle_is_unknown(back))
			fill_later(cu->cluster, ready, back);
		return back;
	}
	uint64_t out = cache_insert(l1, set, line, 0, back);
	if (!p && cycle_is_unknown(back))
		fill_newest_later(cu->cluster, l1, set, back);
	if (p)
		profiler_record_eviction(m, CACHE_L1, cu - m->cu, set, out);
	return back;
}

void memory_invalidate_l1(struct wave *w)
{
	cache_clear(&w->simd->memory->l1);
}

void memory_invalidate_gl1(struct wave *w)
{
	if (w->simd->cu->array)
		cache_clear(&w->simd->cu->array->l1);
}

/* --- vector accesses --- */
/* The requests of an access; for atomics, also the lanes on each line's busiest dword. */
struct line_list {
	const uint64_t *line;
	const uint16_t *cycle; /* of each request, since the first; NULL: one after the other */
	uint64_t base;
	unsigned count, cycles;
	const uint8_t *same;
};

/* Makes lines of 64 bytes that a load needs lines of L1; returns their number. */
static unsigned merge_lines(const struct machine *m, const uint64_t *line, uint64_t base, unsigned count, uint64_t *out)
{
	enum { FEW = 16 };
	unsigned n = 0;

	for (unsigned k = 0; k < count; k++) {
		const uint64_t number = (base + line[k]) >> m->l1_shift;
		bool known = false;
		for (unsigned j = 1; j <= n && j <= FEW && !known; j++)
			known = out[n - j] == number;
		if (!known)
			out[n++] = number;
	}
	return n;
}

/* The list as lines of L1, in `out`, where these are longer. */
static inline struct line_list lines_of_l1(
	const struct machine *m, struct line_list s, enum memory_kind kind, uint64_t *out)
{
	if (kind != MEMORY_LOAD || !m->l1_shift)
		return s;
	const unsigned count = merge_lines(m, s.line, s.base, s.count, out);
	return (struct line_list){.line = out, .count = count, .cycles = count};
}

static struct line_list lines_of_access(
	const struct machine *m, const struct access_lines *s, enum memory_kind kind, uint64_t *out)
{
	return lines_of_l1(m,
		(struct line_list){
			.line = s->line, .cycle = s->cycle, .count = s->count, .cycles = s->cycles, .same = s->same},
		kind, out);
}

/* A store's line reaches L2. Returns when it is acknowledged; a full channel holds up the address stage. */
PROFILED_VARIANT cycle_t l1_store(struct machine *m, struct simd *simd, uint64_t line, cycle_t t, struct access_path *p)
{
	struct cu_memory *memory = simd->memory;
	const cycle_t at = translate_line(m, memory, line, reserve_request(memory, t, p), p);
	const cycle_t taken = l2_store(m, line, at, m->model.l2_line_cycles, p);

	if (taken > at + m->model.l2_queue_cycles) {
		if (p)
			profiler_record_cu_stall(simd->cu, taken - m->model.l2_queue_cycles);
		store_stops_add(m, memory, at, taken - m->model.l2_queue_cycles);
	}
	return taken + m->model.store_latency;
}

/* The same where clusters run apart. A line that is on its way is at least as late as one that is there. */
static __attribute__((noinline)) cycle_t process_lines_in_window(
	struct wave *w, const struct uop *i, const struct line_list *s, cycle_t t, enum memory_kind kind)
{
	struct machine *m = w->m;
	struct simd *simd = w->simd;
	struct cu_memory *memory = simd->memory;
	struct cluster *c = simd->cu->cluster;
	struct due all = due_begin(c, t);

	for (unsigned k = 0; k < s->count; k++) {
		cycle_t at = t + (s->cycle ? s->cycle[k] : k), number = s->base + s->line[k], done;
		if (kind == MEMORY_LOAD) {
			done = l1_load(m, simd, number, at, i->d.flags, NULL);
			due_add(c, &all, at + m->model.l1_latency);
		} else if (kind == MEMORY_ATOMIC) {
			done = l2_ask_atomic(c, number, at, s->same[k]);
		} else {
			at = translate_line(m, memory, number, reserve_request(memory, at, NULL), NULL);
			done = l2_ask_store(m, c, memory, number, at);
		}
		due_add(c, &all, done);
	}
	if (kind != MEMORY_LOAD)
		cu_extend_launch(simd->cu, w->launch, all.known);
	return due_end(c, &all);
}

/* The requests leave L1's address stage, which accepted the access at cycle t. Returns when the last of them has
 * returned or is acknowledged; *p receives its path. */
PROFILED_VARIANT cycle_t process_lines(struct wave *w, const struct uop *i, struct line_list s, cycle_t t,
	enum memory_kind kind, struct access_path *p)
{
	struct machine *m = w->m;
	struct simd *simd = w->simd;
	cycle_t back = t;
	struct access_path all;

	if (!p && m->apart)
		return process_lines_in_window(w, i, &s, t, kind);
	if (p)
		all = *p;
	for (unsigned k = 0; k < s.count; k++) {
		uint64_t at = t + (s.cycle ? s.cycle[k] : k), number = s.base + s.line[k], done;
		struct access_path line, *l = p ? &line : NULL;
		if (l)
			line = all;
		access_path_add(l, STALL_L1, at);
		if (kind == MEMORY_LOAD)
			done = l1_load(m, simd, number, at, i->d.flags, l);
		else if (kind == MEMORY_ATOMIC)
			done = l2_atomic(m, number, at, s.same[k], l);
		else
			done = l1_store(m, simd, number, at, l);
		if (p && done > back)
			*p = line;
		back = max_u64(back, done);
	}
	if (kind != MEMORY_LOAD)
		cu_extend_launch(simd->cu, w->launch, back);
	return back;
}

/* When the address stage accepts the access that issues now; it is then busy with it. */
static inline cycle_t reserve_address_cycles(struct wave *w, const struct uop *i, uint64_t cycles, uint64_t meeting)
{
	struct cu_memory *memory = w->simd->memory;
	uint64_t t = max_u64(w->last + i->cost, store_stops_apply(memory, w->last));

	memory->l1_free = t + max_u64(cycles, meeting);
	memory->last_simd = w->simd->number;
	return t;
}

/* Cycles of the address stage for an access whose requests meet nowhere. */
static inline uint64_t address_cycles_of(const struct wave *w, bool wide)
{
	const struct model *c = &w->m->model;

	return (uint64_t)w->launch->address_passes * (wide ? c->l1_wide_cycles : c->l1_dword_cycles);
}

static inline cycle_t reserve_address_stage(struct wave *w, const struct uop *i, bool wide, unsigned cycles)
{
	return reserve_address_cycles(w, i, address_cycles_of(w, wide), cycles);
}

/* A load whose requests met returns that much later, even if its last line was there early. */
static inline cycle_t load_arrival(
	const struct wave *w, const struct line_list *s, bool wide, cycle_t t, cycle_t back, enum memory_kind kind)
{
	const uint64_t alone = address_cycles_of(w, wide);

	if (kind != MEMORY_LOAD || s->cycles <= alone)
		return back;
	return due_raise(w->simd->cu->cluster, back, t + (s->cycles - alone) + w->m->model.l1_latency);
}

PROFILED_VARIANT void schedule_lines(struct wave *w, const struct uop *i, const struct memory_access *x,
	enum memory_kind kind, struct access_path *p)
{
	const bool wide = x->elements > 1;
	struct access_lines s;
	uint64_t merged[ACCESS_LINES_MAX];

	requests_of_access(w, x, kind, &s);
	const struct line_list list = lines_of_access(w->m, &s, kind, merged);
	uint64_t t = reserve_address_stage(w, i, wide, list.cycles);
	access_path_begin(p, w->last + i->cost);
	if (p)
		profiler_add_address_stage(w->simd->cu, p, t);
	uint64_t back = load_arrival(w, &list, wide, t, process_lines(w, i, list, t, kind, p), kind);
	access_path_add(p, STALL_L1, back);
	if (p && kind != MEMORY_LOAD)
		profiler_record_drain(w, p);
	waitcnt_push(w, memory_counter_of(w, i, kind), back);
}

static __attribute__((noinline)) void schedule_profiled_access(
	struct wave *w, const struct uop *i, const struct memory_access *x, enum memory_kind kind)
{
	trace_vector_access(w, x, kind);
	schedule_lines(w, i, x, kind, profiler_new_access_path(w));
}

void memory_schedule_access(struct wave *w, const struct uop *i, const struct memory_access *x, enum memory_kind kind)
{
	if (!w->m->model.timing)
		return;
	if (machine_is_profiled(w->m))
		schedule_profiled_access(w, i, x, kind);
	else
		schedule_lines(w, i, x, kind, NULL);
}

/* --- images --- */
/* As an access of one element per lane, for the functions that count and trace those. */
static void describe_first_texels(const struct image_access *x, struct memory_access *out)
{
	out->memory = x->texels ? x->memory[0] : 0;
	out->lds = out->odd = out->cut = out->to_phys = 0;
	out->elements = 1;
	out->bytes = out->step = x->bytes;
	memcpy(out->at, x->at[0], sizeof out->at);
}

void memory_schedule_image(
	struct wave *w, const struct uop *i, const struct image_access *x, enum memory_kind kind, unsigned cycles)
{
	struct machine *m = w->m;
	struct access_path *p = NULL;
	struct memory_access first;
	struct access_lines s;
	uint64_t merged[ACCESS_LINES_MAX];

	if (!m->model.timing)
		return;
	requests_of_image(x, &s);
	describe_first_texels(x, &first);
	if (kind == MEMORY_ATOMIC)
		requests_count_same(&first, &s);
	if (machine_is_profiled(m)) {
		trace_vector_access(w, &first, kind);
		p = profiler_new_access_path(w);
	}
	const struct line_list list = lines_of_access(m, &s, kind, merged);
	uint64_t t = reserve_address_cycles(w, i, (uint64_t)w->launch->address_passes * cycles, list.cycles);
	access_path_begin(p, w->last + i->cost);
	if (p)
		profiler_add_address_stage(w->simd->cu, p, t);
	uint64_t back = process_lines(w, i, list, t, kind, p);
	if (kind == MEMORY_LOAD) /* also where all texels are border color */
		back = due_raise(w->simd->cu->cluster, back, t + m->model.l1_latency);
	if (p && kind != MEMORY_LOAD)
		profiler_record_drain(w, p);
	waitcnt_push(w, memory_counter_of(w, i, kind), back);
}

/* --- accesses whose requests are known --- */
void memory_schedule_known(struct wave *w, const struct uop *i, const struct memory_memo *memo, uint64_t first,
	bool wide, enum memory_kind kind)
{
	uint64_t merged[MEMO_LINES];
	const struct line_list s = lines_of_l1(w->m,
		(struct line_list){.line = memo->line,
			.cycle = memo->cycle,
			.base = first >> LINE_BITS,
			.count = memo->count,
			.cycles = memo->cycles},
		kind, merged);
	uint64_t t = reserve_address_stage(w, i, wide, s.cycles), back;

	back = kind == MEMORY_LOAD ? process_lines(w, i, s, t, MEMORY_LOAD, NULL)
				   : process_lines(w, i, s, t, MEMORY_STORE, NULL);
	waitcnt_push(w, memory_counter_of(w, i, kind), load_arrival(w, &s, wide, t, back, kind));
}

bool memory_defer_load(struct wave *w, const struct memory_memo *memo, uint64_t first, bool wide)
{
	unsigned lines = (uint8_t)(w->deferred_lines_tail - w->deferred_lines_head),
		 loads = (uint8_t)(w->deferred_loads_tail - w->deferred_loads_head);

	if (loads == DEFERRED_LOADS_MAX || lines + memo->count > DEFERRED_LINES_MAX)
		return false;
	w->deferred_load[w->deferred_loads_tail++ % DEFERRED_LOADS_MAX] =
		(struct deferred_load){memo->count, wide, memo->cycles};
	for (unsigned k = 0; k < memo->count; k++)
		w->deferred_line[w->deferred_lines_tail++ % DEFERRED_LINES_MAX] =
			(struct deferred_line){(first >> LINE_BITS) + memo->line[k], memo->cycle[k]};
	return true;
}

void memory_replay_deferred(struct wave *w, const struct uop *i)
{
	const struct deferred_load a = w->deferred_load[w->deferred_loads_head++ % DEFERRED_LOADS_MAX];
	uint64_t line[DEFERRED_LINES_MAX], merged[DEFERRED_LINES_MAX];
	uint16_t cycle[DEFERRED_LINES_MAX];

	__builtin_prefetch(&w->due[WAITCNT_VM][waitcnt_ring_index(w, WAITCNT_VM, w->waitcnt[WAITCNT_VM].count)], 1);
	for (unsigned k = 0; k < a.lines; k++) {
		const struct deferred_line d = w->deferred_line[w->deferred_lines_head++ % DEFERRED_LINES_MAX];
		line[k] = d.line;
		cycle[k] = d.cycle;
	}
	const struct line_list s = lines_of_l1(w->m,
		(struct line_list){.line = line, .cycle = cycle, .count = a.lines, .cycles = a.cycles}, MEMORY_LOAD,
		merged);
	uint64_t t = reserve_address_stage(w, i, a.wide, s.cycles), back = process_lines(w, i, s, t, MEMORY_LOAD, NULL);
	waitcnt_push(w, WAITCNT_VM, load_arrival(w, &s, a.wide, t, back, MEMORY_LOAD));
}

/* --- code --- */
cycle_t memory_fetch_code_line(struct machine *m, struct cluster *c, uint64_t phys, cycle_t t)
{
	if (m->apart)
		return l2_ask_load_by(m, c, phys >> LINE_BITS, t, m->model.icache_l2_latency);
	struct access_path path = {.begin = t};
	uint64_t back = l2_load(m, phys >> LINE_BITS, t, machine_is_profiled(m) ? &path : NULL);

	return l2_arrival_by(m, back, (cycle_t)m->model.icache_l2_latency, t);
}
