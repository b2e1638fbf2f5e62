/* Fast issue: issues instructions that were executed ahead (run_ahead.h), so that only their timing remains. It handles
 * instructions that no other wave observes, and LDS accesses, each with a following s_waitcnt. When CUs are full, most
 * issues are of this kind. Times are the same as in the issue loop. */
#ifndef SOFTGPU_CORE_FAST_FAST_ISSUE_H
#define SOFTGPU_CORE_FAST_FAST_ISSUE_H

#include "base/min_max.h"
#include "softgpu/core/exec/advance_wave.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/timing/scheduler.h"

enum { FAST_MIN_DEFERRED = 2 /* one instruction and a following s_waitcnt */ };

/* Whether the code after i, and after an s_waitcnt that follows, is in the instruction cache. */
static inline bool fast_issue_code_ready(const struct wave *w, const struct uop *i)
{
	const struct uop *after = i + i->words;

	return code_is_resident(w, after) &&
		(!i->next_waitcnt_words || code_is_resident(w, after + i->next_waitcnt_words));
}

/* The wave has issued i. It continues at cycle `next`, or after a following s_waitcnt. */
static inline void fast_issue_advance(
	struct scheduler *q, unsigned wave, struct wave *w, const struct uop *i, uint64_t next)
{
	const struct uop *after = i + i->words;

	if (i->next_waitcnt_words) {
		const cycle_t complete = waitcnt_wait(w, next, after);
		if (cycle_is_unknown(complete))
			cluster_wait(w, next, after->cost, 0, false);
		next = complete + after->cost;
		w->ahead--;
		after += i->next_waitcnt_words;
	}
	w->ip = after;
	w->next = results_wait(w, after, next);
	scheduler_requeue_as(q, wave, w, true);
}

static inline bool fast_issue_lds(struct cu *cu, unsigned wave, struct wave *w, const struct uop *i, uint64_t t)
{
	struct scheduler *q = &cu->scheduler;
	const unsigned to = q->port_of[wave];

	if (w->waitcnt[WAITCNT_LGKM].count == w->m->waitcnt_max[WAITCNT_LGKM] || !fast_issue_code_ready(w, i))
		return false;
	scheduler_pop_wave(q, t);
	w->ahead--;
	w->last = t;
	q->port[to].free_at = t + i->busy;
	waitcnt_push_unchecked(w, WAITCNT_LGKM, lds_replay_deferred(w, t + i->cost));
	scheduler_wake_port_waiter(q, to);
	fast_issue_advance(q, wave, w, i, max_u64(t + i->cost, t + i[i->words].fetch_stall));
	return true;
}

/* Issues vector instructions in line from i on back to back, the first at cycle *t, as long as no older wave of the
 * SIMD comes between. Returns the last one and sets *t to its cycle. */
static inline const struct uop *fast_issue_burst(
	const struct cu *cu, unsigned wave, const struct wave *w, const struct uop *i, uint64_t *t, uint64_t until)
{
	until = scheduler_burst_until(&cu->scheduler, w->simd, wave, min_u64(until, *t + i->valu_run_cycles));
	const struct uop *after;

	for (unsigned left = w->ahead - FAST_MIN_DEFERRED; i->valu_run_cycles && left && *t + i->cost <= until;
		left--) {
		after = i + i->words;
		if (!code_is_resident(w, after))
			break;
		*t += i->cost;
		i = after;
	}
	return i;
}

/* The wave issues i at cycle t, and those after it up to `last` back to back. */
static inline void fast_issue_record_results(struct wave *w, const struct uop *i, const struct uop *last, uint64_t t)
{
	result_record_issue(w, i, t);
	while (i != last) {
		t += i->cost;
		i += i->words;
		result_record_issue(w, i, t);
	}
}

/* Issues one instruction, or several back to back. */
static inline bool fast_issue_private(
	struct cu *cu, unsigned wave, struct wave *w, const struct uop *i, uint64_t t, uint64_t until)
{
	struct scheduler *q = &cu->scheduler;
	const struct uop *last = i;
	const uint64_t first = t;
	const unsigned to = q->port_of[wave];

	if (i->valu_run_cycles)
		last = fast_issue_burst(cu, wave, w, i, &t, until);
	if (!fast_issue_code_ready(w, last))
		return false;
	scheduler_pop_wave(q, q->now);
	fast_issue_record_results(w, i, last, first);
	w->ahead -= 1 + i->valu_run - last->valu_run;
	w->last = t;
	q->port[to].free_at = t + last->busy;
	scheduler_wake_port_waiter(q, to);
	fast_issue_advance(q, wave, w, last, max_u64(t + last->cost, t + last[last->words].fetch_stall));
	return true;
}

/* Issues the wave's next instruction at cycle t if the fast path supports it; otherwise returns false and changes
 * nothing. The CU may advance up to cycle `until`. */
static inline bool fast_issue_try(struct cu *cu, unsigned wave, struct wave *w, uint64_t t, uint64_t until)
{
	const struct uop *i = w->ip;

	if (w->ahead < FAST_MIN_DEFERRED || i->fast == FAST_NONE)
		return false;
	return i->fast == FAST_LDS ? fast_issue_lds(cu, wave, w, i, t) : fast_issue_private(cu, wave, w, i, t, until);
}

#endif
