/* Whose turn it is among the waves of a CU: of those that could issue first the one of the first SIMD, there the oldest.
 *
 * Every wave that is not at a barrier stands in one of four places. At the cycle at which it could issue next, in a ring of RING_CYCLES of
 * them. Far off, when that is later than the ring has cycles. Behind an older one, when that will try to have the unit that it wants, which
 * is busy, as soon as it is free. Or nowhere, while it is its turn. So a turn costs the same however many waves there are, and depends on
 * the turns before it only where one makes the other possible.
 */
#ifndef SOFTGPU_CORE_TURNS_H
#define SOFTGPU_CORE_TURNS_H

#include "softgpu/core/machine.h"

_Static_assert(MAX_SLOTS <= TURN_PLACES && SIMDS * TURN_PLACES == 64, "a bit for every wave of a CU");

static inline uint64_t turn_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t turn_sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline unsigned turn_of(const struct wave *w)
{
	return w->simd->number % SIMDS * TURN_PLACES + w->place;
}

/* Nobody is there. */
void turns_clear(struct turns *q);
/* Far waves that fit in join the ring. */
void turns_near(struct turns *q);
/* A wave of the SIMD leaves, from place k: younger ones move up. */
void turns_leave(struct turns *q, unsigned simd, uint32_t k);

/* The wave could issue at cycle t, no earlier than the present. */
static inline void turn_put(struct turns *q, unsigned wave, uint64_t t)
{
	const uint64_t bit = UINT64_C(1) << wave;

	if (__builtin_expect(t - q->now >= RING_CYCLES, 0)) {
		q->far |= bit;
		q->when[wave] = t;
		q->far_first = turn_sooner(q->far_first, t);
		return;
	}
	q->at[t % RING_CYCLES] |= bit;
	q->some |= UINT64_C(1) << t % RING_CYCLES;
}

/* The first wave of the present cycle t has its turn. */
static inline void turn_come(struct turns *q, uint64_t t)
{
	uint64_t *at = &q->at[t % RING_CYCLES];

	*at &= *at - 1;
}

/* All of them have had theirs. */
static inline void turns_went(struct turns *q, uint64_t t)
{
	q->some &= ~(UINT64_C(1) << t % RING_CYCLES);
}

/* The wave wants a unit that is busy until cycle `free`, and then tries to have it; unless an older one does, who is sure to say when
 * it has taken it or leaves it (turn_take). */
static inline void turn_wait(struct turns *q, unsigned wave, unsigned unit, uint64_t free)
{
	const unsigned simd = wave / TURN_PLACES, place = wave % TURN_PLACES;
	const uint64_t turn = free * TURN_PLACES + place;

	if (turn - q->tries[simd][unit] < TURN_PLACES) {
		q->waits[simd][unit] |= 1u << place;
		return;
	}
	q->tries[simd][unit] = turn;
	turn_put(q, wave, free);
}

/* The wave goes on at w->next, or when its unit is free. */
static inline void turn_next(struct turns *q, const struct simd *s, unsigned wave, const struct wave *w)
{
	const unsigned unit = w->ip->unit;
	const uint64_t free = s->unit_free[unit];

	q->kind[wave] = w->ip->kind;
	q->unit[wave] = unit;
	if (free > w->next)
		turn_wait(q, wave, unit, free);
	else
		turn_put(q, wave, w->next);
}

/* The oldest wave that waits for the unit tries at cycle `free`. */
static inline void turn_try(struct turns *q, unsigned simd, unsigned unit, uint64_t free)
{
	const uint16_t waits = q->waits[simd][unit];
	const unsigned place = __builtin_ctz(waits);

	q->waits[simd][unit] = waits & (waits - 1);
	q->tries[simd][unit] = free * TURN_PLACES + place;
	turn_put(q, simd * TURN_PLACES + place, free);
}

/* The unit has been taken until cycle `free`; or left to others when it is free already. */
static inline void turn_take(struct turns *q, unsigned simd, unsigned unit, uint64_t free)
{
	if (q->waits[simd][unit])
		turn_try(q, simd, unit, turn_later(free, q->now));
}

/* The next cycle at which a wave could issue; NEVER when none can. */
static inline uint64_t turns_next(const struct turns *q)
{
	const unsigned from = q->now % RING_CYCLES;
	const uint64_t some = q->some >> from | q->some << (-from % RING_CYCLES);

	return turn_sooner(some ? q->now + __builtin_ctzll(some) : NEVER, q->far_first);
}

/* Makes that cycle the present. */
static inline void turns_come(struct turns *q, uint64_t t)
{
	q->now = t;
	if (__builtin_expect(q->far_first <= t, 0))
		turns_near(q);
}

/* When the wave could issue, whatever its place. */
static inline uint64_t turn_time(const struct simd *s, const struct wave *w)
{
	return turn_later(w->next, s->unit_free[w->ip->unit]);
}

/* Until when the wave at place k has the turn as long as it keeps the vector ALU busy: younger waves that want it wait until it is done;
 * at that cycle itself it still has it. */
static inline uint64_t turn_streak(const struct simd *s, uint32_t k)
{
	uint64_t until = NEVER;

	for (uint32_t j = 0; j < s->count; j++) {
		const struct wave *w = s->order[j];
		if (j < k)
			until = turn_sooner(until, turn_time(s, w) - 1);
		else if (j > k && w->ip->unit != UNIT_VALU)
			until = turn_sooner(until, turn_time(s, w));
	}
	return until;
}

/* The next turn of the other SIMDs of the CU. */
uint64_t turns_of_others(const struct simd *s);

#endif
