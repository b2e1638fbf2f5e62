/* Events in time order: a binary heap in which each of a fixed set of numbers stands at most once, with its time. */
#ifndef SOFTGPU_CORE_QUEUE_H
#define SOFTGPU_CORE_QUEUE_H

#include <stdint.h>

enum { QUEUE_MAX = 136, QUEUE_ID_BITS = 10 };

struct queue {
	uint32_t count;
	uint16_t at[QUEUE_MAX];        /* position of a number, 0 when it is not in */
	uint64_t heap[QUEUE_MAX + 1];  /* from 1: time << QUEUE_ID_BITS | number; equal times in the order of numbers */
};

/* Time of the first event, UINT64_MAX >> QUEUE_ID_BITS when there is none. */
static inline uint64_t queue_time(const struct queue *q)
{
	return (q->count ? q->heap[1] : UINT64_MAX) >> QUEUE_ID_BITS;
}

static inline uint32_t queue_first(const struct queue *q)
{
	return q->heap[1] & ((1u << QUEUE_ID_BITS) - 1);
}

static inline uint64_t queue_time_of(const struct queue *q, uint32_t id)
{
	return q->at[id] ? q->heap[q->at[id]] >> QUEUE_ID_BITS : UINT64_MAX >> QUEUE_ID_BITS;
}

/* Time of the first event but that of `id`. */
static inline uint64_t queue_limit(const struct queue *q, uint32_t id)
{
	if (!q->count || queue_first(q) != id)
		return queue_time(q);
	uint64_t a = q->count > 1 ? q->heap[2] : UINT64_MAX, b = q->count > 2 ? q->heap[3] : UINT64_MAX;
	return (a < b ? a : b) >> QUEUE_ID_BITS;
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
