/* Whose turn it is among the waves of a CU: of those that could issue first the one of the first SIMD, there the
 * oldest.
 *
 * Every wave that is not at a barrier stands in one of four places. At the cycle at which it could issue next, in a
 * ring of RING_CYCLES of them. Far off, when that is later than the ring has cycles. Behind an older one, when that
 * will try to have the unit that it wants, which is busy, as soon as it is free. Or nowhere, while it is its turn. So a
 * turn costs the same however many waves there are, and depends on the turns before it only where one makes the other
 * possible.
 */
#ifndef SOFTGPU_CORE_TURNS_H
#define SOFTGPU_CORE_TURNS_H

#include "softgpu/core/machine.h"

_Static_assert(MAX_SLOTS <= TURN_PLACES && SIMDS * TURN_PLACES == 64, "a bit for every wave of a CU");
_Static_assert((int)UNIT_FETCH < (int)TURN_PLACES, "a port for every unit");

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

/* The port that the wave's next instruction goes to. */
static inline unsigned turn_to(unsigned wave, const struct wave *w)
{
	return (wave & -TURN_PLACES) | w->ip->unit;
}

static inline struct port *turn_port(struct turns *q, const struct simd *s, unsigned unit)
{
	return &q->port[s->number % SIMDS * TURN_PLACES + unit];
}

/* Nobody is there, and all ports are free. */
void turns_clear(struct turns *q);
/* Far waves that fit in join the ring. */
void turns_near(struct turns *q);
/* A wave of the SIMD leaves, from place k: younger ones move up. */
void turns_leave(struct turns *q, unsigned simd, uint32_t k);

/* The wave could issue at cycle t, behind the present. */
static inline void turn_put_behind(struct turns *q, unsigned wave, uint64_t t)
{
	const uint64_t bit = UINT64_C(1) << wave;

	if (__builtin_expect(t < q->next, 0))
		q->next = t;
	if (__builtin_expect(t - q->now >= RING_CYCLES, 0)) {
		q->far |= bit;
		q->when[wave] = t;
		q->far_first = turn_sooner(q->far_first, t);
		return;
	}
	q->at[t % RING_CYCLES] |= bit;
	q->some |= UINT64_C(1) << t % RING_CYCLES;
}

/* The same when it may be in the present cycle. */
static inline void turn_put(struct turns *q, unsigned wave, uint64_t t)
{
	if (t > q->now)
		turn_put_behind(q, wave, t);
	else
		q->at[t % RING_CYCLES] |= UINT64_C(1) << wave;
}

/* The first wave of the present cycle t has its turn. */
static inline void turn_come(struct turns *q, uint64_t t)
{
	uint64_t *at = &q->at[t % RING_CYCLES];

	*at &= *at - 1;
}

/* The wave wants a busy port, and tries to have it when that is free; unless an older one does, who is sure to say when
 * it has taken it or leaves it (turn_take). */
static inline void turn_wait(struct turns *q, unsigned wave, struct port *p)
{
	const unsigned place = wave % TURN_PLACES;
	const uint64_t turn = p->free * TURN_PLACES + place;

	if (turn - p->tries < TURN_PLACES) {
		p->waits |= 1u << place;
		return;
	}
	p->tries = turn;
	turn_put(q, wave, p->free);
}

/* The wave goes on at w->next, or when its port is free; the former, where it is known to be behind the present. */
static inline __attribute__((always_inline)) void turn_next_as(
	struct turns *q, unsigned wave, const struct wave *w, bool behind)
{
	const unsigned to = turn_to(wave, w);
	struct port *p = &q->port[to];

	q->to[wave] = to;
	if (p->free > w->next)
		turn_wait(q, wave, p);
	else if (behind)
		turn_put_behind(q, wave, w->next);
	else
		turn_put(q, wave, w->next);
}

static inline void turn_next(struct turns *q, unsigned wave, const struct wave *w)
{
	turn_next_as(q, wave, w, false);
}

/* The port has been taken; or left to others when it is free already. The oldest wave that waits for it tries next. */
static inline void turn_take(struct turns *q, unsigned to)
{
	struct port *p = &q->port[to];
	const unsigned place = __builtin_ctz(p->waits | 1u << TURN_PLACES);

	if (!p->waits)
		return;
	const uint64_t free = turn_later(p->free, q->now);
	p->waits &= p->waits - 1;
	p->tries = free * TURN_PLACES + place;
	turn_put(q, (to & -TURN_PLACES) | place, free);
}

/* The next cycle at which a wave could issue; NEVER when none can. */
static inline uint64_t turns_next(const struct turns *q)
{
	return q->at[q->now % RING_CYCLES] ? q->now : q->next;
}

/* Makes that cycle the present. Which one follows is looked up before its turns: most of them put their waves behind
 * that one, and so the host can begin with it before it knows where, and call its first wave. */
static inline void turns_come(struct turns *q, uint64_t t)
{
	const unsigned k = t % RING_CYCLES;

	q->now = t;
	if (__builtin_expect(q->far_first <= t, 0))
		turns_near(q);
	const uint64_t some = q->some & ~(UINT64_C(1) << k), from_now = some >> k | some << (-k % RING_CYCLES);
	q->some = some;
	q->next = turn_sooner(some ? t + __builtin_ctzll(from_now) : NEVER, q->far_first);
	__builtin_prefetch(q->wave[__builtin_ctzll(q->at[q->next % RING_CYCLES] | UINT64_C(1) << 63)]);
}

/* When the wave could issue, whatever its place. */
static inline uint64_t turn_time(const struct turns *q, const struct wave *w)
{
	return turn_later(w->next, q->port[turn_to(turn_of(w), w)].free);
}

/* Until when the wave at place k has the turn as long as it keeps the vector ALU busy: younger waves that want it wait
 * until it is done; at that cycle itself it still has it. */
static inline uint64_t turn_streak(const struct turns *q, const struct simd *s, uint32_t k)
{
	uint64_t until = NEVER;

	for (uint32_t j = 0; j < s->count; j++) {
		const struct wave *w = s->order[j];
		if (j < k)
			until = turn_sooner(until, turn_time(q, w) - 1);
		else if (j > k && w->ip->unit != UNIT_VALU)
			until = turn_sooner(until, turn_time(q, w));
	}
	return until;
}

/* Until when, but no later than `until`, no older wave than this one, whose turn it is in the present cycle, can want
 * the vector ALU; that cycle included. One that is at a barrier comes from there when others have come to it, from the
 * next turn of the CU on. */
static inline uint64_t turn_row(const struct turns *q, const struct simd *s, unsigned wave, uint64_t until)
{
	const uint64_t bit = UINT64_C(1) << wave, older = bit - (UINT64_C(1) << (wave & -TURN_PLACES));
	const unsigned k = (q->now + 1) % RING_CYCLES;

	until = turn_sooner(until, q->far_first - 1);
	if (s->blocked) {
		const uint64_t next = q->at[q->now % RING_CYCLES] & ~bit ? q->now : q->next;
		until = turn_sooner(until, next + s->cu->m->model.barrier_cycles - 1);
	}
	for (uint64_t some = older ? q->some >> k | q->some << (-k % RING_CYCLES) : 0; some; some &= some - 1) {
		const uint64_t t = q->now + 1 + __builtin_ctzll(some);
		if (t > until)
			break;
		if (q->at[t % RING_CYCLES] & older)
			return t - 1;
	}
	return until;
}

/* The next turn of the other SIMDs of the CU. */
uint64_t turns_of_others(const struct simd *s);

#endif
