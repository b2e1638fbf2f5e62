/* Accesses of a wave in flight: its counters, for vector memory and for LDS, scalar memory and messages. Each is a ring
 * of when they are through, in the order in which they were issued: one that would be before its predecessor is when
 * that is. The entry before the first in flight is one that is through, no later than now. */
#ifndef SOFTGPU_CORE_TIMING_WAITCNT_H
#define SOFTGPU_CORE_TIMING_WAITCNT_H

#include "softgpu/core/exec/machine.h"

/* The most in flight, and what makes a place in the ring of a number. */
static inline unsigned waitcnt_limit(enum waitcnt_kind kind)
{
	return kind == WAITCNT_VM ? VM_COUNT_MAX : LGKM_COUNT_MAX;
}
_Static_assert(
	!(VM_COUNT_MAX & (VM_COUNT_MAX + 1)) && !(LGKM_COUNT_MAX & (LGKM_COUNT_MAX + 1)), "rings of a power of 2");

static inline uint64_t *waitcnt_ring(struct wave *w, enum waitcnt_kind kind)
{
	return kind == WAITCNT_VM ? w->vm_due : w->lgkm_due;
}

/* Where the n-th in flight stands, from 0. */
static inline unsigned waitcnt_ring_index(const struct wave *w, enum waitcnt_kind kind, unsigned n)
{
	return (w->waitcnt[kind].head + n) & waitcnt_limit(kind);
}

/* When the n-th is through. */
static inline uint64_t waitcnt_completion(struct wave *w, enum waitcnt_kind kind, unsigned n)
{
	return waitcnt_ring(w, kind)[waitcnt_ring_index(w, kind, n)];
}

/* Nothing is in flight, at a wave's start. */
void waitcnt_reset(struct wave *w);

/* One more, through at cycle `due`, where there is room and nobody looks inside. */
static inline void waitcnt_push_unchecked(struct wave *w, enum waitcnt_kind kind, uint64_t due)
{
	const unsigned n = w->waitcnt[kind].count++;
	const uint64_t before = waitcnt_completion(w, kind, n - 1);

	waitcnt_ring(w, kind)[waitcnt_ring_index(w, kind, n)] = due > before ? due : before;
}

/* The same otherwise. Where the counter is full, issue stops until the oldest is through. */
void waitcnt_push_slow(struct wave *w, enum waitcnt_kind kind, uint64_t due);

static inline void waitcnt_push(struct wave *w, enum waitcnt_kind kind, uint64_t due)
{
	if (__builtin_expect(w->waitcnt[kind].count == waitcnt_limit(kind) || machine_is_profiled(w->m), 0))
		waitcnt_push_slow(w, kind, due);
	else
		waitcnt_push_unchecked(w, kind, due);
}

/* When a wait that leaves no more than so many, issued at `now`, may go on. What waits is mostly LDS's: how many are
 * over then follows no pattern, and so has no branch. */
static inline uint64_t waitcnt_wait(struct wave *w, uint64_t now, unsigned vm, unsigned lgkm)
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
