/* Data races in the LDS of a workgroup, by happens-before.
 *
 * The invariant: two accesses of different waves to a byte race if at least one writes, not both are atomic, and
 * neither happens before the other. A wave's accesses are in the order of its instructions. What orders those of two
 * waves: a barrier; an atomic of one, and a later returning atomic or poll of the other at the same dword; a store, and
 * a poll of the other wave that loads it. A poll is a load of a loop that waits for it (kernel_find_polls). Only the
 * order that these make counts, never the order in which the simulator came to the accesses, so a kernel that
 * synchronizes by barriers alone gets the same answer in every schedule.
 *
 * Each dword keeps its last write and the loads since then (of a dword that is accessed in parts: each byte).
 */
#ifndef SOFTGPU_CORE_CHECK_RACES_LDS_RACES_H
#define SOFTGPU_CORE_CHECK_RACES_LDS_RACES_H

#include "softgpu/core/check/races/wave_clocks.h"

struct lds_races;

/* One instruction of a wave: the lanes in `lanes` access `bytes` bytes at at[lane], inside of LDS. */
struct lds_touch {
	enum touch_kind kind;
	bool returns; /* an atomic returns what it found */
	uint32_t wave, bytes;
	int32_t pc;     /* dwords from the kernel's first instruction; between -2^25 and 2^25 */
	uint32_t cycle; /* of the launch: the lowest 32 bits */
	uint64_t lanes;
	const uint32_t *at; /* of MAX_LANES */
};

/* The access that was there before. */
struct lds_conflict {
	uint32_t lane; /* of the new access */
	uint32_t at;   /* the first byte that both access */
	uint32_t other_wave, other_lane;
	int32_t other_pc;
	uint32_t other_cycle;
	bool other_stores, other_is_atomic;
	bool same_instruction; /* both lanes are of the new access */
};
typedef void lds_conflict_fn(void *of, const struct lds_conflict *c);

/* The caller owns the result and frees it with lds_races_close; `clocks` stay the caller's. NULL: out of memory. */
struct lds_races *lds_races_open(uint32_t lds_bytes, struct wave_clocks *clocks);
void lds_races_close(struct lds_races *r);
/* Calls `report` for each lane whose access races: at most once a lane. */
void lds_races_touch(struct lds_races *r, const struct lds_touch *t, lds_conflict_fn *report, void *of);

#endif
