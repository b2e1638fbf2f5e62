#include "softgpu/core/fast/line_pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/fast/bulk_move.h"

enum {
	STRIDE = 64, /* workgroups that pass before their misses are compared */
	BURST = 4,   /* of them, whose loads come before their stores */
	/* If the dispatcher bounds the launch, the bus of DRAM transfers lines in so many percent of the time at most;
	 * the rest is for refresh and turnarounds. A burst of one stride may take more. */
	ROOM = 80,
	ROOM_OF_BURST = 110,
	DRIFT_STRIDES = 16, /* that the drift is about */
	/* If memory bounds the launch, the drift is at most the requests of a stride divided by this: 3 % of all
	 * requests if it lasts. */
	DRIFT_LIMIT = 2,
	/* Each line that the launch stores is written to memory once, but lines leave the caches in bursts of loaded
	 * and of stored ones: so many writes, as a part of the caches' lines, may be too early or too late. */
	WRITES_LIMIT = 8,
};

/* --- time and counts --- */
/* What is put back: the channels' times, the fabric and the counts. */
struct kept_times {
	struct channel channel[MAX_CHANNELS];
	struct fabric fabric;
	struct launch_sums sums;
};

static void keep_times(const struct machine *m, struct kept_times *out)
{
	memcpy(out->channel, m->channel, m->channels * sizeof *m->channel);
	out->fabric = m->fabric;
	out->sums = m->thread.sums;
}

static void restore_times(struct machine *m, const struct kept_times *kept)
{
	memcpy(m->channel, kept->channel, m->channels * sizeof *m->channel);
	m->thread.sums = kept->sums;
	m->fabric = kept->fabric;
	for (uint32_t k = 0; k < m->channels; k++)
		cache_complete_fills(&m->channel[k].l2);
	if (m->model.l3_bytes)
		cache_complete_fills(&m->fabric.tlb);
}

/* Lines that L2 and the Infinity Cache hold. */
static uint64_t count_cache_lines(const struct machine *m)
{
	uint64_t lines = 0;

	for (uint32_t k = 0; k < m->channels; k++)
		lines += (uint64_t)m->channel[k].l2.sets * m->channel[k].l2.ways +
			(uint64_t)m->channel[k].l3.sets * m->channel[k].l3.ways;
	return lines;
}

/* --- the rate --- */
/* How misses, reads and writes of memory have lately differed from what the rate says, and what was read and written.
 * Loads and stores reach the caches in bursts, and what they then replace differs, so this is about the last strides
 * together. */
struct drift {
	int64_t misses, reads, writes;
	uint64_t lines, last_lines; /* last: of the last stride */
};

/* Whether so many lines take at most so many percent of the time of the workgroups. */
static bool is_room_for(
	const struct machine *m, const struct launch_rate *r, uint64_t lines, uint64_t strides, uint64_t percent)
{
	const uint64_t bus = lines * m->rates.dram_line / m->channels >> 10,
		       cycles = rate_of_groups(r, r->cycles, strides * STRIDE);

	return r->is_dispatcher_bound && bus * 100 <= percent * cycles;
}

bool lines_have_room(const struct machine *m, const struct launch_rate *r)
{
	const struct launch_sums *s = (const struct launch_sums *)r->sums;

	return is_room_for(m, r, rate_of_groups(r, s->dram_read + s->dram_write, STRIDE), 1, ROOM);
}

/* Adds what a stride has more than expected, and forgets a part of what was before. */
static void add_to_drift(int64_t *drift, uint64_t count, uint64_t expected)
{
	*drift += (int64_t)(count - expected) - *drift / DRIFT_STRIDES;
}

static void add_stride(struct drift *d, const struct launch_rate *r, const struct launch_sums *s, uint64_t groups)
{
	const struct launch_sums *rate = (const struct launch_sums *)r->sums;

	add_to_drift(&d->misses, s->l2_miss, rate_of_groups(r, rate->l2_miss, groups));
	add_to_drift(&d->reads, s->dram_read, rate_of_groups(r, rate->dram_read, groups));
	add_to_drift(&d->writes, s->dram_write, rate_of_groups(r, rate->dram_write, groups));
	d->last_lines = s->dram_read + s->dram_write;
	d->lines += d->last_lines - d->lines / DRIFT_STRIDES;
}

static bool is_small_drift(int64_t drift, uint64_t limit)
{
	return (uint64_t)llabs(drift) <= limit;
}

/* Whether the rate still holds after a stride with so many requests. */
static bool is_rate_kept(const struct machine *m, const struct launch_rate *r, const struct drift *d, uint64_t requests)
{
	const uint64_t limit = requests / DRIFT_LIMIT;

	return (is_room_for(m, r, d->lines, DRIFT_STRIDES, ROOM) &&
		       is_room_for(m, r, d->last_lines, 1, ROOM_OF_BURST)) ||
		(r->is_steady && is_small_drift(d->misses, limit) && is_small_drift(d->reads, limit) &&
			is_small_drift(d->writes, max_u64(limit, count_cache_lines(m) / WRITES_LIMIT)));
}

/* --- passing --- */
/* Returns the requests; m->thread.sums has the counts. */
static uint64_t request_stride(struct launch *n, uint64_t first, uint64_t groups, cycle_t t)
{
	uint64_t requests = 0;

	memset(&n->m->thread.sums, 0, sizeof n->m->thread.sums);
	for (uint64_t k = 0; k < groups; k += BURST)
		requests += bulk_move_request_lines(n, first + k, first + min_u64(k + BURST, groups), t);
	return requests;
}

static void count_stride(struct passed_lines *p, const struct launch_sums *s, uint64_t groups)
{
	p->groups += groups;
	p->misses += s->l2_miss;
	p->reads += s->dram_read;
	p->writes += s->dram_write;
}

/* Once the caches hold lines of these workgroups only (twice as many have passed, for sets that get fewer), each
 * further line misses, and only the last ones count. */
static struct passed_lines pass_strides(
	struct launch *n, const struct launch_rate *r, uint64_t first, uint64_t end, cycle_t t)
{
	const struct machine *m = n->m;
	struct drift drift = {0};
	struct passed_lines p = {.end = first};
	uint64_t lines = 2 * count_cache_lines(m);

	while (p.end < end) {
		const uint64_t groups = min_u64(STRIDE, end - p.end), requests = request_stride(n, p.end, groups, t);
		p.end += groups;
		count_stride(&p, &m->thread.sums, groups);
		add_stride(&drift, r, &m->thread.sums, groups);
		if (!is_rate_kept(m, r, &drift, requests))
			break;
		if (p.misses >= lines && end - p.end > p.groups) {
			p.end = end - p.groups;
			lines = UINT64_MAX;
		}
	}
	return p;
}

struct passed_lines lines_pass(struct launch *n, const struct launch_rate *r, uint64_t first, uint64_t end, cycle_t t)
{
	struct kept_times kept;

	keep_times(n->m, &kept);
	const struct passed_lines p = pass_strides(n, r, first, end, t);
	restore_times(n->m, &kept);
	return p;
}
