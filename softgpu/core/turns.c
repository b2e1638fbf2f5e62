#include "softgpu/core/turns.h"

#include <string.h>

void turns_clear(struct turns *q)
{
	struct wave *wave[SIMDS * TURN_PLACES];

	memcpy(wave, q->wave, sizeof wave);
	memset(q, 0, sizeof *q);
	memcpy(q->wave, wave, sizeof wave);
	q->far_first = q->next = NEVER;
}

void turns_near(struct turns *q)
{
	uint64_t near = 0, first = NEVER;

	/* no branch for what is now so and now so */
	for (uint64_t far = q->far; far; far &= far - 1) {
		const uint64_t t = q->when[__builtin_ctzll(far)], fits = t - q->now < RING_CYCLES;
		near |= far & -far & -fits;
		first = turn_sooner(first, t | -fits);
	}
	q->far &= ~near;
	q->far_first = first;
	for (; near; near &= near - 1) {
		const unsigned wave = __builtin_ctzll(near);
		turn_put(q, wave, q->when[wave]);
	}
}

static uint32_t without(uint32_t places, uint32_t k)
{
	const uint32_t low = (1u << k) - 1;

	return (places & low) | (places >> 1 & ~low);
}

static uint64_t of_simd_without(uint64_t waves, unsigned simd, uint32_t k)
{
	const unsigned at = simd * TURN_PLACES;
	const uint64_t all = (UINT64_C(1) << TURN_PLACES) - 1;

	return (waves & ~(all << at)) | (uint64_t)without(waves >> at & all, k) << at;
}

void turns_leave(struct turns *q, unsigned simd, uint32_t k)
{
	uint64_t *when = q->when + simd * TURN_PLACES;
	uint8_t *to = q->to + simd * TURN_PLACES;

	for (uint64_t some = q->some | UINT64_C(1) << q->now % RING_CYCLES; some; some &= some - 1) {
		uint64_t *at = &q->at[__builtin_ctzll(some)];
		*at = of_simd_without(*at, simd, k);
	}
	q->far = of_simd_without(q->far, simd, k);
	memmove(when + k, when + k + 1, (TURN_PLACES - 1 - k) * sizeof *when);
	memmove(to + k, to + k + 1, TURN_PLACES - 1 - k);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		q->port[simd * TURN_PLACES + u].waits = without(q->port[simd * TURN_PLACES + u].waits, k);
}

uint64_t turns_of_others(const struct simd *s)
{
	const struct cu *cu = s->cu;
	uint64_t first = NEVER;

	for (unsigned k = 0; k < SIMDS; k++)
		for (uint32_t j = 0; &cu->simd[k] != s && j < cu->simd[k].count; j++)
			first = turn_sooner(first, turn_time(&cu->turns, cu->simd[k].order[j]));
	return first;
}
