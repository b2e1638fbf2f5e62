/* What a launch has done lately, for sampled_launch.h.
 *
 * A window spans whole periods of the DRAM's refresh, because a refresh stops all channels, and several times the
 * workgroups in flight. The rate is that of the means of its two halves, because the dispatcher works in bursts. While
 * no workgroup has to wait for room, the rate is the dispatcher's, and a short window has all of it. */
#ifndef SOFTGPU_CORE_FAST_LAUNCH_WINDOW_H
#define SOFTGPU_CORE_FAST_LAUNCH_WINDOW_H

#include "softgpu/core/state/machine.h"

enum { WINDOW_SUMS = sizeof(struct launch_sums) / sizeof(uint64_t), WINDOW_SLOTS = 8 };

/* A part of the window. The first three are sums over its cycles of what had been counted by then. */
struct window_slot {
	uint64_t groups, sums[WINDOW_SUMS], in_flight;
	uint64_t queued;  /* at its begin: cycles of work at a memory channel on average */
	uint64_t refills; /* there: how often lines of the launch had replaced all those in L2 */
	bool blocked;     /* a workgroup had to wait for room */
};

struct launch_window {
	cycle_t slot_cycles, at, slot_end; /* at: up to here */
	unsigned count;                    /* of slots that are complete */
	struct window_slot slot[WINDOW_SLOTS], now;
	uint64_t groups; /* counts at the begin */
	struct launch_sums sums;
};

/* What a workgroup takes: `cycles` and `sums` are for so many `groups`. */
struct launch_rate {
	uint64_t groups, cycles, sums[WINDOW_SUMS];
	bool is_dispatcher_bound; /* no workgroup had to wait for room */
	bool is_steady;           /* as much was in flight, and queued, in both halves */
};

static inline uint64_t rate_of_groups(const struct launch_rate *r, uint64_t count, uint64_t groups)
{
	return (unsigned __int128)count * groups / r->groups;
}

void window_open(struct launch *n, struct launch_window *w);
/* Forgets what was before cycle t. */
void window_restart(struct launch *n, struct launch_window *w, cycle_t t);
/* The dispatcher is about to start a workgroup at cycle t. True: a slot is complete. */
bool window_advance(struct launch *n, struct launch_window *w, cycle_t t);
/* False: none can be told yet; memory bounds the launch, and it is not steady. */
bool window_find_rate(const struct launch_window *w, struct launch_rate *out);

#endif
