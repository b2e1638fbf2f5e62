#include "softgpu/core/queue.h"

#include <string.h>

static void put(struct queue *q, uint32_t at, uint64_t key)
{
	q->heap[at] = key;
	q->at[queue_id(key)] = at;
}

static void up(struct queue *q, uint32_t at, uint64_t key)
{
	for (; at > 1 && q->heap[at / 2] > key; at /= 2)
		put(q, at, q->heap[at / 2]);
	put(q, at, key);
}

static void down(struct queue *q, uint32_t at, uint64_t key)
{
	for (uint32_t child; (child = 2 * at) <= q->count; at = child) {
		child += child < q->count && q->heap[child + 1] < q->heap[child];
		if (q->heap[child] >= key)
			break;
		put(q, at, q->heap[child]);
	}
	put(q, at, key);
}

void queue_clear(struct queue *q)
{
	memset(q, 0, sizeof *q);
}

void queue_set(struct queue *q, uint32_t id, uint64_t time)
{
	uint64_t key = queue_key(time, id);
	uint32_t at = q->at[id];

	if (!at)
		up(q, ++q->count, key);
	else if (key < q->heap[at])
		up(q, at, key);
	else
		down(q, at, key);
}

void queue_lower(struct queue *q, uint32_t id, uint64_t time)
{
	if (time < queue_time_of(q, id))
		queue_set(q, id, time);
}

void queue_remove(struct queue *q, uint32_t id)
{
	uint32_t at = q->at[id];

	if (!at)
		return;
	uint64_t last = q->heap[q->count--], old = q->heap[at];
	q->at[id] = 0;
	if (at > q->count)
		return;
	if (last < old)
		up(q, at, last);
	else
		down(q, at, last);
}

void queue_shift(struct queue *q, uint64_t dt)
{
	const struct queue before = *q;

	queue_clear(q);
	for (uint32_t k = 1; k <= before.count; k++)
		queue_set(q, queue_id(before.heap[k]), (before.heap[k] >> QUEUE_ID_BITS) + dt);
}
