/* What a CU asks of L2 in a window where clusters run apart, and times that depend on it.
 *
 * A time that is not known yet is a number from CYCLE_UNKNOWN on: of a request of the cluster, or, further on, of a
 * completion. Both are numbers of this window; none is left after it. A maximum of two times is right if one of them is
 * known and earlier than the other can be; where it may not be, a completion takes both (due_add). */
#ifndef SOFTGPU_CORE_TIMING_WINDOW_LOG_H
#define SOFTGPU_CORE_TIMING_WINDOW_LOG_H

#include "base/min_max.h"
#include "softgpu/core/state/machine.h"

#define COMPLETION_BASE (CYCLE_UNKNOWN + CYCLE_UNKNOWN / 2)

static inline bool cycle_is_unknown(cycle_t t)
{
	return __builtin_expect(t >= CYCLE_UNKNOWN, 0);
}

#define CLUSTER_APPEND(list)                                                                                \
	(__builtin_expect((list).count == (list).room, 0)                                                   \
			? (void)((list).at = cluster_grow_list((list).at, &(list).room, sizeof *(list).at)) \
			: (void)0,                                                                          \
		&(list).at[(list).count++])

static inline uint64_t cluster_key(const struct cluster *c)
{
	return event_queue_key(c->running->scheduler.now, c->running - c->running->m->cu);
}

/* A request of the CU that runs; returns its time. The caller sets what else it needs. */
static inline struct l2_request *l2_ask(
	struct cluster *c, enum request_kind kind, uint64_t line, cycle_t t, int64_t extra, cycle_t *due)
{
	struct l2_request *r = CLUSTER_APPEND(c->request);

	*due = CYCLE_UNKNOWN + c->request.count - 1;
	*r = (struct l2_request){.key = cluster_key(c), .line = line, .at = t, .extra = extra, .kind = kind, .same = 1};
	return r;
}

static inline cycle_t l2_ask_load(struct cluster *c, uint64_t line, cycle_t t)
{
	cycle_t due;

	l2_ask(c, REQUEST_LOAD, line, t, 0, &due);
	return due;
}

/* A load into a cache whose way to L2 takes `latency`: l2_arrival_by. */
static inline cycle_t l2_ask_load_by(
	const struct machine *m, struct cluster *c, uint64_t line, cycle_t t, cycle_t latency)
{
	cycle_t due;

	l2_ask(c, REQUEST_LOAD, line, t, (int64_t)latency - m->model.l2_latency, &due)->floor = t;
	return due;
}

/* memory: whose address stage a full channel stops; NULL: none. */
static inline cycle_t l2_ask_store(
	const struct machine *m, struct cluster *c, struct cu_memory *memory, uint64_t line, cycle_t t)
{
	cycle_t due;

	l2_ask(c, REQUEST_STORE, line, t, m->model.store_latency, &due)->memory = memory;
	return due;
}

static inline cycle_t l2_ask_atomic(struct cluster *c, uint64_t line, cycle_t t, unsigned same)
{
	cycle_t due;

	l2_ask(c, REQUEST_ATOMIC, line, t, 0, &due)->same = same;
	return due;
}

/* The later of a known time and one that is not. */
static inline cycle_t due_not_before(struct cluster *c, cycle_t known, cycle_t unknown)
{
	cycle_t due;

	l2_ask(c, REQUEST_LATER, unknown - CYCLE_UNKNOWN, 0, 0, &due)->floor = known;
	return due;
}

/* --- completions --- */
struct due {
	cycle_t known;
	size_t first;
};

static inline struct due due_begin(const struct cluster *c, cycle_t known)
{
	return (struct due){known, c->part.count};
}

/* The access also waits for this: a known time, or a request. */
static inline void due_add(struct cluster *c, struct due *d, cycle_t t)
{
	if (t < CYCLE_UNKNOWN)
		d->known = max_u64(d->known, t);
	else
		*CLUSTER_APPEND(c->part) = t - CYCLE_UNKNOWN;
}

static inline cycle_t due_end(struct cluster *c, const struct due *d)
{
	if (c->part.count == d->first)
		return d->known;
	*CLUSTER_APPEND(c->completion) =
		(struct completion){.floor = d->known, .first = d->first, .count = c->part.count - d->first};
	return COMPLETION_BASE + c->completion.count - 1;
}

static inline struct completion *completion_of(const struct cluster *c, cycle_t due)
{
	return &c->completion.at[due - COMPLETION_BASE];
}

/* The later of a time that due_end returned and a known one. */
static inline cycle_t due_raise(struct cluster *c, cycle_t due, cycle_t known)
{
	if (due < CYCLE_UNKNOWN)
		return max_u64(due, known);
	completion_of(c, due)->floor = max_u64(completion_of(c, due)->floor, known);
	return due;
}

/* A line that was just inserted into the set of a cache, or that `ready` says was loaded again, arrives at `due`. */
static inline void fill_later(struct cluster *c, uint64_t *ready, cycle_t due)
{
	*CLUSTER_APPEND(c->fill) = (struct pending_fill){ready, due};
}
static inline void fill_newest_later(struct cluster *c, const struct cache *k, uint64_t set, cycle_t due)
{
	fill_later(c, k->ready + set * k->ways + *(const uint32_t *)(k->set + set * k->set_bytes + k->newest_at), due);
}

/* The wave continues when its accesses complete: those that its counters say have completed, with `ends` all of them.
 * Its `next` must be set to CYCLE_UNKNOWN. */
static inline void cluster_wait(struct wave *w, cycle_t known, cycle_t extra, cycle_t fetch, bool ends)
{
	struct cu *cu = w->simd->cu;

	*CLUSTER_APPEND(cu->cluster->waiting) = (struct waiting_wave){w, known, extra, fetch, ends};
	cu->waiting++;
}

/* The wave has ended at cycle t, and with `last` its workgroup. */
static inline void cluster_note_end(struct wave *w, cycle_t t, bool last)
{
	struct cluster *c = w->simd->cu->cluster;

	*CLUSTER_APPEND(c->ended) = (struct ended_wave){cluster_key(c), t, w, last};
}

#endif
