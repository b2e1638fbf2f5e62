/* A queue that all channels share, if channels are ideal: it serves as much in a cycle as they do together, whatever
 * the addresses. Requests come in any order of time, so it has a backlog, and none of them reserves a time. */
#ifndef SOFTGPU_CORE_STATE_POOLED_QUEUE_H
#define SOFTGPU_CORE_STATE_POOLED_QUEUE_H

#include <stdint.h>

/* Times are in 1/1024 cycle. */
struct pooled_queue {
	uint64_t latest;  /* the latest time of a request */
	uint64_t backlog; /* work that was left then */
};

/* A request for so much work at time t; returns when its turn comes. */
static inline uint64_t pooled_queue_take(struct pooled_queue *q, uint64_t t, uint64_t work)
{
	if (t > q->latest) {
		const uint64_t done = t - q->latest;
		q->backlog -= done < q->backlog ? done : q->backlog;
		q->latest = t;
	}
	q->backlog += work;
	return t + q->backlog - work;
}

#endif
