/* Whose turn it is among the waves of a CU: of those that could issue first the one of the first SIMD, there the
 * oldest.
 *
 * Every wave that is not at a barrier stands in one of four places. At the cycle at which it could issue next, in a
 * ring of SCHED_RING_CYCLES of them. Far off, when that is later than the ring has cycles. Behind an older one, when
 * that will try to have the unit that it wants, which is busy, as soon as it is free. Or nowhere, while it is its turn.
 * So a turn costs the same however many waves there are, and depends on the turns before it only where one makes the
 * other possible.
 */
#ifndef SOFTGPU_CORE_TIMING_SCHEDULER_H
#define SOFTGPU_CORE_TIMING_SCHEDULER_H

#include "base/min_max.h"
#include "softgpu/core/exec/machine.h"

_Static_assert(MAX_WAVES_PER_SIMD <= SCHED_SLOTS_PER_SIMD && SIMDS * SCHED_SLOTS_PER_SIMD == 64,
	"a bit for every wave of a CU");
_Static_assert((int)UNIT_FETCH < (int)SCHED_SLOTS_PER_SIMD, "a port for every unit");

static inline unsigned scheduler_wave_index(const struct wave *w)
{
	return w->simd->number % SIMDS * SCHED_SLOTS_PER_SIMD + w->age;
}

/* The port that the wave's next instruction goes to. */
static inline unsigned scheduler_port_index(unsigned wave, const struct wave *w)
{
	return (wave & -SCHED_SLOTS_PER_SIMD) | w->ip->unit;
}

static inline struct issue_port *scheduler_port(struct scheduler *q, const struct simd *s, unsigned unit)
{
	return &q->port[s->number % SIMDS * SCHED_SLOTS_PER_SIMD + unit];
}

/* Nobody is there, and all ports are free. */
void scheduler_clear(struct scheduler *q);
/* Far waves that fit in join the ring. */
void scheduler_promote_far(struct scheduler *q);
/* A wave of the SIMD leaves, from place k: younger ones move up. */
void scheduler_remove_wave(struct scheduler *q, unsigned simd, uint32_t k);

/* The wave could issue at cycle t, behind the present. */
static inline void scheduler_wake_later(struct scheduler *q, unsigned wave, uint64_t t)
{
	const uint64_t bit = UINT64_C(1) << wave;

	if (__builtin_expect(t < q->next, 0))
		q->next = t;
	if (__builtin_expect(t - q->now >= SCHED_RING_CYCLES, 0)) {
		q->far |= bit;
		q->wake_at[wave] = t;
		q->far_earliest = min_u64(q->far_earliest, t);
		return;
	}
	q->ring[t % SCHED_RING_CYCLES] |= bit;
	q->ring_busy |= UINT64_C(1) << t % SCHED_RING_CYCLES;
}

/* The same when it may be in the present cycle. */
static inline void scheduler_wake(struct scheduler *q, unsigned wave, uint64_t t)
{
	if (t > q->now)
		scheduler_wake_later(q, wave, t);
	else
		q->ring[t % SCHED_RING_CYCLES] |= UINT64_C(1) << wave;
}

/* The first wave of the present cycle t has its turn. */
static inline void scheduler_pop_wave(struct scheduler *q, uint64_t t)
{
	uint64_t *at = &q->ring[t % SCHED_RING_CYCLES];

	*at &= *at - 1;
}

/* The wave wants a busy port, and tries to have it when that is free; unless an older one does, who is sure to say when
 * it has taken it or leaves it (scheduler_wake_port_waiter). */
static inline void scheduler_wait_port(struct scheduler *q, unsigned wave, struct issue_port *p)
{
	const unsigned place = wave % SCHED_SLOTS_PER_SIMD;
	const uint64_t turn = p->free_at * SCHED_SLOTS_PER_SIMD + place;

	if (turn - p->claim < SCHED_SLOTS_PER_SIMD) {
		p->waiting |= 1u << place;
		return;
	}
	p->claim = turn;
	scheduler_wake(q, wave, p->free_at);
}

/* The wave goes on at w->next, or when its port is free; the former, where it is known to be behind the present. */
static inline __attribute__((always_inline)) void scheduler_requeue_as(
	struct scheduler *q, unsigned wave, const struct wave *w, bool behind)
{
	const unsigned to = scheduler_port_index(wave, w);
	struct issue_port *p = &q->port[to];

	q->port_of[wave] = to;
	if (p->free_at > w->next)
		scheduler_wait_port(q, wave, p);
	else if (behind)
		scheduler_wake_later(q, wave, w->next);
	else
		scheduler_wake(q, wave, w->next);
}

static inline void scheduler_requeue(struct scheduler *q, unsigned wave, const struct wave *w)
{
	scheduler_requeue_as(q, wave, w, false);
}

/* The port has been taken; or left to others when it is free already. The oldest wave that waits for it tries next. */
static inline void scheduler_wake_port_waiter(struct scheduler *q, unsigned to)
{
	struct issue_port *p = &q->port[to];
	const unsigned place = __builtin_ctz(p->waiting | 1u << SCHED_SLOTS_PER_SIMD);

	if (!p->waiting)
		return;
	const uint64_t free = max_u64(p->free_at, q->now);
	p->waiting &= p->waiting - 1;
	p->claim = free * SCHED_SLOTS_PER_SIMD + place;
	scheduler_wake(q, (to & -SCHED_SLOTS_PER_SIMD) | place, free);
}

/* The next cycle at which a wave could issue; CYCLE_NEVER when none can. */
static inline uint64_t scheduler_next_cycle(const struct scheduler *q)
{
	return q->ring[q->now % SCHED_RING_CYCLES] ? q->now : q->next;
}

/* Makes that cycle the present. Which one follows is looked up before its turns: most of them put their waves behind
 * that one, and so the host can begin with it before it knows where, and call its first wave. */
static inline void scheduler_enter_cycle(struct scheduler *q, uint64_t t)
{
	const unsigned k = t % SCHED_RING_CYCLES;

	q->now = t;
	if (__builtin_expect(q->far_earliest <= t, 0))
		scheduler_promote_far(q);
	const uint64_t some = q->ring_busy & ~(UINT64_C(1) << k),
		       from_now = some >> k | some << (-k % SCHED_RING_CYCLES);
	q->ring_busy = some;
	q->next = min_u64(some ? t + __builtin_ctzll(from_now) : CYCLE_NEVER, q->far_earliest);
	__builtin_prefetch(q->wave[__builtin_ctzll(q->ring[q->next % SCHED_RING_CYCLES] | UINT64_C(1) << 63)]);
}

/* When the wave could issue, whatever its place. */
static inline uint64_t scheduler_ready_cycle(const struct scheduler *q, const struct wave *w)
{
	return max_u64(w->next, q->port[scheduler_port_index(scheduler_wave_index(w), w)].free_at);
}

/* Until when the wave at place k has the turn as long as it keeps the vector ALU busy: younger waves that want it wait
 * until it is done; at that cycle itself it still has it. */
static inline uint64_t scheduler_exclusive_until(const struct scheduler *q, const struct simd *s, uint32_t k)
{
	uint64_t until = CYCLE_NEVER;

	for (uint32_t j = 0; j < s->count; j++) {
		const struct wave *w = s->by_age[j];
		if (j < k)
			until = min_u64(until, scheduler_ready_cycle(q, w) - 1);
		else if (j > k && w->ip->unit != UNIT_VALU)
			until = min_u64(until, scheduler_ready_cycle(q, w));
	}
	return until;
}

/* Until when, but no later than `until`, no older wave than this one, whose turn it is in the present cycle, can want
 * the vector ALU; that cycle included. One that is at a barrier comes from there when others have come to it, from the
 * next turn of the CU on. */
static inline uint64_t scheduler_burst_until(
	const struct scheduler *q, const struct simd *s, unsigned wave, uint64_t until)
{
	const uint64_t bit = UINT64_C(1) << wave, older = bit - (UINT64_C(1) << (wave & -SCHED_SLOTS_PER_SIMD));
	const unsigned k = (q->now + 1) % SCHED_RING_CYCLES;

	until = min_u64(until, q->far_earliest - 1);
	if (s->at_barrier) {
		const uint64_t next = q->ring[q->now % SCHED_RING_CYCLES] & ~bit ? q->now : q->next;
		until = min_u64(until, next + s->cu->m->model.barrier_cycles - 1);
	}
	for (uint64_t some = older ? q->ring_busy >> k | q->ring_busy << (-k % SCHED_RING_CYCLES) : 0; some;
		some &= some - 1) {
		const uint64_t t = q->now + 1 + __builtin_ctzll(some);
		if (t > until)
			break;
		if (q->ring[t % SCHED_RING_CYCLES] & older)
			return t - 1;
	}
	return until;
}

/* The next turn of the other SIMDs of the CU. */
uint64_t scheduler_next_of_other_simds(const struct simd *s);

#endif
