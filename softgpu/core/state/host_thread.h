/* What the host's thread that simulates has for itself: its floating-point mode, scratch vectors, decoded code with the
 * counts and addresses that belong to it, and sums. A machine has one such thread. Nothing else may change what is
 * here, so that several threads could simulate, each with its own. */
#ifndef SOFTGPU_CORE_STATE_HOST_THREAD_H
#define SOFTGPU_CORE_STATE_HOST_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/state/host_lines.h"
#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/uop.h"
#include "softgpu/core/state/vm.h"

struct decode_cache;
struct jit;
struct l2_order;
struct machine;
struct merged_lines;

/* Runs the waves of one family and size: their operations, and the code decoded and compiled for them. */
enum executor_id {
#define WAVES(name, ...) EXECUTOR_##name,
#include "softgpu/core/state/executors.def"
#undef WAVES
	EXECUTOR_COUNT
};
_Static_assert((int)EXECUTOR_COUNT <= (int)EXECUTORS_MAX, "a thread has room for every executor");
struct executor {
	struct machine *m;
	op_fn *const *ops, *const *ops_any_mode; /* ops.h */
	struct decode_cache *decode_cache;       /* NULL: the target has no such waves */
	struct jit *jit;
	enum isa_target target;
	uint32_t lanes;
};

/* Sums over the launch, apart from instruction counts; perf_counters.c names them. */
struct launch_sums {
	uint64_t waves, lds_conflict, lds_idle, l1_hit, l1_miss, l2_hit, l2_miss, l2_store, l2_written, dram_read,
		dram_write, system, scalar_hit, scalar_miss, atomics;
};

/* The lanes of an EXEC mask, all bits of each set or clear. */
struct lane_mask {
	uint64_t exec;
	uint32_t lane[MAX_LANES] __attribute__((aligned(64)));
};

/* What a window has left in the clusters of a thread: the launching thread need not look at each of them, which are in
 * the caches of the others' cores. */
struct window_report {
	size_t requests, deferred, stored_lines, ended; /* in their lists */
	uint64_t latest;                                /* the launch lasts at least as long */
	bool halted;                                    /* one of them */
} OF_ONE_THREAD;

struct host_thread {
	uint32_t number;          /* of its view */
	uint32_t clusters;        /* that it simulates in windows: thread_views.h */
	uint8_t cluster[MAX_CUS]; /* their numbers */
	uint64_t evictions[64];   /* of instruction caches, by their bit, when its CUs last used them: thread_views.c */
	uint64_t evicted;         /* bits of those that have evicted lines since */
	uint32_t mxcsr;           /* the host's */
	struct lane_mask lane_mask[2]; /* of the wave of 32, and of 64 lanes, that executed last */
	uint32_t broadcast[3][2 * MAX_LANES]
		__attribute__((aligned(64)));   /* by operand: an SGPR, or a pair, in all lanes */
	struct vm_region vm_window[VM_WINDOWS]; /* mappings that vector accesses used last, by instruction */
	struct launch_sums sums;
	uint64_t begun_waves; /* of the launch: sums.waves is ahead of it in windows, and counts those of all threads */
	struct window_report report;
	struct l2_order *order;                  /* l2_exchange.c; NULL: none has been needed */
	struct merged_lines *merged;             /* overlay_merge.c; likewise */
	struct executor executor[EXECUTORS_MAX]; /* by enum executor_id; those of the target are open */
};

#endif
