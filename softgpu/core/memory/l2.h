/* L2 and DRAM: when a load, store or atomic of a line completes. Lines are physical addresses shifted by LINE_BITS. A
 * header, because vector accesses, scalar accesses and fetches inline it. */
#ifndef SOFTGPU_CORE_MEMORY_L2_H
#define SOFTGPU_CORE_MEMORY_L2_H

#include "base/min_max.h"
#include "softgpu/core/memory/dram.h"
#include "softgpu/core/memory/fabric.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/state/machine.h"

enum { LINE_BITS = 6, SYSTEM_BIT = 40 /* of a line: host memory */, EPOCH_BIT = 44 };

/* The pipeline is instantiated twice: with p NULL, and recording the path of an access (profiler.h). */
#define PROFILED_VARIANT static inline __attribute__((always_inline))

/* The number of the line's channel; *round: how many blocks of interleaving the channel has before the line's. With
 * l2_channel_hash, address bits from 16, 21 and 30 on select the channel, too, as AMD's data fabric hashes them (Linux,
 * drivers/ras/amd/atl/map.c). */
static inline uint32_t l2_channel_number(const struct machine *m, uint64_t line, uint64_t *round)
{
	uint64_t block = line >> (m->interleave_shift - LINE_BITS);

	if (__builtin_expect(!m->channel_reciprocal, 1)) {
		*round = block >> __builtin_ctz(m->channels);
		if (m->model.l2_channel_hash)
			block ^= block >> 8 ^ block >> 13 ^ block >> 22;
		return block & (m->channels - 1);
	}
	*round = (unsigned __int128)block * m->channel_reciprocal >> 64;
	return block - *round * m->channels;
}

/* The set of the line of L2 with this number in its channel. With l2_set_hash, all bits of the number select it. */
static inline uint64_t l2_set_of(const struct machine *m, const struct channel *c, uint64_t number)
{
	if (m->model.l2_set_hash) {
		number *= UINT64_C(0x9e3779b97f4a7c15);
		number ^= number >> 32;
		number *= UINT64_C(0xd6e8feb86659fd93);
		number >>= 32;
	}
	return number & (c->l2.sets - 1);
}

/* The line's channel, its number within the channel, and its set there. */
static inline struct channel *l2_channel_of(struct machine *m, uint64_t line, uint64_t *inside, uint64_t *set)
{
	unsigned fine = m->interleave_shift - LINE_BITS;
	uint64_t round;
	struct channel *c = &m->channel[l2_channel_number(m, line, &round)];

	*inside = round << fine | (line & ((UINT64_C(1) << fine) - 1));
	*set = l2_set_of(m, c, *inside >> m->l2_shift);
	return c;
}

static inline bool l2_line_is_host(uint64_t line)
{
	return line >> SYSTEM_BIT & 1;
}

/* Host memory may change between launches: its cached lines are valid for one launch only. */
static inline uint64_t l2_host_epoch_tag(const struct machine *m, uint64_t line)
{
	return l2_line_is_host(line) ? line | m->host_epoch << EPOCH_BIT : line;
}

/* Writes the dirty halves of an evicted line to DRAM. */
static inline void l2_write_back(struct machine *m, struct channel *c, uint64_t tag, cycle_t at)
{
	unsigned halves = __builtin_popcountll(tag & CACHE_DIRTY);
	uint64_t inside, set;
	l2_channel_of(m, ((tag & ~CACHE_MARKS) - 1) << m->l2_shift, &inside, &set);
	uint64_t limit = m->model.dram_queue_cycles, end = dram_write(m, &c->dram, inside, halves, at);
	m->thread.sums.dram_write += halves;
	if (end <= at + limit)
		return;
	if (model_is_ideal(&m->model, IDEAL_channels))
		m->pooled.banks.backlog = max_u64(m->pooled.banks.backlog, (end - limit - at) << 10);
	for (unsigned k = 0; k < L2_BANKS_MAX; k++)
		c->bank[k].free = max_u64(c->bank[k].free, end - limit);
}

/* The set of a line of L2 in its channel's part of L3. */
static inline uint64_t l3_set_of(struct machine *m, struct channel *c, uint64_t line)
{
	uint64_t inside, set;

	l2_channel_of(m, line << m->l2_shift, &inside, &set);
	return inside >> m->l2_shift & (c->l3.sets - 1);
}

/* The channel's part of L3 transfers so many lines of 64 bytes from time t on, in 1/1024 cycle; returns when it begins.
 */
static inline uint64_t l3_reserve(struct machine *m, struct channel *c, uint64_t t, unsigned lines)
{
	const uint64_t work = m->rates.l3_line * lines;

	if (model_is_ideal(&m->model, IDEAL_channels))
		return pooled_queue_take(&m->pooled.l3, t, work / m->channels);
	t = max_u64(t, c->l3_free);
	c->l3_free = t + work;
	return t;
}

/* L2 evicts a line. L3 takes it if it has been written. */
static inline void l2_evict(struct machine *m, struct channel *c, uint64_t tag, cycle_t at)
{
	const uint64_t line = (tag & ~CACHE_MARKS) - 1, dirty = tag & CACHE_DIRTY;

	if (!dirty || l2_line_is_host(line))
		return;
	if (!c->l3.sets) {
		l2_write_back(m, c, tag, at);
		return;
	}
	const uint64_t set = l3_set_of(m, c, line);
	l3_reserve(m, c, at << 10, __builtin_popcountll(dirty));
	uint64_t *there = cache_find_tag(&c->l3, set, line);
	if (there) {
		*there |= dirty;
		return;
	}
	const uint64_t out = cache_insert(&c->l3, set, line, dirty, 0);
	if (out & CACHE_DIRTY)
		l2_write_back(m, c, out, at);
}

/* The line of a load that misses L2 in L3; returns when its data is back, 0: L3 does not have it and fetches it. */
static inline cycle_t l3_find(struct machine *m, struct channel *c, uint64_t tag, cycle_t t)
{
	const uint64_t set = l3_set_of(m, c, tag), start = l3_reserve(m, c, t << 10, 1 << m->l2_shift);

	if (cache_find(&c->l3, set, tag))
		return (start >> 10) + m->model.l3_latency;
	const uint64_t out = cache_insert(&c->l3, set, tag, 0, 0);
	if (out & CACHE_DIRTY)
		l2_write_back(m, c, out, t);
	return 0;
}

/* The tag of the line in L2, and the dirty bit of its half. */
static inline uint64_t l2_tag(const struct machine *m, uint64_t line)
{
	return l2_host_epoch_tag(m, line >> m->l2_shift | (line & UINT64_C(1) << SYSTEM_BIT));
}

static inline uint64_t l2_dirty_bit(const struct machine *m, uint64_t line)
{
	return UINT64_C(1) << (62 + (line & m->l2_shift));
}

/* When data that l2_load has at `back` reaches a cache whose way to L2 takes `latency` instead of the vector L1's; not
 * before t. A user may set latencies in any order. */
static inline cycle_t l2_arrival_by(const struct machine *m, cycle_t back, cycle_t latency, cycle_t t)
{
	return max_u64(back + latency, t + (cycle_t)m->model.l2_latency) - (cycle_t)m->model.l2_latency;
}

/* The bank of the line. */
static inline struct l2_bank *l2_bank_of(const struct machine *m, struct channel *c, uint64_t line)
{
	return &c->bank[m->model.l2_banks > 1 ? line & 1 : 0];
}

/* The work of a bank for so many cycles, for all banks together. */
static inline uint64_t l2_pooled_work(const struct machine *m, cycle_t cycles)
{
	return (cycles << 10) / (m->channels * max_u64(m->model.l2_banks, 1));
}

/* When the line's bank serves a request of cycle t; it is then busy for so many cycles, and with what it loses between
 * requests. */
static inline cycle_t l2_reserve_bank(struct machine *m, struct channel *c, uint64_t line, cycle_t t, cycle_t cycles)
{
	if (__builtin_expect(model_is_ideal(&m->model, IDEAL_channels), 0))
		return pooled_queue_take(&m->pooled.banks, t << 10, l2_pooled_work(m, cycles)) >> 10;
	struct l2_bank *b = l2_bank_of(m, c, line);
	const cycle_t s = max_u64(t, b->free);
	b->free = s + cycles;
	b->lost += m->rates.l2_lost * cycles;
	b->free += b->lost >> 10;
	b->lost &= 1023;
	return s;
}

/* The bank that served the line's last request is busy for longer. */
static inline void l2_extend_bank(struct machine *m, struct channel *c, uint64_t line, cycle_t cycles)
{
	if (__builtin_expect(model_is_ideal(&m->model, IDEAL_channels), 0))
		m->pooled.banks.backlog += l2_pooled_work(m, cycles);
	else
		l2_bank_of(m, c, line)->free += cycles;
}

/* Loads a line at cycle t; returns when its data is back. */
PROFILED_VARIANT cycle_t l2_load(struct machine *m, uint64_t line, cycle_t t, struct access_path *p)
{
	uint64_t inside, set, tag = l2_tag(m, line);
	struct channel *c = l2_channel_of(m, line, &inside, &set);
	const cycle_t s = l2_reserve_bank(m, c, line, t, m->model.l2_line_cycles);

	access_path_add(p, STALL_CHANNEL_QUEUE, s);
	uint64_t *ready = cache_find(&c->l2, set, tag);
	if (p)
		profiler_record_cache(m, CACHE_L2, c - m->channel, set, ready);
	if (ready) {
		m->thread.sums.l2_hit++;
		access_path_add(p, STALL_L2, s + m->model.l2_latency);
		access_path_add(p, STALL_FILL, *ready);
		return max_u64(s + m->model.l2_latency, *ready);
	}
	m->thread.sums.l2_miss++;
	if (__builtin_expect(model_is_ideal(&m->model, IDEAL_l2), 0)) {
		cache_insert(&c->l2, set, tag, 0, 0);
		access_path_add(p, STALL_L2, s + m->model.l2_latency);
		return s + m->model.l2_latency;
	}
	uint64_t back = 0, delay = 0;
	if (c->l3.sets && !l2_line_is_host(line)) {
		delay = fabric_delay_request(m, s);
		back = l3_find(m, c, tag, s);
	}
	if (back) {
		back += delay;
		access_path_add(p, STALL_L3, back);
	} else if (l2_line_is_host(line)) {
		m->thread.sums.system++;
		back = s + m->model.system_latency;
		access_path_add(p, STALL_SYSTEM, back);
	} else {
		uint64_t start = dram_read(m, &c->dram, inside, s);
		m->thread.sums.dram_read += 1 << m->l2_shift;
		if (c->l3.sets)
			delay += fabric_delay_translation(m, line, s, m->model.dram_latency + delay);
		back = start + m->model.dram_latency + delay;
		access_path_add(p, STALL_DRAM_QUEUE, start);
		access_path_add(p, STALL_DRAM, back);
	}
	uint64_t out = cache_insert(&c->l2, set, tag, 0, back);
	if (p)
		profiler_record_eviction(m, CACHE_L2, c - m->channel, set, out);
	l2_evict(m, c, out, s);
	return back;
}

/* Stores a line at cycle t; returns when the channel accepts it. */
PROFILED_VARIANT cycle_t l2_store(struct machine *m, uint64_t line, cycle_t t, cycle_t cycles, struct access_path *p)
{
	uint64_t inside, set, tag = l2_tag(m, line);
	struct channel *c = l2_channel_of(m, line, &inside, &set);
	const cycle_t s = l2_reserve_bank(m, c, line, t, cycles);

	access_path_add(p, STALL_CHANNEL_QUEUE, s);
	access_path_add(p, STALL_STORE, s + m->model.store_latency);
	m->thread.sums.l2_store++;
	uint64_t *hit = cache_find_tag(&c->l2, set, tag), dirty = l2_dirty_bit(m, line);
	if (p)
		profiler_record_cache(m, CACHE_L2, c - m->channel, set, hit);
	if (hit) {
		m->thread.sums.l2_hit++;
		m->thread.sums.l2_written += cache_write(&c->l2, hit, dirty);
	} else {
		m->thread.sums.l2_miss++;
		m->thread.sums.l2_written++;
		uint64_t out = cache_insert(&c->l2, set, tag, cache_marks_of_write(dirty), 0);
		if (p)
			profiler_record_eviction(m, CACHE_L2, c - m->channel, set, out);
		if (!model_is_ideal(&m->model, IDEAL_l2))
			l2_evict(m, c, out, s);
	}
	return s;
}

/* An atomic reads and writes its line in L2; `same` lanes access one dword, one after the other. Returns when the old
 * values are back. */
PROFILED_VARIANT cycle_t l2_atomic(struct machine *m, uint64_t line, cycle_t t, unsigned same, struct access_path *p)
{
	uint64_t back = l2_load(m, line, t, p), inside, set;
	struct channel *c = l2_channel_of(m, line, &inside, &set);

	uint64_t serial = (same - 1) * m->model.atomic_same_cycles;

	l2_extend_bank(m, c, line, m->model.atomic_cycles - 1 + serial);
	back += serial;
	access_path_add(p, STALL_CHANNEL_QUEUE, back);
	m->thread.sums.l2_written +=
		cache_write(&c->l2, cache_find_tag(&c->l2, set, l2_tag(m, line)), l2_dirty_bit(m, line));
	m->thread.sums.atomics++;
	return back;
}

#endif
