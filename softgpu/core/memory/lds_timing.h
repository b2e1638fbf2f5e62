/* LDS timing: how long the banks are busy with an access, and when its data is back. */
#ifndef SOFTGPU_CORE_MEMORY_LDS_TIMING_H
#define SOFTGPU_CORE_MEMORY_LDS_TIMING_H

#include "softgpu/core/memory/lane_pattern.h"
#include "softgpu/core/state/machine.h"
#include "softgpu/core/memory/l1.h"

/* The last access of an LDS instruction. */
struct lds_memo {
	struct lane_pattern lanes;
	uint32_t align; /* of the first lane's address within a dword */
	uint32_t cycles, conflict;
	uint32_t misses; /* without timing: accesses since the pattern last repeated */
};

/* Bank cycles of an access of `dwords` dwords per lane at the byte addresses `at` of the lanes in e; *conflict receives
 * the cycles due to bank conflicts. Atomics on the same word are serialized. */
uint32_t lds_bank_cycles(
	const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic, uint32_t *conflict);

/* Adds, by bank, the dwords accessed and those that wait for another lane's; arrays of lds_banks. */
void lds_count_bank_dwords(const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic,
	uint32_t *count, uint32_t *over);

/* Schedules an access of the lanes in e that occupies the banks for `cycles`, and pushes its completion to lgkmcnt.
 * While the wave runs ahead, the access is deferred; lds_replay_deferred schedules it when the instruction issues. */
void lds_schedule_access(
	struct wave *w, const struct uop *i, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns);

/* Cycles to return the data of so many lanes. */
uint32_t lds_return_cycles(const struct model *m, uint32_t lanes);

/* Describes an access of the lanes in e that occupies the banks for `cycles`. */
static inline struct lds_access lds_make_access(
	struct wave *w, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns)
{
	const struct machine *m = w->m;
	uint32_t behind = w->launch->lds_latency_all_lanes;

	if (!returns)
		behind = m->model.lds_latency;
	else if (~e)
		behind = m->model.lds_latency + lds_return_cycles(&m->model, __builtin_popcountll(e));
	w->m->thread.sums.lds_conflict += conflict;
	return (struct lds_access){cycles, behind};
}

/* When the access, which leaves its wave at cycle t, gets the banks; reserves them. The two CUs of a WGP reach the two
 * halves of its LDS over a crossbar ("RDNA" white paper), and take what they want in order. In WGP mode, where a
 * workgroup's waves are in both CUs, they wait for each other there: the RDNA3 ISA guide (2.3) promises more bandwidth
 * in CU mode, and Chips and Cheese ("GPU L1 Cache Bandwidth", RDNA 2) measured little more than 128 of 256 bytes a
 * cycle. */
static inline cycle_t lds_reserve_banks(struct wave *w, cycle_t t, struct lds_access a)
{
	struct cu_memory *of = w->lds_memory, *from = w->simd->memory;
	const cycle_t free = of->lds_free > from->lds_path_free ? of->lds_free : from->lds_path_free,
		      start = t > free ? t : free;

	of->lds_free = from->lds_path_free = start + a.cycles;
	return start;
}

/* Schedules a deferred access, which leaves its wave at cycle t; returns when it completes. Not profiled. */
static inline cycle_t lds_replay_deferred(struct wave *w, cycle_t t)
{
	const struct lds_access a = w->lds_access[w->deferred_lds_head++ % DEFERRED_LDS_MAX];

	return lds_reserve_banks(w, t, a) + a.cycles + a.behind;
}

/* Like lds_schedule_access, inlined for a wave that runs ahead. */
static inline void lds_schedule_or_defer(
	struct wave *w, const struct uop *i, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns)
{
	if (w->in_run_ahead)
		w->lds_access[w->deferred_lds_tail++ % DEFERRED_LDS_MAX] =
			lds_make_access(w, cycles, conflict, e, returns);
	else
		lds_schedule_access(w, i, cycles, conflict, e, returns);
}

#endif
