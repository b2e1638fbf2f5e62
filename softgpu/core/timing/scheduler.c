#include "softgpu/core/timing/scheduler.h"

#include <string.h>

void scheduler_clear(struct scheduler *q)
{
	struct wave *wave[SIMDS * SCHED_SLOTS_PER_SIMD];

	memcpy(wave, q->wave, sizeof wave);
	memset(q, 0, sizeof *q);
	memcpy(q->wave, wave, sizeof wave);
	q->far_earliest = q->next = CYCLE_NEVER;
}

void scheduler_promote_far(struct scheduler *q)
{
	uint64_t near = 0, first = CYCLE_NEVER;

	/* no branches: they would be unpredictable */
	for (uint64_t far = q->far; far; far &= far - 1) {
		const uint64_t t = q->wake_at[__builtin_ctzll(far)], fits = t - q->now < SCHED_RING_CYCLES;
		near |= far & -far & -fits;
		first = min_u64(first, t | -fits);
	}
	q->far &= ~near;
	q->far_earliest = first;
	for (; near; near &= near - 1) {
		const unsigned wave = __builtin_ctzll(near);
		scheduler_wake(q, wave, q->wake_at[wave]);
	}
}

void scheduler_set_far(struct scheduler *q, unsigned wave, uint64_t t)
{
	uint64_t first = CYCLE_NEVER;

	q->wake_at[wave] = t;
	for (uint64_t far = q->far; far; far &= far - 1)
		first = min_u64(first, q->wake_at[__builtin_ctzll(far)]);
	q->far_earliest = first;
	q->next = min_u64(q->next, first);
}

static uint32_t remove_age_bit(uint32_t places, uint32_t k)
{
	const uint32_t low = (1u << k) - 1;

	return (places & low) | (places >> 1 & ~low);
}

static uint64_t remove_wave_bit(uint64_t waves, unsigned simd, uint32_t k)
{
	const unsigned at = simd * SCHED_SLOTS_PER_SIMD;
	const uint64_t all = (UINT64_C(1) << SCHED_SLOTS_PER_SIMD) - 1;

	return (waves & ~(all << at)) | (uint64_t)remove_age_bit(waves >> at & all, k) << at;
}

void scheduler_remove_wave(struct scheduler *q, unsigned simd, uint32_t k)
{
	uint64_t *when = q->wake_at + simd * SCHED_SLOTS_PER_SIMD;
	uint8_t *to = q->port_of + simd * SCHED_SLOTS_PER_SIMD;

	for (uint64_t some = q->ring_busy | UINT64_C(1) << q->now % SCHED_RING_CYCLES; some; some &= some - 1) {
		uint64_t *at = &q->ring[__builtin_ctzll(some)];
		*at = remove_wave_bit(*at, simd, k);
	}
	q->far = remove_wave_bit(q->far, simd, k);
	memmove(when + k, when + k + 1, (SCHED_SLOTS_PER_SIMD - 1 - k) * sizeof *when);
	memmove(to + k, to + k + 1, SCHED_SLOTS_PER_SIMD - 1 - k);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		q->port[simd * SCHED_SLOTS_PER_SIMD + u].waiting =
			remove_age_bit(q->port[simd * SCHED_SLOTS_PER_SIMD + u].waiting, k);
}
