#include "softgpu/core/memory/l1.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/gl1.h"
#include "softgpu/core/memory/l2.h"
#include "softgpu/core/profile/wave_trace.h"

/* --- L1 --- */
/* Loads a line of L1 at cycle t; returns when its data is back. */
PROFILED_VARIANT cycle_t l1_load(
	struct machine *m, struct simd *s, uint64_t line, cycle_t t, unsigned flags, struct access_path *p)
{
	const uint64_t first = line << m->l1_shift;
	struct cu *cu = s->cu;
	struct cache *l1 = &s->memory->l1;
	const bool bypass = flags & FLAG_GLC;
	uint64_t set = line & (l1->sets - 1), *ready = cache_find(l1, set, line, 0);

	if (p)
		profiler_record_cache(m, CACHE_L1, cu - m->cu, set, ready && !bypass);
	if (ready && !bypass) {
		m->thread.sums.l1_hit++;
		access_path_add(p, STALL_L1, t + m->model.l1_latency);
		access_path_add(p, STALL_FILL, *ready);
		return max_u64(t + m->model.l1_latency, *ready);
	}
	m->thread.sums.l1_miss++;
	uint64_t back = cu->array ? gl1_load(m, cu->array, first, t, flags, p) : l2_load(m, first, t, p);
	if (ready) {
		cache_refill(l1, ready, back);
		return back;
	}
	uint64_t out = cache_insert(l1, set, line, 0, back);
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

/* --- coalescing --- */
enum { TABLE = 1024, FEW = 16 /* lines that are searched linearly */ };

/* The distinct lines of an access, in lane order. */
struct lines {
	uint64_t line[MAX_LANES * 4 * 2];
	unsigned count;
	uint64_t last, most;
	bool hashed;
	uint16_t table[TABLE];
	uint8_t same[MAX_LANES * 2]; /* atomics: the most lanes on one dword of the line */
};

static unsigned hash_of_line(uint64_t line)
{
	return line * 0x9e3779b1u >> 7 & (TABLE - 1);
}

static void hash_insert_line(struct lines *s, unsigned number)
{
	unsigned h = hash_of_line(s->line[number]);

	while (s->table[h])
		h = (h + 1) & (TABLE - 1);
	s->table[h] = number + 1;
}

static bool is_known_line(struct lines *s, uint64_t line)
{
	if (s->count <= FEW) {
		for (unsigned k = 0; k < s->count; k++)
			if (s->line[k] == line)
				return true;
		return false;
	}
	if (!s->hashed) { /* build the hash table only when needed */
		memset(s->table, 0, sizeof s->table);
		s->hashed = true;
		for (unsigned k = 0; k < s->count; k++)
			hash_insert_line(s, k);
	}
	for (unsigned h = hash_of_line(line); s->table[h]; h = (h + 1) & (TABLE - 1))
		if (s->line[s->table[h] - 1] == line)
			return true;
	return false;
}

static inline void collect_line(struct lines *s, uint64_t line)
{
	if (line == s->last)
		return;
	s->last = line;
	if (s->count && line <= s->most && is_known_line(s, line))
		return;
	s->most = max_u64(s->most, line);
	s->line[s->count++] = line;
	if (s->hashed)
		hash_insert_line(s, s->count - 1);
}

static inline void clear_lines(struct lines *s)
{
	s->count = 0;
	s->last = UINT64_MAX;
	s->most = 0;
	s->hashed = false;
}

PROFILED_VARIANT void collect_scattered_lines(const struct memory_access *x, struct lines *s)
{
	uint32_t span = x->step == x->bytes ? x->elements * x->bytes : x->bytes;
	uint32_t parts = access_pieces(x);

	clear_lines(s);
	for (uint32_t k = 0; k < parts; k++)
		for (uint64_t e = x->heads; e; e &= e - 1) {
			uint64_t at = x->at[__builtin_ctzll(e)] + x->to_phys + (uint64_t)k * x->step,
				 end = (at + span - 1) >> LINE_BITS;
			collect_line(s, at >> LINE_BITS);
			if (end != s->last)
				collect_line(s, end);
		}
}

/* The same if some lanes are partly outside of a buffer: they touch the lines inside. */
static __attribute__((noinline)) void collect_lines_inside(const struct memory_access *x, struct lines *s)
{
	clear_lines(s);
	for (uint32_t k = 0; k < access_pieces(x); k++)
		for (uint64_t e = x->heads; e; e &= e - 1) {
			const unsigned l = __builtin_ctzll(e);
			const uint32_t bytes = access_piece_bytes(x, l, k);
			const uint64_t at = x->at[l] + x->to_phys + (uint64_t)k * x->step;
			if (!bytes)
				continue;
			collect_line(s, at >> LINE_BITS);
			collect_line(s, (at + bytes - 1) >> LINE_BITS);
		}
}

PROFILED_VARIANT void collect_linear_lines(const struct memory_access *x, unsigned lanes, struct lines *s)
{
	uint64_t first = (x->at[0] + x->to_phys) >> LINE_BITS;
	uint64_t last = (x->at[lanes - 1] + x->to_phys + x->elements * x->bytes - 1) >> LINE_BITS;

	for (s->count = 0; first <= last; first++)
		s->line[s->count++] = first;
}

enum { LINE = 1 << LINE_BITS };

/* How far an access may move before one of its ends reaches another line. */
struct room {
	uint8_t down, up;
};

static void narrow_room(struct room *r, uint64_t at)
{
	const uint8_t down = at % LINE, up = LINE - 1 - down;

	r->down = down < r->down ? down : r->down;
	r->up = up < r->up ? up : r->up;
}

void memory_memo_find_lines(struct memory_memo *memo, uint32_t align, uint32_t bytes)
{
	const uint64_t first = (UINT64_C(1) << 40) + align; /* any address far from both ends */
	const int32_t *relative = (const int32_t *)memo->lanes.relative;
	uint64_t exec = memo->lanes.exec;
	struct room room = {align, LINE - 1 - align};
	struct lines s;

	clear_lines(&s);
	for (uint64_t e = memo->lanes.heads, next; e; e = next) {
		next = e & (e - 1);
		uint64_t run = next ? exec & ((next & -next) - 1) : exec;
		uint64_t start = first + relative[__builtin_ctzll(e)],
			 end = first + relative[63 - __builtin_clzll(run)] + bytes - 1;
		for (uint64_t line = start >> LINE_BITS; line <= end >> LINE_BITS; line++)
			collect_line(&s, line);
		narrow_room(&room, start);
		narrow_room(&room, end);
	}
	memo->from = align - room.down;
	memo->to = align + room.up;
	memo->count = s.count <= MEMO_LINES ? s.count : 0;
	for (unsigned k = 0; k < memo->count; k++)
		memo->line[k] = s.line[k] - (first >> LINE_BITS);
}

/* Counts the lanes on each dword of each line. */
static void count_same_dword_lanes(const struct memory_access *x, struct lines *s)
{
	for (unsigned k = 0; k < s->count; k++) {
		uint8_t lanes[1 << LINE_BITS >> 2] = {0};
		s->same[k] = 1;
		if (s->count == (unsigned)__builtin_popcountll(x->memory)) /* one lane per line */
			continue;
		for (uint64_t e = x->memory; e; e &= e - 1) {
			uint64_t at = x->at[__builtin_ctzll(e)] + x->to_phys;
			if (at >> LINE_BITS == s->line[k] && ++lanes[at >> 2 & (sizeof lanes - 1)] > s->same[k])
				s->same[k] = lanes[at >> 2 & (sizeof lanes - 1)];
		}
	}
}

/* --- vector accesses --- */
/* The lines of an access; for atomics, also the lanes on each line's busiest dword. */
struct line_list {
	const uint64_t *line;
	uint64_t base;
	unsigned count;
	const uint8_t *same;
};

/* Makes lines of 64 bytes that a load needs lines of L1; returns their number. */
static unsigned merge_lines(const struct machine *m, const uint64_t *line, uint64_t base, unsigned count, uint64_t *out)
{
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
	return (struct line_list){out, 0, merge_lines(m, s.line, s.base, s.count, out), NULL};
}

/* The lines pass L1's address stage, one per cycle from t on. Returns when the last of them has returned or is
 * acknowledged; *p receives its path. */
PROFILED_VARIANT cycle_t process_lines(struct wave *w, const struct uop *i, struct line_list s, cycle_t t,
	enum memory_kind kind, struct access_path *p)
{
	struct machine *m = w->m;
	struct simd *simd = w->simd;
	struct cu_memory *memory = simd->memory;
	cycle_t back = t;
	struct access_path all;

	if (p)
		all = *p;
	for (unsigned k = 0; k < s.count; k++) {
		uint64_t at = t + k, number = s.base + s.line[k], done;
		struct access_path line, *l = p ? &line : NULL;
		if (l)
			line = all;
		access_path_add(l, STALL_L1, at);
		if (kind == MEMORY_LOAD) {
			done = l1_load(m, simd, number, at, i->d.flags, l);
		} else if (kind == MEMORY_ATOMIC) {
			done = l2_atomic(m, number, at, s.same[k], l);
			w->launch->end = max_u64(w->launch->end, done);
		} else {
			uint64_t taken = l2_store(m, number, at, m->model.l2_line_cycles, l);
			if (taken > at + m->model.l2_queue_cycles) {
				if (l)
					profiler_record_cu_stall(simd->cu, taken - m->model.l2_queue_cycles);
				memory->l1_free = max_u64(memory->l1_free, taken - m->model.l2_queue_cycles);
			}
			done = taken + m->model.store_latency;
			w->launch->end = max_u64(w->launch->end, done);
		}
		if (p && done > back)
			*p = line;
		back = max_u64(back, done);
	}
	return back;
}

/* When the address stage accepts the access that issues now; it is then busy with it. */
static inline cycle_t reserve_address_cycles(struct wave *w, const struct uop *i, uint64_t cycles, unsigned lines)
{
	struct cu_memory *memory = w->simd->memory;
	uint64_t t = max_u64(w->last + i->cost, memory->l1_free);

	memory->l1_free = t + max_u64(cycles, lines);
	return t;
}

static inline cycle_t reserve_address_stage(struct wave *w, const struct uop *i, bool wide, unsigned lines)
{
	const struct model *c = &w->m->model;
	const uint64_t passes = w->launch->address_passes;

	return reserve_address_cycles(w, i, passes * (wide ? c->l1_wide_cycles : c->l1_dword_cycles), lines);
}

PROFILED_VARIANT void schedule_lines(struct wave *w, const struct uop *i, const struct memory_access *x,
	enum memory_kind kind, struct access_path *p)
{
	struct machine *m = w->m;
	struct cu *cu = w->simd->cu;
	struct lines s;

	if (x->linear)
		collect_linear_lines(x, w->launch->lanes, &s);
	else if (x->cut)
		collect_lines_inside(x, &s);
	else
		collect_scattered_lines(x, &s);
	if (kind == MEMORY_ATOMIC)
		count_same_dword_lanes(x, &s);
	uint64_t merged[sizeof s.line / sizeof *s.line];
	const struct line_list list = lines_of_l1(m, (struct line_list){s.line, 0, s.count, s.same}, kind, merged);
	uint64_t t = reserve_address_stage(w, i, x->elements > 1, list.count);
	access_path_begin(p, w->last + i->cost);
	if (p)
		profiler_add_address_stage(cu, p, t);
	uint64_t back = process_lines(w, i, list, t, kind, p);
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
/* The lines of all texels, those of the filter's first texels first. */
static void collect_texel_lines(const struct image_access *x, struct lines *s)
{
	clear_lines(s);
	for (unsigned k = 0; k < x->texels; k++)
		for (uint64_t e = x->memory[k]; e; e &= e - 1)
			collect_line(s, x->at[k][__builtin_ctzll(e)] >> LINE_BITS);
}

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
	struct lines s;
	uint64_t merged[sizeof s.line / sizeof *s.line];

	if (!m->model.timing)
		return;
	collect_texel_lines(x, &s);
	describe_first_texels(x, &first);
	if (kind == MEMORY_ATOMIC)
		count_same_dword_lanes(&first, &s);
	if (machine_is_profiled(m)) {
		trace_vector_access(w, &first, kind);
		p = profiler_new_access_path(w);
	}
	const struct line_list list = lines_of_l1(m, (struct line_list){s.line, 0, s.count, s.same}, kind, merged);
	uint64_t t = reserve_address_cycles(w, i, (uint64_t)w->launch->address_passes * cycles, list.count);
	access_path_begin(p, w->last + i->cost);
	if (p)
		profiler_add_address_stage(w->simd->cu, p, t);
	uint64_t back = process_lines(w, i, list, t, kind, p);
	if (kind == MEMORY_LOAD) /* also where all texels are border color */
		back = max_u64(back, t + m->model.l1_latency);
	if (p && kind != MEMORY_LOAD)
		profiler_record_drain(w, p);
	waitcnt_push(w, memory_counter_of(w, i, kind), back);
}

void memory_schedule_known(struct wave *w, const struct uop *i, const struct memory_memo *memo, uint64_t first,
	bool wide, enum memory_kind kind)
{
	uint64_t merged[MEMO_LINES];
	const struct line_list s =
		lines_of_l1(w->m, (struct line_list){memo->line, first >> LINE_BITS, memo->count, NULL}, kind, merged);
	uint64_t t = reserve_address_stage(w, i, wide, s.count);

	waitcnt_push(w, memory_counter_of(w, i, kind),
		kind == MEMORY_LOAD ? process_lines(w, i, s, t, MEMORY_LOAD, NULL)
				    : process_lines(w, i, s, t, MEMORY_STORE, NULL));
}

/* --- loads executed ahead --- */
bool memory_defer_load(struct wave *w, const struct memory_memo *memo, uint64_t first, bool wide)
{
	unsigned lines = (uint8_t)(w->deferred_lines_tail - w->deferred_lines_head),
		 loads = (uint8_t)(w->deferred_loads_tail - w->deferred_loads_head);

	if (loads == DEFERRED_LOADS_MAX || lines + memo->count > DEFERRED_LINES_MAX)
		return false;
	w->deferred_load[w->deferred_loads_tail++ % DEFERRED_LOADS_MAX] = (struct deferred_load){memo->count, wide};
	for (unsigned k = 0; k < memo->count; k++)
		w->deferred_line[w->deferred_lines_tail++ % DEFERRED_LINES_MAX] = (first >> LINE_BITS) + memo->line[k];
	return true;
}

void memory_replay_deferred(struct wave *w, const struct uop *i)
{
	const struct deferred_load a = w->deferred_load[w->deferred_loads_head++ % DEFERRED_LOADS_MAX];
	uint64_t line[DEFERRED_LINES_MAX], merged[DEFERRED_LINES_MAX];

	__builtin_prefetch(&w->due[WAITCNT_VM][waitcnt_ring_index(w, WAITCNT_VM, w->waitcnt[WAITCNT_VM].count)], 1);
	for (unsigned k = 0; k < a.lines; k++)
		line[k] = w->deferred_line[w->deferred_lines_head++ % DEFERRED_LINES_MAX];
	const struct line_list s = lines_of_l1(w->m, (struct line_list){line, 0, a.lines, NULL}, MEMORY_LOAD, merged);
	uint64_t t = reserve_address_stage(w, i, a.wide, s.count);
	waitcnt_push(w, WAITCNT_VM, process_lines(w, i, s, t, MEMORY_LOAD, NULL));
}

/* --- code --- */
cycle_t memory_fetch_code_line(struct machine *m, uint64_t phys, cycle_t t)
{
	struct access_path path = {.begin = t};
	uint64_t back = l2_load(m, phys >> LINE_BITS, t, machine_is_profiled(m) ? &path : NULL);

	return l2_arrival_by(m, back, (cycle_t)m->model.icache_l2_latency, t);
}
