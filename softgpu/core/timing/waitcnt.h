/* The counters of a wave's outstanding accesses: vmcnt for vector memory, vscnt for stores of gfx11, lgkmcnt for LDS,
 * scalar memory and messages.
 * Each is a ring of completion times in issue order; an access completes no earlier than the one before it. The entry
 * before the first outstanding access has completed already. */
#ifndef SOFTGPU_CORE_TIMING_WAITCNT_H
#define SOFTGPU_CORE_TIMING_WAITCNT_H

#include "base/min_max.h"
#include "softgpu/core/state/machine.h"

/* Ring position of the n-th outstanding access, from 0. */
static inline unsigned waitcnt_ring_index(const struct wave *w, enum waitcnt_kind kind, unsigned n)
{
	return (w->waitcnt[kind].head + n) % WAITCNT_RING;
}

/* Completion time of the n-th. */
static inline cycle_t waitcnt_completion(struct wave *w, enum waitcnt_kind kind, unsigned n)
{
	return w->due[kind][waitcnt_ring_index(w, kind, n)];
}

/* At the start of a wave: nothing is outstanding. */
void waitcnt_reset(struct wave *w);

/* The later of two times, one of which is not known yet, for the n-th outstanding access. */
cycle_t waitcnt_join(struct wave *w, enum waitcnt_kind kind, unsigned n, cycle_t due, cycle_t before);

/* The last access completes at cycle t or later, which is known at the end of the window only. */
void waitcnt_raise_last(struct wave *w, enum waitcnt_kind kind, cycle_t t);

/* Adds an access that completes at cycle `due`. The counter must have room, and the launch must not be profiled. */
static inline void waitcnt_push_unchecked(struct wave *w, enum waitcnt_kind kind, cycle_t due)
{
	const unsigned n = w->waitcnt[kind].count++;
	const uint64_t before = waitcnt_completion(w, kind, n - 1);

	const cycle_t latest = due > before ? due : before;
	w->due[kind][waitcnt_ring_index(w, kind, n)] =
		__builtin_expect(latest >= CYCLE_UNKNOWN, 0) ? waitcnt_join(w, kind, n, due, before) : latest;
}

/* The same without these conditions. If the counter is full, the wave stalls until the oldest access completes. */
void waitcnt_push_slow(struct wave *w, enum waitcnt_kind kind, cycle_t due);

static inline void waitcnt_push(struct wave *w, enum waitcnt_kind kind, cycle_t due)
{
	if (__builtin_expect(w->waitcnt[kind].count == w->m->waitcnt_max[kind] || machine_is_profiled(w->m), 0))
		waitcnt_push_slow(w, kind, due);
	else
		waitcnt_push_unchecked(w, kind, due);
}

/* Waits until at most `left` accesses are outstanding; returns when, from `now` on. */
static inline cycle_t waitcnt_wait_for(struct wave *w, enum waitcnt_kind kind, cycle_t now, unsigned left)
{
	struct waitcnt *v = &w->waitcnt[kind];

	v->head += v->count - left;
	v->count = left;
	return max_u64(now, waitcnt_completion(w, kind, -1));
}

/* When all accesses of the wave are complete. */
static inline cycle_t waitcnt_all_complete(struct wave *w)
{
	cycle_t last = 0;

	for (unsigned kind = 0; kind < WAITCNT_KINDS; kind++)
		last = max_u64(last, waitcnt_completion(w, kind, w->waitcnt[kind].count - 1));
	return last;
}

/* Executes an s_waitcnt issued at `now`; returns when it completes. Waits are mostly for LDS, with unpredictable
 * counts, so that part has no branches. */
static inline cycle_t waitcnt_wait(struct wave *w, cycle_t now, const struct uop *i)
{
	const unsigned lgkm = w->waitcnt[WAITCNT_LGKM].count;

	if (__builtin_expect(w->waitcnt[WAITCNT_VM].count > i->wait_vm, 0))
		now = waitcnt_wait_for(w, WAITCNT_VM, now, i->wait_vm);
	if (__builtin_expect(w->waitcnt[WAITCNT_VS].count > i->wait_vs, 0))
		now = waitcnt_wait_for(w, WAITCNT_VS, now, i->wait_vs);
	return waitcnt_wait_for(w, WAITCNT_LGKM, now, lgkm < i->wait_lgkm ? lgkm : i->wait_lgkm);
}

#endif
