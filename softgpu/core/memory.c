#include "softgpu/core/memory.h"

#include <string.h>

#include "softgpu/core/dram.h"
#include "softgpu/core/inside.h"
#include "softgpu/core/sclk.h"

enum { LINE_BITS = 6, SYSTEM_BIT = 40 /* of a line number: host memory */, EPOCH_BIT = 44 };

/* The pipeline exists twice: as it is, with no path, and reporting an access's way (inside.h). */
#define TWICE static inline __attribute__((always_inline))

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- accesses in flight -------------------------------------------------------------------------------------------- */
/* The counter is full: issue stops until the oldest is back. */
static __attribute__((noinline)) void vm_full(struct wave *w, uint64_t due)
{
	if (seen(w->m))
		inside_full(w, true, w->vm_due[w->vm_head & 63]);
	w->next = later(w->next, w->vm_due[w->vm_head & 63]);
	w->vm_head++;
	w->vm_count--;
	wave_vm_push(w, due);
}

void wave_vm_push(struct wave *w, uint64_t due)
{
	if (w->vm_count == VM_COUNT_MAX) {
		vm_full(w, due);
		return;
	}
	due = later(due, w->vm_due[(w->vm_head + w->vm_count - 1) & 63]);
	w->vm_due[(w->vm_head + w->vm_count++) & 63] = due;
	if (seen(w->m))
		inside_push(w, true);
}

static __attribute__((noinline)) void lgkm_full(struct wave *w, uint64_t due)
{
	if (seen(w->m))
		inside_full(w, false, w->lgkm_due[w->lgkm_head & 15]);
	w->next = later(w->next, w->lgkm_due[w->lgkm_head & 15]);
	w->lgkm_head++;
	w->lgkm_count--;
	wave_lgkm_push(w, due);
}

void wave_lgkm_push(struct wave *w, uint64_t due)
{
	if (w->lgkm_count == LGKM_COUNT_MAX) {
		lgkm_full(w, due);
		return;
	}
	due = later(due, w->lgkm_due[(w->lgkm_head + w->lgkm_count - 1) & 15]);
	w->lgkm_due[(w->lgkm_head + w->lgkm_count++) & 15] = due;
	if (seen(w->m))
		inside_push(w, false);
}

void wave_in_flight(struct wave *w)
{
	w->vm_count = w->lgkm_count = w->vm_head = w->lgkm_head = 0;
	w->vm_due[63] = w->lgkm_due[15] = 0;
}

/* --- L2 and DRAM --------------------------------------------------------------------------------------------------- */
/* The line's channel, its number within, and its set there. */
static struct channel *channel_of(struct machine *m, uint64_t line, uint64_t *inside, uint64_t *set)
{
	unsigned fine = m->interleave_shift - LINE_BITS, bits = __builtin_ctz(m->channels);
	struct channel *c = &m->channel[line >> fine & (m->channels - 1)];

	*inside = line >> (fine + bits) << fine | (line & ((UINT64_C(1) << fine) - 1));
	*set = *inside >> m->l2_shift & (c->l2.sets - 1);
	return c;
}

static bool is_system(uint64_t line)
{
	return line >> SYSTEM_BIT & 1;
}

/* Host memory may change between launches: its lines in caches count for one launch only. */
static uint64_t tag_of(const struct machine *m, uint64_t line)
{
	return is_system(line) ? line | m->launch.system_epoch << EPOCH_BIT : line;
}

static void evict(struct machine *m, struct channel *c, uint64_t tag, uint64_t at)
{
	if (!(tag & CACHE_DIRTY) || is_system((tag & ~CACHE_DIRTY) - 1))
		return;
	unsigned halves = __builtin_popcountll(tag & CACHE_DIRTY);
	uint64_t limit = m->model.dram_queue_cycles, end = dram_write(m, &c->dram, halves, at);
	m->sums.dram_write += halves;
	if (end > at + limit)
		c->free = later(c->free, end - limit);
}

/* What L2 knows a line by, and the bit that says that it was stored to. */
static uint64_t l2_tag(const struct machine *m, uint64_t line)
{
	return tag_of(m, line >> m->l2_shift | (line & UINT64_C(1) << SYSTEM_BIT));
}

static uint64_t dirty_bit(const struct machine *m, uint64_t line)
{
	return UINT64_C(1) << (62 + (line & m->l2_shift));
}

/* A line wanted at cycle t: when its data is back. */
TWICE uint64_t l2_load(struct machine *m, uint64_t line, uint64_t t, struct path *p)
{
	uint64_t inside, set, tag = l2_tag(m, line);
	struct channel *c = channel_of(m, line, &inside, &set);
	uint64_t s = later(t, c->free);

	path_to(p, CAUSE_CHANNEL_QUEUE, s);
	c->free = s + m->model.l2_line_cycles;
	uint64_t *ready = cache_find(&c->l2, set, tag, 0);
	if (p)
		inside_cache(m, CACHE_L2, c - m->channel, set, ready);
	if (ready) {
		m->sums.l2_hit++;
		path_to(p, CAUSE_L2, s + m->model.l2_latency);
		path_to(p, CAUSE_FILL, *ready);
		return later(s + m->model.l2_latency, *ready);
	}
	m->sums.l2_miss++;
	uint64_t back;
	if (is_system(line)) {
		m->sums.system++;
		back = s + m->model.system_latency;
		path_to(p, CAUSE_SYSTEM, back);
	} else {
		uint64_t start = dram_read(m, &c->dram, inside, s);
		m->sums.dram_read += 1 << m->l2_shift;
		back = start + m->model.dram_latency;
		path_to(p, CAUSE_DRAM_QUEUE, start);
		path_to(p, CAUSE_DRAM, back);
	}
	uint64_t out = cache_insert(&c->l2, set, tag, 0, back);
	if (p)
		inside_evicted(m, CACHE_L2, c - m->channel, set, out);
	evict(m, c, out, s);
	return back;
}

/* A line stored at cycle t: when the channel takes it. */
TWICE uint64_t l2_store(struct machine *m, uint64_t line, uint64_t t, uint64_t cycles, struct path *p)
{
	uint64_t inside, set, tag = l2_tag(m, line);
	struct channel *c = channel_of(m, line, &inside, &set);
	uint64_t s = later(t, c->free);

	path_to(p, CAUSE_CHANNEL_QUEUE, s);
	path_to(p, CAUSE_STORE, s + m->model.store_latency);
	c->free = s + cycles;
	m->sums.l2_write++;
	bool hit = cache_find(&c->l2, set, tag, dirty_bit(m, line));
	if (p)
		inside_cache(m, CACHE_L2, c - m->channel, set, hit);
	if (hit) {
		m->sums.l2_hit++;
	} else {
		m->sums.l2_miss++;
		uint64_t out = cache_insert(&c->l2, set, tag, dirty_bit(m, line), 0);
		if (p)
			inside_evicted(m, CACHE_L2, c - m->channel, set, out);
		evict(m, c, out, s);
	}
	return s;
}

/* An atomic reads and writes its line in L2, one dword of it for `same` lanes in turn; returns when the old values are back. */
TWICE uint64_t l2_atomic(struct machine *m, uint64_t line, uint64_t t, unsigned same, struct path *p)
{
	uint64_t back = l2_load(m, line, t, p), inside, set;
	struct channel *c = channel_of(m, line, &inside, &set);

	uint64_t turns = (same - 1) * m->model.atomic_same_cycles;

	c->free += m->model.atomic_cycles - 1 + turns;
	back += turns;
	path_to(p, CAUSE_CHANNEL_QUEUE, back);
	cache_find(&c->l2, set, l2_tag(m, line), dirty_bit(m, line));
	m->sums.atomics++;
	return back;
}

/* --- L1 ------------------------------------------------------------------------------------------------------------ */
TWICE uint64_t l1_load(struct machine *m, struct cu *cu, uint64_t line, uint64_t t, bool bypass, struct path *p)
{
	uint64_t set = line & (cu->l1.sets - 1), *ready = cache_find(&cu->l1, set, line, 0);

	if (p)
		inside_cache(m, CACHE_L1, cu - m->cu, set, ready && !bypass);
	if (ready && !bypass) {
		m->sums.l1_hit++;
		path_to(p, CAUSE_L1, t + m->model.l1_latency);
		path_to(p, CAUSE_FILL, *ready);
		return later(t + m->model.l1_latency, *ready);
	}
	m->sums.l1_miss++;
	uint64_t back = l2_load(m, line, t, p);
	if (ready) {
		*ready = back;
		return back;
	}
	uint64_t out = cache_insert(&cu->l1, set, line, 0, back);
	if (p)
		inside_evicted(m, CACHE_L1, cu - m->cu, set, out);
	return back;
}

void memory_invalidate_l1(struct wave *w)
{
	cache_clear(&w->simd->cu->l1);
}

/* --- coalescing ---------------------------------------------------------------------------------------------------- */
enum { TABLE = 1024, FEW = 16 /* lines that are looked through one by one */ };

/* The distinct lines of an access, in the order of lanes. */
struct lines {
	uint64_t line[LANES * 4 * 2];
	unsigned count;
	uint64_t last, most;
	bool hashed;
	uint16_t table[TABLE];
	uint8_t same[LANES * 2];  /* atomics: most lanes on one of the line's dwords */
};

static unsigned hash_of(uint64_t line)
{
	return line * 0x9e3779b1u >> 7 & (TABLE - 1);
}

static void enter(struct lines *s, unsigned number)
{
	unsigned h = hash_of(s->line[number]);

	while (s->table[h])
		h = (h + 1) & (TABLE - 1);
	s->table[h] = number + 1;
}

static bool known(struct lines *s, uint64_t line)
{
	if (s->count <= FEW) {
		for (unsigned k = 0; k < s->count; k++)
			if (s->line[k] == line)
				return true;
		return false;
	}
	if (!s->hashed) { /* a table only when neighbours do not tell */
		memset(s->table, 0, sizeof s->table);
		s->hashed = true;
		for (unsigned k = 0; k < s->count; k++)
			enter(s, k);
	}
	for (unsigned h = hash_of(line); s->table[h]; h = (h + 1) & (TABLE - 1))
		if (s->line[s->table[h] - 1] == line)
			return true;
	return false;
}

static inline void add_line(struct lines *s, uint64_t line)
{
	if (line == s->last)
		return;
	s->last = line;
	if (s->count && line <= s->most && known(s, line))
		return;
	s->most = later(s->most, line);
	s->line[s->count++] = line;
	if (s->hashed)
		enter(s, s->count - 1);
}

TWICE void collect(const struct access *x, struct lines *s)
{
	uint32_t span = x->step == x->bytes ? x->elements * x->bytes : x->bytes;
	uint32_t parts = x->step == x->bytes ? 1 : x->elements;

	s->count = 0;
	s->last = UINT64_MAX;
	s->most = 0;
	s->hashed = false;
	for (uint32_t k = 0; k < parts; k++)
		for (uint64_t e = x->heads; e; e &= e - 1) {
			uint64_t at = x->at[__builtin_ctzll(e)] + x->to_phys + (uint64_t)k * x->step, end = (at + span - 1) >> LINE_BITS;
			add_line(s, at >> LINE_BITS);
			if (end != s->last)
				add_line(s, end);
		}
}

TWICE void collect_linear(const struct access *x, struct lines *s)
{
	uint64_t first = (x->at[0] + x->to_phys) >> LINE_BITS;
	uint64_t last = (x->at[LANES - 1] + x->to_phys + x->elements * x->bytes - 1) >> LINE_BITS;

	for (s->count = 0; first <= last; first++)
		s->line[s->count++] = first;
}

/* Counts the lanes on each dword of each line. */
static void collect_same(const struct access *x, struct lines *s)
{
	for (unsigned k = 0; k < s->count; k++) {
		uint8_t lanes[1 << LINE_BITS >> 2] = { 0 };
		s->same[k] = 1;
		if (s->count == (unsigned)__builtin_popcountll(x->memory)) /* a line each */
			continue;
		for (uint64_t e = x->memory; e; e &= e - 1) {
			uint64_t at = x->at[__builtin_ctzll(e)] + x->to_phys;
			if (at >> LINE_BITS == s->line[k] && ++lanes[at >> 2 & (sizeof lanes - 1)] > s->same[k])
				s->same[k] = lanes[at >> 2 & (sizeof lanes - 1)];
		}
	}
}

/* --- vector accesses ----------------------------------------------------------------------------------------------- */
/* The lines pass the L1's address stage one a cycle from t on. Returns when the last of them is back or acknowledged; its way is
 * left in *p. */
TWICE uint64_t pass(struct machine *m, struct cu *cu, const struct inst *i, const struct lines *s, uint64_t t,
	enum memory_kind kind, struct path *p)
{
	bool bypass = i->d.flags & FLAG_GLC;
	uint64_t back = t;
	struct path all, *way = p ? &all : NULL;

	if (p)
		all = *p;
	for (unsigned k = 0; k < s->count; k++) {
		uint64_t at = t + k, done;
		struct path line, *l = way ? &line : NULL;
		if (l)
			line = all;
		path_to(l, CAUSE_L1, at);
		if (kind == MEMORY_LOAD) {
			done = l1_load(m, cu, s->line[k], at, bypass, l);
		} else if (kind == MEMORY_ATOMIC) {
			done = l2_atomic(m, s->line[k], at, s->same[k], l);
			m->launch.end = later(m->launch.end, done);
		} else {
			uint64_t taken = l2_store(m, s->line[k], at, m->model.l2_line_cycles, l);
			if (taken > at + m->model.l2_queue_cycles) {
				if (l)
					inside_stopped(cu, taken - m->model.l2_queue_cycles);
				cu->l1_free = later(cu->l1_free, taken - m->model.l2_queue_cycles);
			}
			done = taken + m->model.store_latency;
			m->launch.end = later(m->launch.end, done);
		}
		if (p && done > back)
			*p = line;
		back = later(back, done);
	}
	return back;
}

TWICE void time_access(struct wave *w, const struct inst *i, const struct access *x, enum memory_kind kind, struct path *p)
{
	struct machine *m = w->m;
	struct cu *cu = w->simd->cu;
	struct lines s;

	if (x->linear)
		collect_linear(x, &s);
	else
		collect(x, &s);
	if (kind == MEMORY_ATOMIC)
		collect_same(x, &s);
	uint64_t t = later(w->last + i->cost, cu->l1_free);
	uint64_t cycles = x->elements > 1 ? m->model.l1_wide_cycles : m->model.l1_dword_cycles;
	path_begin(p, w->last + i->cost);
	if (p)
		inside_address_stage(cu, p, t);
	cu->l1_free = t + later(cycles, s.count);
	uint64_t back = pass(m, cu, i, &s, t, kind, p);
	if (p && kind != MEMORY_LOAD)
		inside_drain(w, p);
	wave_vm_push(w, back);
}

static __attribute__((noinline)) void time_seen(struct wave *w, const struct inst *i, const struct access *x, enum memory_kind kind)
{
	time_access(w, i, x, kind, inside_path(w));
}

void memory_time(struct wave *w, const struct inst *i, const struct access *x, enum memory_kind kind)
{
	if (!w->m->model.timing)
		return;
	if (seen(w->m))
		time_seen(w, i, x, kind);
	else
		time_access(w, i, x, kind, NULL);
}

/* --- scalar accesses ----------------------------------------------------------------------------------------------- */
TWICE uint64_t scalar_line(struct machine *m, struct scalar_cache *c, uint64_t line, uint64_t t, struct path *p)
{
	uint64_t set = line & (c->cache.sets - 1), tag = tag_of(m, line), *ready = cache_find(&c->cache, set, tag, 0);

	if (p)
		inside_cache(m, CACHE_SCALAR, c - m->scalar, set, ready);
	if (ready) {
		m->sums.scalar_hit++;
		path_to(p, CAUSE_SCALAR, t + m->model.scalar_latency);
		path_to(p, CAUSE_FILL, *ready);
		return later(t + m->model.scalar_latency, *ready);
	}
	m->sums.scalar_miss++;
	uint64_t back = l2_load(m, line, t, p) + m->model.scalar_l2_latency - m->model.l2_latency;
	path_close(p, later(back, t));
	uint64_t out = cache_insert(&c->cache, set, tag, 0, later(back, t));
	if (p)
		inside_evicted(m, CACHE_SCALAR, c - m->scalar, set, out);
	return later(back, t);
}

uint64_t memory_fetch(struct machine *m, uint64_t phys, uint64_t t)
{
	struct path way = { .begin = t };
	uint64_t back = l2_load(m, phys >> LINE_BITS, t, seen(m) ? &way : NULL);

	return later(back + m->model.icache_l2_latency - m->model.l2_latency, t);
}

/* Their SGPR offset counts 64 bytes, "consistent with other scratch operations" (Vega ISA 12.6). */
static bool is_scalar_scratch(unsigned op)
{
	return (op >= OP_s_scratch_load_dword && op <= OP_s_scratch_load_dwordx4) ||
	       (op >= OP_s_scratch_store_dword && op <= OP_s_scratch_store_dwordx4);
}

/* The address of a scalar access; false when a buffer descriptor says that it is outside. */
static bool scalar_address(const struct wave *w, const struct inst *i, unsigned dwords, bool buffer, uint64_t *at)
{
	const uint32_t *base = &w->s[i->d.src[0] & 127];
	uint64_t offset = i->d.flags & FLAG_SADDR || !(i->d.flags & FLAG_IMM) ?
		(i->d.src[1] == ISA_NONE ? 0 : *(const uint32_t *)(i->src[1] + ((uintptr_t)w->s & i->rel[1]))) : 0;

	if (is_scalar_scratch(i->d.op))
		offset *= 64;
	if (i->d.flags & FLAG_IMM)
		offset += (int64_t)i->d.imm;
	*at = (((uint64_t)(base[1] & 0xffff) << 32 | base[0]) + offset) & ~UINT64_C(3);
	if (!buffer) {
		*at = (((uint64_t)base[1] << 32 | base[0]) + offset) & ~UINT64_C(3);
		return true;
	}
	uint64_t stride = base[1] >> 16 & 0x3fff, size = stride ? stride * base[2] : base[2];
	return offset + 4 * dwords <= size;
}

static uint64_t scalar_issue(struct wave *w, const struct inst *i)
{
	struct scalar_cache *c = w->simd->cu->scalar;
	uint64_t t = later(w->last + i->cost, c->free);

	if (seen(w->m)) {
		path_begin(inside_path(w), w->last + i->cost);
		path_to(inside_path(w), CAUSE_SCALAR, t);
	}
	c->free = t + 1;
	return t;
}

TWICE uint64_t scalar_lines(struct wave *w, uint64_t phys, unsigned dwords, uint64_t t, struct path *p)
{
	uint64_t back = t;
	struct path all, line, *l = p ? &line : NULL;

	if (p)
		all = *p;
	for (uint64_t k = phys >> LINE_BITS; k <= (phys + 4 * dwords - 1) >> LINE_BITS; k++) {
		if (p)
			line = all;
		uint64_t done = scalar_line(w->m, w->simd->cu->scalar, k, t, l);
		if (p && done > back)
			*p = line;
		back = later(back, done);
	}
	return back;
}

static __attribute__((noinline)) uint64_t scalar_lines_seen(struct wave *w, uint64_t phys, unsigned dwords, uint64_t t)
{
	return scalar_lines(w, phys, dwords, t, inside_path(w));
}

void scalar_load(struct wave *w, const struct inst *i, unsigned dwords, bool buffer)
{
	uint64_t at, t = scalar_issue(w, i);
	uint32_t *out = &w->s[i->d.dst & 127];

	if (!scalar_address(w, i, dwords, buffer, &at)) {
		memset(out, 0, 4 * dwords);
		if (seen(w->m))
			path_to(inside_path(w), CAUSE_SCALAR, t + w->m->model.scalar_latency);
		wave_lgkm_push(w, t + w->m->model.scalar_latency);
		return;
	}
	const struct region *r = vm_find(&w->m->vm, at, 4 * dwords, VM_READ);
	if (!r) {
		machine_fault(w, i, at, 4 * dwords, false);
		return;
	}
	memcpy(out, r->host + (at - r->va), 4 * dwords);
	if (!w->m->model.timing)
		return;
	uint64_t phys = r->phys + (at - r->va);
	wave_lgkm_push(w, seen(w->m) ? scalar_lines_seen(w, phys, dwords, t) : scalar_lines(w, phys, dwords, t, NULL));
}

void scalar_store(struct wave *w, const struct inst *i, unsigned dwords, bool buffer)
{
	uint64_t at, t = scalar_issue(w, i);

	if (!scalar_address(w, i, dwords, buffer, &at)) {
		wave_lgkm_push(w, t);
		return;
	}
	const struct region *r = vm_find(&w->m->vm, at, 4 * dwords, VM_WRITE);
	if (!r) {
		machine_fault(w, i, at, 4 * dwords, true);
		return;
	}
	memcpy(r->host + (at - r->va), &w->s[i->d.src[2] & 127], 4 * dwords);
	if (!w->m->model.timing)
		return;
	struct path *p = seen(w->m) ? inside_path(w) : NULL;
	uint64_t taken = l2_store(w->m, (r->phys + (at - r->va)) >> LINE_BITS, t, w->m->model.l2_line_cycles, p);
	if (p)
		inside_drain(w, p);
	w->m->launch.end = later(w->m->launch.end, taken + w->m->model.store_latency);
	wave_lgkm_push(w, taken + w->m->model.store_latency);
}

uint8_t *scalar_atomic(struct wave *w, const struct inst *i, unsigned bytes, bool buffer)
{
	uint64_t at, t = scalar_issue(w, i);

	if (!scalar_address(w, i, bytes / 4, buffer, &at)) {
		if (i->d.flags & FLAG_GLC)
			memset(&w->s[i->d.dst & 127], 0, bytes);
		wave_lgkm_push(w, t + w->m->model.scalar_latency);
		return NULL;
	}
	const struct region *r = vm_find(&w->m->vm, at, bytes, VM_READ | VM_WRITE);
	if (!r) {
		machine_fault(w, i, at, bytes, true);
		return NULL;
	}
	if (!w->m->model.timing)
		return r->host + (at - r->va);
	uint64_t done = l2_atomic(w->m, (r->phys + (at - r->va)) >> LINE_BITS, t, 1, seen(w->m) ? inside_path(w) : NULL);
	w->m->launch.end = later(w->m->launch.end, done);
	wave_lgkm_push(w, done);
	return r->host + (at - r->va);
}

/* 27 MHz on Vega10. What the launch's own work makes the core clock yield is known at its end only. */
static uint64_t reference_clock(const struct machine *m, uint64_t cycle)
{
	uint64_t ps = sclk_ps(&m->model, cycle, 0);

	return (uint64_t)(((unsigned __int128)m->launch.d->start_ns * 1000 + ps) * 27 / 1000000);
}

void scalar_time(struct wave *w, const struct inst *i, bool real)
{
	const struct machine *m = w->m;
	uint64_t due = w->last + m->model.memtime_cycles, now = m->launch.d->start_cycle + due;

	if (real)
		now = reference_clock(m, due);
	memcpy(&w->s[i->d.dst & 127], &now, sizeof now);
	if (seen(m)) {
		path_begin(inside_path(w), w->last);
		path_to(inside_path(w), CAUSE_SCALAR, due);
	}
	wave_lgkm_push(w, due);
}

void scalar_invalidate(struct wave *w)
{
	cache_clear(&w->simd->cu->scalar->cache);
}

void scalar_flush(struct wave *w)
{
	if (seen(w->m))
		path_begin(inside_path(w), w->next);
	wave_lgkm_push(w, w->next);
}
