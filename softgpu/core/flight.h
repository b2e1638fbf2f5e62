/* Accesses of a wave in flight: its counters, for vector memory and for LDS, scalar memory and messages. Each is a ring
 * of when they are through, in the order in which they were issued: one that would be before its predecessor is when
 * that is. The entry before the first in flight is one that is through, no later than now. */
#ifndef SOFTGPU_CORE_FLIGHT_H
#define SOFTGPU_CORE_FLIGHT_H

#include "softgpu/core/machine.h"

/* The most in flight, and what makes a place in the ring of a number. */
static inline unsigned flight_max(enum flight_kind kind)
{
	return kind == FLIGHT_VM ? VM_COUNT_MAX : LGKM_COUNT_MAX;
}
_Static_assert(
	!(VM_COUNT_MAX & (VM_COUNT_MAX + 1)) && !(LGKM_COUNT_MAX & (LGKM_COUNT_MAX + 1)), "rings of a power of 2");

static inline uint64_t *flight_ring(struct wave *w, enum flight_kind kind)
{
	return kind == FLIGHT_VM ? w->vm_due : w->lgkm_due;
}

/* Where the n-th in flight stands, from 0. */
static inline unsigned flight_place(const struct wave *w, enum flight_kind kind, unsigned n)
{
	return (w->flight[kind].head + n) & flight_max(kind);
}

/* When the n-th is through. */
static inline uint64_t flight_due(struct wave *w, enum flight_kind kind, unsigned n)
{
	return flight_ring(w, kind)[flight_place(w, kind, n)];
}

/* Nothing is in flight, at a wave's start. */
void flight_none(struct wave *w);

/* One more, through at cycle `due`, where there is room and nobody looks inside. */
static inline void flight_enter(struct wave *w, enum flight_kind kind, uint64_t due)
{
	const unsigned n = w->flight[kind].count++;
	const uint64_t before = flight_due(w, kind, n - 1);

	flight_ring(w, kind)[flight_place(w, kind, n)] = due > before ? due : before;
}

/* The same otherwise. Where the counter is full, issue stops until the oldest is through. */
void flight_push_slowly(struct wave *w, enum flight_kind kind, uint64_t due);

static inline void flight_push(struct wave *w, enum flight_kind kind, uint64_t due)
{
	if (__builtin_expect(w->flight[kind].count == flight_max(kind) || seen(w->m), 0))
		flight_push_slowly(w, kind, due);
	else
		flight_enter(w, kind, due);
}

/* When a wait that leaves no more than so many, issued at `now`, may go on. What waits is mostly LDS's: how many are
 * over then follows no pattern, and so has no branch. */
static inline uint64_t flight_wait(struct wave *w, uint64_t now, unsigned vm, unsigned lgkm)
{
	struct flight *v = &w->flight[FLIGHT_VM], *l = &w->flight[FLIGHT_LGKM];

	if (__builtin_expect(v->count > vm, 0)) {
		v->head += v->count - vm;
		v->count = vm;
		const uint64_t due = flight_due(w, FLIGHT_VM, -1);
		now = due > now ? due : now;
	}
	const unsigned left = l->count < lgkm ? l->count : lgkm;
	l->head += l->count - left;
	l->count = left;
	const uint64_t due = flight_due(w, FLIGHT_LGKM, -1);
	return due > now ? due : now;
}

#endif
