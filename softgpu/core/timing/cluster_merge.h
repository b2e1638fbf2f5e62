/* Goes through lists of all clusters, each in the order of its keys, in the order of all keys: a heap of the clusters
 * by the key that comes next in each. */
#ifndef SOFTGPU_CORE_TIMING_CLUSTER_MERGE_H
#define SOFTGPU_CORE_TIMING_CLUSTER_MERGE_H

#include <stdint.h>

#include "softgpu/core/state/machine_limits.h"

struct cluster_merge {
	uint32_t count;
	struct cluster_turn {
		uint64_t key;
		uint32_t cluster;
		uint32_t next; /* place in its list */
	} turn[MAX_CUS];
};

static inline void cluster_merge_sift_down(struct cluster_merge *q, uint32_t k)
{
	const struct cluster_turn moved = q->turn[k];

	for (uint32_t child; (child = 2 * k + 1) < q->count; k = child) {
		child += child + 1 < q->count && q->turn[child + 1].key < q->turn[child].key;
		if (moved.key <= q->turn[child].key)
			break;
		q->turn[k] = q->turn[child];
	}
	q->turn[k] = moved;
}

/* Adds a cluster whose first key this is; all of them before the first turn is taken. */
static inline void cluster_merge_add(struct cluster_merge *q, uint32_t cluster, uint64_t key)
{
	uint32_t k = q->count++;

	for (; k && key < q->turn[(k - 1) / 2].key; k = (k - 1) / 2)
		q->turn[k] = q->turn[(k - 1) / 2];
	q->turn[k] = (struct cluster_turn){key, cluster, 0};
}

/* The first turn goes to the next one of its list, which has this key. */
static inline void cluster_merge_advance(struct cluster_merge *q, uint64_t key)
{
	q->turn[0].key = key;
	q->turn[0].next++;
	cluster_merge_sift_down(q, 0);
}

/* The list of the first turn is at its end. */
static inline void cluster_merge_drop(struct cluster_merge *q)
{
	q->turn[0] = q->turn[--q->count];
	if (q->count)
		cluster_merge_sift_down(q, 0);
}

#endif
