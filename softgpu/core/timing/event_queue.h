/* Events in time order: a binary heap in which each of a fixed set of numbers stands at most once, with its time. */
#ifndef SOFTGPU_CORE_TIMING_EVENT_QUEUE_H
#define SOFTGPU_CORE_TIMING_EVENT_QUEUE_H

#include <stdint.h>

enum { EVENT_QUEUE_MAX = 136, EVENT_ID_BITS = 10, EVENT_TIE_BREAK_BITS = 7 };

struct event_queue {
	uint32_t count;
	uint16_t at[EVENT_QUEUE_MAX];       /* position of a number, 0 when it is not in */
	uint64_t heap[EVENT_QUEUE_MAX + 1]; /* from 1: keys */
};

/* Who is first of equal times is drawn by lot for each time anew: of any two numbers below 1 << EVENT_TIE_BREAK_BITS
 * each is as often the first one as the other. Those from there on come behind them. */
static inline uint32_t event_tie_break(uint64_t time)
{
	return (uint32_t)time * 0x9e3779b1u >>
		(32 - EVENT_TIE_BREAK_BITS); /* by the golden ratio: Knuth, Sorting and Searching, 6.4 */
}

/* The place of a number's event among all others. */
static inline uint64_t event_queue_key(uint64_t time, uint32_t id)
{
	return time << EVENT_ID_BITS | (id ^ event_tie_break(time));
}

static inline uint32_t event_key_id(uint64_t key)
{
	return (key & ((1u << EVENT_ID_BITS) - 1)) ^ event_tie_break(key >> EVENT_ID_BITS);
}

/* Key of the first event, UINT64_MAX when there is none. */
static inline uint64_t event_queue_first_key(const struct event_queue *q)
{
	return q->count ? q->heap[1] : UINT64_MAX;
}

/* Its time, UINT64_MAX >> EVENT_ID_BITS when there is none. */
static inline uint64_t event_queue_first_time(const struct event_queue *q)
{
	return event_queue_first_key(q) >> EVENT_ID_BITS;
}

static inline uint32_t event_queue_first_id(const struct event_queue *q)
{
	return event_key_id(q->heap[1]);
}

static inline uint64_t event_queue_time_of(const struct event_queue *q, uint32_t id)
{
	return q->at[id] ? q->heap[q->at[id]] >> EVENT_ID_BITS : UINT64_MAX >> EVENT_ID_BITS;
}

/* Key of the first event but that of `id`; UINT64_MAX when there is none. */
static inline uint64_t event_queue_first_other(const struct event_queue *q, uint32_t id)
{
	if (!q->count || event_queue_first_id(q) != id)
		return event_queue_first_key(q);
	uint64_t a = q->count > 1 ? q->heap[2] : UINT64_MAX, b = q->count > 2 ? q->heap[3] : UINT64_MAX;
	return a < b ? a : b;
}

void event_queue_clear(struct event_queue *q);
/* Inserts the number or changes its time. */
void event_queue_set(struct event_queue *q, uint32_t id, uint64_t time);
/* As event_queue_set when that makes it earlier. */
void event_queue_lower(struct event_queue *q, uint32_t id, uint64_t time);
void event_queue_remove(struct event_queue *q, uint32_t id);
/* Makes every event later by `dt`. */
void event_queue_shift(struct event_queue *q, uint64_t dt);

#endif
