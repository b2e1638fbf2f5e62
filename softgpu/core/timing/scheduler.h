/* The scheduler of a CU: of the waves that can issue earliest, it selects the one of the first SIMD, and there the
 * oldest.
 *
 * A wave that is not at a barrier is in one of four states. Ready: in a ring of SCHED_RING_CYCLES cycles, at the cycle
 * at which it can issue next. Far: that cycle is later than the ring reaches. Waiting: the port it needs is busy, and
 * an older wave tries for the port first. Issuing: in none of these. So a step of the scheduler takes constant time,
 * whatever the number of waves.
 */
#ifndef SOFTGPU_CORE_TIMING_SCHEDULER_H
#define SOFTGPU_CORE_TIMING_SCHEDULER_H

#include "base/min_max.h"
#include "softgpu/core/state/machine.h"

_Static_assert(MAX_WAVES_PER_SIMD <= SCHED_SLOTS_PER_SIMD && SIMDS * SCHED_SLOTS_PER_SIMD == 64,
	"a bit for every wave of a CU");
_Static_assert((int)UNIT_FETCH < (int)SCHED_SLOTS_PER_SIMD, "a port for every unit");

static inline unsigned scheduler_wave_index(const struct wave *w)
{
	return w->simd->number % SIMDS * SCHED_SLOTS_PER_SIMD + w->age;
}

/* The port that the wave's next instruction needs. */
static inline unsigned scheduler_port_index(unsigned wave, const struct wave *w)
{
	return (wave & -SCHED_SLOTS_PER_SIMD) | w->ip->unit;
}

static inline struct issue_port *scheduler_port(struct scheduler *q, const struct simd *s, unsigned unit)
{
	return &q->port[s->number % SIMDS * SCHED_SLOTS_PER_SIMD + unit];
}

/* Removes all waves and frees all ports. */
void scheduler_clear(struct scheduler *q);
/* Moves far waves whose cycle is now within reach into the ring. */
void scheduler_promote_far(struct scheduler *q);
/* Removes the k-th oldest wave of the SIMD; the ages of younger waves decrease by one. */
void scheduler_remove_wave(struct scheduler *q, unsigned simd, uint32_t k);

/* The wave can issue at cycle t > now. */
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

/* The same for t >= now. */
static inline void scheduler_wake(struct scheduler *q, unsigned wave, uint64_t t)
{
	if (t > q->now)
		scheduler_wake_later(q, wave, t);
	else
		q->ring[t % SCHED_RING_CYCLES] |= UINT64_C(1) << wave;
}

/* A far wave, whose cycle was not known yet, can issue at cycle t. */
void scheduler_set_far(struct scheduler *q, unsigned wave, uint64_t t);

/* Takes the first wave of the current cycle t out of the ring. */
static inline void scheduler_pop_wave(struct scheduler *q, uint64_t t)
{
	uint64_t *at = &q->ring[t % SCHED_RING_CYCLES];

	*at &= *at - 1;
}

/* The wave needs a busy port and tries again when it is free. If an older wave also tries then, the wave waits for
 * scheduler_wake_port_waiter, which is called when the port is taken or given up. */
static inline void scheduler_wait_port(struct scheduler *q, unsigned wave, struct issue_port *p)
{
	const unsigned place = wave % SCHED_SLOTS_PER_SIMD;
	const uint64_t claim = p->free_at * SCHED_SLOTS_PER_SIMD + place;

	if (claim >= p->claim && claim / SCHED_SLOTS_PER_SIMD == p->claim / SCHED_SLOTS_PER_SIMD) {
		p->waiting |= 1u << place;
		return;
	}
	p->claim = claim;
	scheduler_wake(q, wave, p->free_at);
}

/* The wave issues next at w->next, or later when its port is free. `later`: w->next is known to be > now. */
static inline __attribute__((always_inline)) void scheduler_requeue_as(
	struct scheduler *q, unsigned wave, const struct wave *w, bool later)
{
	const unsigned to = scheduler_port_index(wave, w);
	struct issue_port *p = &q->port[to];

	q->port_of[wave] = to;
	if (p->free_at > w->next)
		scheduler_wait_port(q, wave, p);
	else if (later)
		scheduler_wake_later(q, wave, w->next);
	else
		scheduler_wake(q, wave, w->next);
}

static inline void scheduler_requeue(struct scheduler *q, unsigned wave, const struct wave *w)
{
	scheduler_requeue_as(q, wave, w, false);
}

/* The port was taken, or given up while free. The oldest wave that waits for it tries next. */
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

/* The next cycle at which a wave can issue; CYCLE_NEVER: none can. */
static inline uint64_t scheduler_next_cycle(const struct scheduler *q)
{
	return q->ring[q->now % SCHED_RING_CYCLES] ? q->now : q->next;
}

/* Makes t, that cycle, the current one. Finds the cycle after it now, before any wave of t issues: most waves requeue
 * after that cycle, so the host can start on it early and prefetch its first wave. */
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

/* When the wave can issue, if no other wave competes. */
static inline uint64_t scheduler_ready_cycle(const struct scheduler *q, const struct wave *w)
{
	return max_u64(w->next, q->port[scheduler_port_index(scheduler_wave_index(w), w)].free_at);
}

/* Until when, inclusive, the k-th oldest wave of the SIMD issues without interruption while it keeps the vector ALU
 * busy: younger waves that need the vector ALU wait for it. */
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

/* Until when, inclusive and at most `until`, no wave older than this one, which issues now, can need the vector ALU. A
 * wave at a barrier can be released from the CU's next issue on. */
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

#endif
