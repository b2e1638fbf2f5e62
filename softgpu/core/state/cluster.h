/* A cluster: the CUs that share an instruction and a scalar cache, and on gfx11 those of a shader array. Nothing that a
 * CU does reaches another cluster sooner than some latency; a window is not longer than the shortest of these. So
 * clusters simulate a window one by one, and what they ask of L2 is served at its end (issue/window.h). Here is what
 * a cluster writes down for that, in the order in which its instructions issue. */
#ifndef SOFTGPU_CORE_STATE_CLUSTER_H
#define SOFTGPU_CORE_STATE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/state/event_queue.h"
#include "softgpu/core/state/host_lines.h"
#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/time_types.h"

struct cu;
struct cu_memory;
struct deferred_access;
struct launch_result;
struct machine;
struct wave;

/* REQUEST_LATER: not for L2; the time of an earlier request of the cluster, but at least `floor`. */
enum request_kind { REQUEST_LOAD, REQUEST_STORE, REQUEST_ATOMIC, REQUEST_LATER };
struct l2_request {
	uint64_t key;  /* event_queue_key of its instruction: requests are served in the order of keys */
	uint64_t line; /* of 64 bytes; REQUEST_LATER: the number of the other request */
	cycle_t at;
	cycle_t floor;            /* it is done no earlier */
	cycle_t done;             /* when it is served: max(what L2 says + extra, floor); before that, what L2 says */
	struct cu_memory *memory; /* REQUEST_STORE: whose CU a full channel stops; NULL: none */
	int32_t extra;
	uint8_t kind, same; /* enum request_kind; REQUEST_ATOMIC: lanes on one dword */
};

/* What a channel gets of a request, and says: close together, because another thread serves it. */
struct l2_query {
	uint64_t key, line;
	cycle_t at; /* becomes what L2 says */
	uint32_t request;
	uint8_t kind, same;
};

/* When an access of a wave completes: when the last of its requests is done, but not before `floor`, nor before the
 * access before it in its counter, nor before the completion `also`. */
struct completion {
	cycle_t floor;         /* becomes the time when it is known */
	cycle_t before, also;  /* times; 0: nothing */
	uint64_t first, count; /* requests, in `part` */
	struct wave *wave;     /* NULL: of no counter */
	uint8_t counter, slot; /* enum waitcnt_kind, place in its ring */
};

/* A line of a cache that arrives when a request is done. */
struct pending_fill {
	uint64_t *ready;
	cycle_t due; /* what stands there */
};

/* A wave that waits for accesses. It continues at max(known, when they complete) + extra. */
struct waiting_wave {
	struct wave *wave;
	cycle_t known, extra;
	cycle_t fetch; /* completion of a fetch; 0: none */
	bool ends;     /* waits for all of its accesses */
};

/* A wave that the dispatcher has placed: it begins at that cycle. */
struct started_wave {
	struct wave *wave;
	uint64_t exec;
	cycle_t at;
};

struct ended_wave {
	uint64_t key;
	cycle_t at;
	struct wave *wave;
	bool last; /* of its workgroup */
};

#define CLUSTER_LIST(type)          \
	struct {                    \
		type *at;           \
		size_t count, room; \
	}

/* The line as the cluster sees it: with what it has stored, and the rest as it was when it stored there first. */
struct stored_line {
	uintptr_t number; /* of the line in the host's memory */
	uint64_t written; /* bit per byte */
	uint8_t data[64];
	uint32_t when[16]; /* by dword: the order of the last instruction that stored there */
};

/* What the cluster has stored in this window: memory/window/store_overlay.h. */
struct store_overlay {
	CLUSTER_LIST(struct stored_line) line;
	uint32_t *slot;      /* hash table: 1 + place in the list; 0: free */
	uint32_t slot_count; /* a power of two; 0: no table yet */
	uint32_t when;       /* the order in the window, over all clusters, of the instruction that stores */
	CLUSTER_LIST(uint32_t)
	by_part; /* places of the lines: those of part k from part_from[k] on (overlay_merge.h) */
	uint32_t part_from[MAX_CUS + 1];
};

struct cluster {
	uint32_t cus;              /* that it has */
	struct machine *view;      /* of the thread that simulates it, from the last launch with windows */
	struct event_queue events; /* of its CUs, while windows run */
	cycle_t begin, end;        /* of the window */
	const struct cu *running;
	cycle_t latest; /* the launch lasts at least as long */
	CLUSTER_LIST(struct l2_request) request;
	CLUSTER_LIST(struct l2_query) query; /* of its requests: those to channel k from channel_from[k] on */
	uint32_t channel_from[MAX_CHANNELS + 1];
	CLUSTER_LIST(uint32_t) part; /* requests of completions, by number */
	CLUSTER_LIST(struct completion) completion;
	CLUSTER_LIST(struct pending_fill) fill;
	CLUSTER_LIST(struct waiting_wave) waiting;
	CLUSTER_LIST(struct started_wave) started;
	CLUSTER_LIST(struct ended_wave) ended;
	CLUSTER_LIST(struct deferred_access) deferred; /* deferred_access.h */
	struct store_overlay stores;
	int halt;                      /* enum launch_status: a wave stopped the launch in this window */
	uint64_t halt_key;             /* its instruction */
	struct launch_result *stopped; /* why; NULL: it has never happened */
} OF_ONE_THREAD;

/* Makes room for one more element of a list, and returns the list. Without memory the process ends, as it does when the
 * host cannot provide a page. */
void *cluster_grow_list(void *list, size_t *room, size_t size);

#endif
