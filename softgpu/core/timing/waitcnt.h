/* The counters of a wave's outstanding accesses: vmcnt for vector memory, lgkmcnt for LDS, scalar memory and messages.
 * Each is a ring of completion times in issue order; an access completes no earlier than the one before it. The entry
 * before the first outstanding access has completed already. */
#ifndef SOFTGPU_CORE_TIMING_WAITCNT_H
#define SOFTGPU_CORE_TIMING_WAITCNT_H

#include "softgpu/core/exec/machine.h"

/* The most outstanding accesses; also the bit mask of ring positions. */
static inline unsigned waitcnt_limit(enum waitcnt_kind kind)
{
	return kind == WAITCNT_VM ? VM_COUNT_MAX : LGKM_COUNT_MAX;
}
_Static_assert(
	!(VM_COUNT_MAX & (VM_COUNT_MAX + 1)) && !(LGKM_COUNT_MAX & (LGKM_COUNT_MAX + 1)), "ring sizes are powers of 2");

static inline cycle_t *waitcnt_ring(struct wave *w, enum waitcnt_kind kind)
{
	return kind == WAITCNT_VM ? w->vm_due : w->lgkm_due;
}

/* Ring position of the n-th outstanding access, from 0. */
static inline unsigned waitcnt_ring_index(const struct wave *w, enum waitcnt_kind kind, unsigned n)
{
	return (w->waitcnt[kind].head + n) & waitcnt_limit(kind);
}

/* Completion time of the n-th. */
static inline cycle_t waitcnt_completion(struct wave *w, enum waitcnt_kind kind, unsigned n)
{
	return waitcnt_ring(w, kind)[waitcnt_ring_index(w, kind, n)];
}

/* At the start of a wave: nothing is outstanding. */
void waitcnt_reset(struct wave *w);

/* Adds an access that completes at cycle `due`. The counter must have room, and the launch must not be profiled. */
static inline void waitcnt_push_unchecked(struct wave *w, enum waitcnt_kind kind, cycle_t due)
{
	const unsigned n = w->waitcnt[kind].count++;
	const uint64_t before = waitcnt_completion(w, kind, n - 1);

	waitcnt_ring(w, kind)[waitcnt_ring_index(w, kind, n)] = due > before ? due : before;
}

/* The same without these conditions. If the counter is full, the wave stalls until the oldest access completes. */
void waitcnt_push_slow(struct wave *w, enum waitcnt_kind kind, cycle_t due);

static inline void waitcnt_push(struct wave *w, enum waitcnt_kind kind, cycle_t due)
{
	if (__builtin_expect(w->waitcnt[kind].count == waitcnt_limit(kind) || machine_is_profiled(w->m), 0))
		waitcnt_push_slow(w, kind, due);
	else
		waitcnt_push_unchecked(w, kind, due);
}

/* Executes an s_waitcnt issued at `now` that permits `vm` and `lgkm` outstanding accesses; returns when it completes.
 * Waits are mostly for LDS, with unpredictable counts, so that part has no branches. */
static inline cycle_t waitcnt_wait(struct wave *w, cycle_t now, unsigned vm, unsigned lgkm)
{
	struct waitcnt *v = &w->waitcnt[WAITCNT_VM], *l = &w->waitcnt[WAITCNT_LGKM];

	if (__builtin_expect(v->count > vm, 0)) {
		v->head += v->count - vm;
		v->count = vm;
		const uint64_t due = waitcnt_completion(w, WAITCNT_VM, -1);
		now = due > now ? due : now;
	}
	const unsigned left = l->count < lgkm ? l->count : lgkm;
	l->head += l->count - left;
	l->count = left;
	const uint64_t due = waitcnt_completion(w, WAITCNT_LGKM, -1);
	return due > now ? due : now;
}

#endif
