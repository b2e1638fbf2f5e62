/* LDS timing: how long the banks are busy with an access, and when its data is back. */
#ifndef SOFTGPU_CORE_MEMORY_LDS_TIMING_H
#define SOFTGPU_CORE_MEMORY_LDS_TIMING_H

#include "softgpu/core/memory/lane_pattern.h"
#include "softgpu/core/exec/machine.h"
#include "softgpu/core/memory/l1.h"

/* What an instruction's last access was like, kept with it. */
struct lds_memo {
	struct lane_pattern lanes;
	uint32_t align; /* of the first lane's address within a dword */
	uint32_t cycles, conflict;
};

/* Bank cycles of an access of `dwords` a lane at byte addresses `at` of the lanes in e; the excess over no conflict in
 * *conflict. Atomics on one word take turns. */
uint32_t lds_bank_cycles(
	const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic, uint32_t *conflict);

/* Adds the dwords that pass each bank, and those that wait for another lane's there; arrays of lds_banks. */
void lds_count_bank_dwords(const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic,
	uint32_t *count, uint32_t *over);

/* Times an access of the lanes in e that occupies the banks for `cycles` and enters it into the wave's counter; while
 * the wave runs ahead it is put by, and timed by lds_replay_deferred when the instruction issues. */
void lds_schedule_access(
	struct wave *w, const struct uop *i, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns);

/* Cycles that so many lanes' data takes on its way back. */
uint32_t lds_return_cycles(const struct model *m, uint32_t lanes);

/* An access of the lanes in e that has the banks for so many cycles. */
static inline struct lds_access lds_make_access(
	struct wave *w, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns)
{
	const struct machine *m = w->m;
	uint32_t behind = m->launch.lds_latency_all_lanes;

	if (!returns)
		behind = m->model.lds_latency;
	else if (~e)
		behind = m->model.lds_latency + lds_return_cycles(&m->model, __builtin_popcountll(e));
	w->m->sums.lds_conflict += conflict;
	return (struct lds_access){cycles, behind};
}

/* When the access, which has come from its wave at cycle t, gets the banks, which then are busy. */
static inline uint64_t lds_reserve_banks(struct cu *cu, uint64_t t, struct lds_access a)
{
	const uint64_t start = t > cu->lds_free ? t : cu->lds_free;

	cu->lds_free = start + a.cycles;
	return start;
}

/* When an access that was put by, and comes from its wave at cycle t, is through. Nobody looks inside. */
static inline uint64_t lds_replay_deferred(struct cu *cu, struct wave *w, uint64_t t)
{
	const struct lds_access a = w->lds_access[w->deferred_lds_head++ % DEFERRED_LDS_MAX];

	return lds_reserve_banks(cu, t, a) + a.cycles + a.behind;
}

/* The same as lds_schedule_access, in line where the wave runs ahead. */
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
