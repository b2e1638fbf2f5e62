/* LDS timing: how long the banks are busy with an access, and when its data is back. */
#ifndef SOFTGPU_CORE_LDS_H
#define SOFTGPU_CORE_LDS_H

#include "softgpu/core/lanes.h"
#include "softgpu/core/machine.h"
#include "softgpu/core/memory.h"

/* What an instruction's last access was like, kept with it. */
struct lds_memo {
	struct lanes lanes;
	uint32_t align;    /* of the first lane's address within a dword */
	uint32_t cycles, conflict;
};

/* Bank cycles of an access of `dwords` a lane at byte addresses `at` of the lanes in e; the excess over no conflict in
 * *conflict. Atomics on one word take turns. */
uint32_t lds_bank_cycles(const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic, uint32_t *conflict);

/* Adds the dwords that pass each bank, and those that wait for another lane's there; arrays of lds_banks. */
void lds_bank_dwords(const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic, uint32_t *count, uint32_t *over);

/* Times an access of the lanes in e that occupies the banks for `cycles` and enters it into the wave's counter; while the wave runs
 * ahead it is put by, and timed by lds_play when the instruction issues. */
void lds_time(struct wave *w, const struct inst *i, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns);

/* Cycles that so many lanes' data takes on its way back. */
uint32_t lds_return(const struct model *m, uint32_t lanes);

/* When the access gets the banks, which then are busy; and when its data is back. */
static inline uint64_t lds_banks(struct wave *w, const struct inst *i, struct lds_access a)
{
	struct cu *cu = w->simd->cu;
	const uint64_t issued = w->last + i->cost, t = issued > cu->lds_free ? issued : cu->lds_free;

	cu->lds_free = t + a.cycles;
	w->m->sums.lds_conflict += a.conflict;
	return t;
}

static inline uint64_t lds_back(const struct wave *w, uint64_t t, struct lds_access a)
{
	const struct machine *m = w->m;
	const uint32_t lanes = a.lanes == LANES ? m->launch.lds_return : lds_return(&m->model, a.lanes);

	return t + a.cycles + m->model.lds_latency + (a.returns ? lanes : 0);
}

/* Times an access that was put by. Nobody looks inside. */
static inline void lds_play(struct wave *w, const struct inst *i)
{
	const struct lds_access a = w->lds_access[w->lds_done++ % LDS_AHEAD];

	wave_lgkm_push(w, lds_back(w, lds_banks(w, i, a), a));
}

/* The same as lds_time, in line where the wave runs ahead. */
static inline void lds_time_known(struct wave *w, const struct inst *i, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns)
{
	if (w->running_ahead)
		w->lds_access[w->lds_ahead++ % LDS_AHEAD] = (struct lds_access){ cycles, conflict, ~e ? __builtin_popcountll(e) : LANES, returns };
	else
		lds_time(w, i, cycles, conflict, e, returns);
}

#endif
