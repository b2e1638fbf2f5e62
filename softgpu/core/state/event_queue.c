#include "softgpu/core/state/event_queue.h"

#include <string.h>

static void place_key(struct event_queue *q, uint32_t at, uint64_t key)
{
	q->heap[at] = key;
	q->at[event_key_id(key)] = at;
}

static void sift_up(struct event_queue *q, uint32_t at, uint64_t key)
{
	for (; at > 1 && q->heap[at / 2] > key; at /= 2)
		place_key(q, at, q->heap[at / 2]);
	place_key(q, at, key);
}

static void sift_down(struct event_queue *q, uint32_t at, uint64_t key)
{
	for (uint32_t child; (child = 2 * at) <= q->count; at = child) {
		child += child < q->count && q->heap[child + 1] < q->heap[child];
		if (q->heap[child] >= key)
			break;
		place_key(q, at, q->heap[child]);
	}
	place_key(q, at, key);
}

void event_queue_clear(struct event_queue *q)
{
	memset(q, 0, sizeof *q);
}

void event_queue_set(struct event_queue *q, uint32_t id, cycle_t time)
{
	uint64_t key = event_queue_key(time, id);
	uint32_t at = q->at[id];

	if (!at)
		sift_up(q, ++q->count, key);
	else if (key < q->heap[at])
		sift_up(q, at, key);
	else
		sift_down(q, at, key);
}

void event_queue_lower(struct event_queue *q, uint32_t id, cycle_t time)
{
	if (time < event_queue_time_of(q, id))
		event_queue_set(q, id, time);
}

void event_queue_remove(struct event_queue *q, uint32_t id)
{
	uint32_t at = q->at[id];

	if (!at)
		return;
	uint64_t last = q->heap[q->count--], old = q->heap[at];
	q->at[id] = 0;
	if (at > q->count)
		return;
	if (last < old)
		sift_up(q, at, last);
	else
		sift_down(q, at, last);
}

void event_queue_shift(struct event_queue *q, cycle_t dt)
{
	const struct event_queue before = *q;

	event_queue_clear(q);
	for (uint32_t k = 1; k <= before.count; k++)
		event_queue_set(q, event_key_id(before.heap[k]), (before.heap[k] >> EVENT_ID_BITS) + dt);
}
