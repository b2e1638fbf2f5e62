/* Whose turn it is among the waves of a SIMD: the oldest of those that could issue first.
 *
 * A wave's key is the cycle at which it could issue, both its own instruction and the unit that it wants considered, with its place by
 * age below; the smallest key has the turn. Keys carry the bits of a double between 2 and 4, which order as the integers do: every x86-64
 * compares those in a vector. */
#ifndef SOFTGPU_CORE_TURNS_H
#define SOFTGPU_CORE_TURNS_H

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "softgpu/core/machine.h"

enum { PLACE_BITS = 4 };
_Static_assert(MAX_SLOTS <= 1 << PLACE_BITS && MAX_SLOTS <= TURNS, "a wave's place among those of its SIMD fits below a time");
#define TURN_NEVER (UINT64_C(1) << 62 | NEVER << PLACE_BITS | ((1u << PLACE_BITS) - 1))

static inline uint64_t turn_key(uint64_t t, uint32_t place)
{
	return UINT64_C(1) << 62 | t << PLACE_BITS | place;
}

static inline uint64_t turn_time(uint64_t key)
{
	return key >> PLACE_BITS & NEVER;
}

static inline uint32_t turn_place(uint64_t key)
{
	return key & ((1u << PLACE_BITS) - 1);
}

static inline uint64_t turn_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t turn_sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Of the wave that is k-th by age, from what it does next. */
static inline uint64_t turn_of(const struct simd *s, const struct wave *w, uint32_t k)
{
	return turn_key(turn_later(w->next, s->unit_free[w->ip->unit]), k);
}

/* The wave at place k has issued to `unit`, free again from cycle `free` on, and wants its next turn: all others that want the unit wait
 * for as long. Sets the SIMD's first turn. */
static inline void turn_pass(struct simd *s, uint32_t k, unsigned unit, uint64_t free)
{
	const struct wave *w = s->order[k];
	const uint64_t own = turn_of(s, w, k), wants = w->ip->unit;

	if (s->count == 1) {
		s->first = s->turn[0] = own;
		s->wants[0] = wants;
		return;
	}
#ifdef __AVX2__
	static const uint64_t lane[2 * TURNS] __attribute__((aligned(32))) = { [TURNS] = UINT64_MAX };
	const __m256i u = _mm256_set1_epi64x(unit), own4 = _mm256_set1_epi64x(own), wants4 = _mm256_set1_epi64x(wants);
	__m256i from = _mm256_add_epi64(_mm256_set1_epi64x(turn_key(free, 0)), _mm256_set_epi64x(3, 2, 1, 0));
	__m256d others = _mm256_castsi256_pd(_mm256_set1_epi64x(TURN_NEVER));
	for (uint32_t j = 0; j < s->count; j += 4) {
		__m256i *key = (__m256i *)(s->turn + j), *want = (__m256i *)(s->wants + j);
		__m256d me = _mm256_loadu_pd((const double *)(lane + TURNS - k + j));
		__m256d at = _mm256_castsi256_pd(_mm256_and_si256(_mm256_cmpeq_epi64(*want, u), from));
		at = _mm256_max_pd(_mm256_castsi256_pd(*key), at);
		others = _mm256_min_pd(_mm256_or_pd(at, me), others); /* all ones are no number: then it is the second */
		at = _mm256_blendv_pd(at, _mm256_castsi256_pd(own4), me);
		*want = _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(*want), _mm256_castsi256_pd(wants4), me));
		*key = _mm256_castpd_si256(at);
		from = _mm256_add_epi64(from, _mm256_set1_epi64x(4));
	}
	__m128d half = _mm_min_pd(_mm256_castpd256_pd128(others), _mm256_extractf128_pd(others, 1));
	s->first = turn_sooner(own, _mm_cvtsi128_si64(_mm_castpd_si128(_mm_min_pd(half, _mm_unpackhi_pd(half, half)))));
#else
	uint64_t first = TURN_NEVER;
	s->turn[k] = own;
	s->wants[k] = wants;
	for (uint32_t j = 0; j < s->count; j++) {
		uint64_t from = s->wants[j] == unit && j != k ? turn_key(free, j) : 0;
		s->turn[j] = turn_later(s->turn[j], from);
		first = turn_sooner(first, s->turn[j]);
	}
	s->first = first;
#endif
}

/* Until when the wave at place k has the turn as long as it keeps the vector ALU busy: younger waves that want it wait until it is done. */
static inline uint64_t turn_streak(const struct simd *s, uint32_t k)
{
	uint64_t first = TURN_NEVER;

	for (uint32_t j = 0; j < k; j++)
		first = turn_sooner(first, s->turn[j]);
	for (uint32_t j = k + 1; j < s->count; j++)
		first = turn_sooner(first, s->turn[j] | -(uint64_t)(s->wants[j] == UNIT_VALU) >> 1);
	return first;
}

/* The next turn of the other SIMDs of the CU. */
static inline uint64_t simd_first_of_others(const struct simd *s)
{
	const struct simd *all = s->cu->simd;
	unsigned k = s->number % SIMDS;

	_Static_assert(SIMDS == 4, "three others");
	return turn_time(turn_sooner(all[k ^ 1].first, turn_sooner(all[k ^ 2].first, all[k ^ 3].first)));
}

/* The wave at place k may issue from now on at another time than before. */
static inline void turn_set(struct simd *s, uint32_t k)
{
	const struct wave *w = s->order[k];

	s->turn[k] = turn_of(s, w, k);
	s->wants[k] = w->ip->unit;
	s->first = turn_sooner(s->first, s->turn[k]);
}

#endif
