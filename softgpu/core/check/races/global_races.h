/* Data races of a launch in global memory, by happens-before, as in LDS (lds_races.h).
 *
 * What orders accesses of two waves: in a workgroup, what orders them in LDS; in a workgroup or not, an atomic of one,
 * and a later atomic that returns, or a poll, of the other at the same dword; a store, and a poll that loads it; global
 * wave sync. That a wave has ended orders nothing.
 *
 * The clocks of a wave (wave_clocks.h) divide its run into segments, in each of which it knows the same of others. A
 * dword of memory keeps the segments of its last write and of two loads (global_shadow.h). Of more loads that nothing
 * orders, the first two count: a store that no one orders races with one of them. */
#ifndef SOFTGPU_CORE_CHECK_RACES_GLOBAL_RACES_H
#define SOFTGPU_CORE_CHECK_RACES_GLOBAL_RACES_H

#include "softgpu/core/check/races/global_shadow.h"
#include "softgpu/core/check/races/wave_clocks.h"

struct global_races;

/* A resident workgroup. */
struct group_order {
	uint32_t number;                   /* of the workgroup in the launch */
	struct wave_clocks *clocks;        /* the caller's */
	uint32_t segment[MAX_GROUP_WAVES]; /* 0: a new one begins with the next access */
	known_set known[MAX_GROUP_WAVES];  /* of other workgroups */
};

/* One instruction of a wave: the lanes in `lanes` access `bytes` bytes at at[lane]. */
struct global_touch {
	enum touch_kind kind;
	bool returns, swaps; /* an atomic returns what it found; it may be a lock */
	struct group_order *group;
	uint32_t wave, bytes;
	uint64_t pc, lanes;
	const uint64_t *at; /* of MAX_LANES */
	shadow_wanted_fn *wanted;
	const void *wanted_of;
};

/* The access that was there before. */
struct global_conflict {
	uint32_t lane; /* of the new access */
	uint64_t at;   /* the first byte that both access */
	uint32_t other_group, other_wave, other_lane;
	uint64_t other_pc; /* 0: not known */
	bool other_stores, other_is_atomic;
};
typedef void global_conflict_fn(void *of, const struct global_conflict *c);

/* The caller owns the result and frees it with global_races_close. NULL: out of memory. */
struct global_races *global_races_open(void);
void global_races_close(struct global_races *r);
/* A launch of so many workgroups begins: what earlier ones did happens before it. */
void global_races_begin(struct global_races *r, uint64_t groups, uint32_t waves_per_group);

/* A workgroup begins; `clocks` stay the caller's until it ends. */
void global_races_start_group(
	const struct global_races *r, struct group_order *g, uint64_t number, struct wave_clocks *clocks);
void global_races_end_group(struct global_races *r, struct group_order *g);
/* Before the clocks pass a barrier. */
void global_races_pass_barrier(struct global_races *r, struct group_order *g);
/* All that happened before `from` is now happens before `to`. */
void global_races_pass_order(struct global_races *r, const struct group_order *from, uint32_t from_wave,
	struct group_order *to, uint32_t to_wave);
/* Calls `report` for each lane whose access races: at most once a lane. */
void global_races_touch(struct global_races *r, const struct global_touch *t, global_conflict_fn *report, void *of);

#endif
