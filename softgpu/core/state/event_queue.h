/* The event queue: a binary heap of (time, id) in time order. Each id occurs at most once. Ids are small numbers: the
 * CUs and the dispatcher. */
#ifndef SOFTGPU_CORE_TIMING_EVENT_QUEUE_H
#define SOFTGPU_CORE_TIMING_EVENT_QUEUE_H

#include "softgpu/core/time_types.h"

enum { EVENT_QUEUE_MAX = 136, EVENT_ID_BITS = 10, EVENT_TIE_BREAK_BITS = 7 };

struct event_queue {
	uint32_t count;
	uint16_t at[EVENT_QUEUE_MAX];       /* heap position of an id; 0: not queued */
	uint64_t heap[EVENT_QUEUE_MAX + 1]; /* keys, from index 1 */
};

/* Breaks ties between events of the same time, pseudo-randomly per time: of any two ids below
 * 1 << EVENT_TIE_BREAK_BITS, each comes first equally often. Larger ids come last. */
static inline uint32_t event_tie_break(cycle_t time)
{
	return (uint32_t)time * 0x9e3779b1u >>
		(32 - EVENT_TIE_BREAK_BITS); /* multiplicative hashing: Knuth, Sorting and Searching, 6.4 */
}

/* The sort key of an event. */
static inline uint64_t event_queue_key(cycle_t time, uint32_t id)
{
	return time << EVENT_ID_BITS | (id ^ event_tie_break(time));
}

static inline uint32_t event_key_id(uint64_t key)
{
	return (key & ((1u << EVENT_ID_BITS) - 1)) ^ event_tie_break(key >> EVENT_ID_BITS);
}

/* Key of the first event; UINT64_MAX if the queue is empty. */
static inline uint64_t event_queue_first_key(const struct event_queue *q)
{
	return q->count ? q->heap[1] : UINT64_MAX;
}

/* Its time; UINT64_MAX >> EVENT_ID_BITS if the queue is empty. */
static inline cycle_t event_queue_first_time(const struct event_queue *q)
{
	return event_queue_first_key(q) >> EVENT_ID_BITS;
}

static inline uint32_t event_queue_first_id(const struct event_queue *q)
{
	return event_key_id(q->heap[1]);
}

static inline cycle_t event_queue_time_of(const struct event_queue *q, uint32_t id)
{
	return q->at[id] ? q->heap[q->at[id]] >> EVENT_ID_BITS : UINT64_MAX >> EVENT_ID_BITS;
}

/* Key of the first event of another id; UINT64_MAX: none. */
static inline uint64_t event_queue_first_other(const struct event_queue *q, uint32_t id)
{
	if (!q->count || event_queue_first_id(q) != id)
		return event_queue_first_key(q);
	uint64_t a = q->count > 1 ? q->heap[2] : UINT64_MAX, b = q->count > 2 ? q->heap[3] : UINT64_MAX;
	return a < b ? a : b;
}

void event_queue_clear(struct event_queue *q);
/* Inserts an event or changes its time. */
void event_queue_set(struct event_queue *q, uint32_t id, cycle_t time);
/* Like event_queue_set, but only if that makes the event earlier. */
void event_queue_lower(struct event_queue *q, uint32_t id, cycle_t time);
void event_queue_remove(struct event_queue *q, uint32_t id);
/* Delays every event by `dt`. */
void event_queue_shift(struct event_queue *q, cycle_t dt);

#endif
