/* What happens to a wave when it issues an instruction: it is counted, and the wave moves on to the next one. */
#ifndef SOFTGPU_CORE_EXEC_ADVANCE_WAVE_H
#define SOFTGPU_CORE_EXEC_ADVANCE_WAVE_H

#include "base/min_max.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/core/state/machine.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/timing/waitcnt.h"

/* Advances the wave to the next instruction in line. The previous one issued at `last`; an instruction that crosses two
 * fetch windows stalls unless something longer hides it. No branch: it would be unpredictable. */
static inline void set_next_in_line(struct wave *w, const struct uop *after, cycle_t last, cycle_t next)
{
	w->next = results_wait(w, after, max_u64(next, last + after->fetch_stall));
	w->ip = after;
}

/* Whether the instruction's line of code is known to be in the instruction cache. */
static inline bool code_is_resident(const struct wave *w, const struct uop *i)
{
	return !(i->is_fetch_entry & !(i->resident_in & w->sqc_bit));
}

static inline void fetch_if_missing(struct wave *w, const struct uop *after)
{
	if (__builtin_expect(!code_is_resident(w, after), 0))
		fetch_resume_at(w, after);
}

static inline void advance_wave(struct wave *w, const struct uop *i, cycle_t last, cycle_t next)
{
	set_next_in_line(w, i + i->words, last, next);
	fetch_if_missing(w, i + i->words);
}

/* The wave issues the instruction at cycle t. Returns whether it was already executed ahead (and counted then). A fetch
 * does not count as an instruction of the wave. */
static inline bool issue_record(struct wave *w, const struct uop *i, enum uop_kind kind, cycle_t t)
{
	bool done = w->ahead && kind != UOP_SHARED;

	((struct uop *)i)->hits += !done;
	w->last = t;
	w->ahead -= done;
	result_record_issue(w, i, t);
	return done;
}

static inline void issue_waitcnt(struct wave *w, const struct uop *i, cycle_t t)
{
	const cycle_t complete = waitcnt_wait(w, t, i);

	if (cycle_is_unknown(complete))
		cluster_wait(w, t, i->cost, 0, false);
	w->next = results_wait(w, w->ip, complete + i->cost);
}

/* Issues the s_waitcnts that come next, together with the instruction before them: they need no unit, only the wave's
 * own instruction buffer (assumed: internal instructions do not count toward a CU's issue limit), so no other wave
 * observes when they issue. Stops at one whose successor may have to be fetched. */
static inline void issue_waitcnts(struct wave *w)
{
	for (const struct uop *i;
		(i = w->ip)->kind == UOP_WAITCNT && !cycle_is_unknown(w->next) && code_is_resident(w, i + i->words);) {
		issue_record(w, i, UOP_WAITCNT, w->next);
		w->ip = i + i->words;
		issue_waitcnt(w, i, w->last);
	}
}

#endif
