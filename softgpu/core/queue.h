/* Events in time order: a binary heap in which each of a fixed set of numbers stands at most once, with its time. */
#ifndef SOFTGPU_CORE_QUEUE_H
#define SOFTGPU_CORE_QUEUE_H

#include <stdint.h>

enum { QUEUE_MAX = 136, QUEUE_ID_BITS = 10, QUEUE_FAIR_BITS = 7 };

struct queue {
	uint32_t count;
	uint16_t at[QUEUE_MAX];       /* position of a number, 0 when it is not in */
	uint64_t heap[QUEUE_MAX + 1]; /* from 1: keys */
};

/* Who is first of equal times is drawn by lot for each time anew: of any two numbers below 1 << QUEUE_FAIR_BITS each is
 * as often the first one as the other. Those from there on come behind them. */
static inline uint32_t queue_lot(uint64_t time)
{
	return (uint32_t)time * 0x9e3779b1u >>
		(32 - QUEUE_FAIR_BITS); /* by the golden ratio: Knuth, Sorting and Searching, 6.4 */
}

/* The place of a number's event among all others. */
static inline uint64_t queue_key(uint64_t time, uint32_t id)
{
	return time << QUEUE_ID_BITS | (id ^ queue_lot(time));
}

static inline uint32_t queue_id(uint64_t key)
{
	return (key & ((1u << QUEUE_ID_BITS) - 1)) ^ queue_lot(key >> QUEUE_ID_BITS);
}

/* Key of the first event, UINT64_MAX when there is none. */
static inline uint64_t queue_first_key(const struct queue *q)
{
	return q->count ? q->heap[1] : UINT64_MAX;
}

/* Its time, UINT64_MAX >> QUEUE_ID_BITS when there is none. */
static inline uint64_t queue_time(const struct queue *q)
{
	return queue_first_key(q) >> QUEUE_ID_BITS;
}

static inline uint32_t queue_first(const struct queue *q)
{
	return queue_id(q->heap[1]);
}

static inline uint64_t queue_time_of(const struct queue *q, uint32_t id)
{
	return q->at[id] ? q->heap[q->at[id]] >> QUEUE_ID_BITS : UINT64_MAX >> QUEUE_ID_BITS;
}

/* Key of the first event but that of `id`; UINT64_MAX when there is none. */
static inline uint64_t queue_limit(const struct queue *q, uint32_t id)
{
	if (!q->count || queue_first(q) != id)
		return queue_first_key(q);
	uint64_t a = q->count > 1 ? q->heap[2] : UINT64_MAX, b = q->count > 2 ? q->heap[3] : UINT64_MAX;
	return a < b ? a : b;
}

void queue_clear(struct queue *q);
/* Inserts the number or changes its time. */
void queue_set(struct queue *q, uint32_t id, uint64_t time);
/* As queue_set when that makes it earlier. */
void queue_lower(struct queue *q, uint32_t id, uint64_t time);
void queue_remove(struct queue *q, uint32_t id);
/* Makes every event later by `dt`. */
void queue_shift(struct queue *q, uint64_t dt);

#endif
