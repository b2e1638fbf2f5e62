/* Tags of a set-associative cache with least-recently-used replacement. Data lives in memory only: this is about time. */
#ifndef SOFTGPU_CORE_CACHE_H
#define SOFTGPU_CORE_CACHE_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache {
	uint64_t *tag;      /* ways to a set; 0 is empty, otherwise line + 1, dirty halves in the top bits */
	uint64_t *ready;    /* when the line's data arrives */
	uint32_t *brief;    /* the tags' lower halves, `searched` to a set */
	uint8_t *rank;      /* how many ways of the set have been used since, `ranked` to a set; ways that are none: RANK_NONE */
	uint32_t ways, sets, searched, ranked;
};
#define CACHE_DIRTY (UINT64_C(3) << 62) /* either half; a line of 64 bytes is a first half */
enum { RANK_NONE = 127 };

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways);
void cache_close(struct cache *c);
void cache_clear(struct cache *c);

/* The way becomes the one used last. */
static inline void cache_use(struct cache *c, uint64_t set, uint32_t way)
{
	uint8_t *rank = c->rank + set * c->ranked;
	__m128i before = _mm_set1_epi8(rank[way]);

	for (uint32_t k = 0; k < c->ranked; k += 16) {
		__m128i r = _mm_loadu_si128((const __m128i *)(rank + k));
		_mm_storeu_si128((__m128i *)(rank + k), _mm_sub_epi8(r, _mm_cmplt_epi8(r, before)));
	}
	rank[way] = 0;
}

/* When the data of `line` in `set` is there, which then is the line used last; NULL when it is not in the cache. */
static inline uint64_t *cache_find(struct cache *c, uint64_t set, uint64_t line, uint64_t dirty)
{
	uint64_t *tag = c->tag + set * c->ways;
	const uint32_t *brief = c->brief + set * c->searched;
	const __m128i wanted = _mm_set1_epi32((uint32_t)(line + 1));

	for (uint32_t k = 0; k < c->searched; k += 4) {
		__m128i same = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(brief + k)), wanted);
		for (uint32_t bits = _mm_movemask_ps(_mm_castsi128_ps(same)); bits; bits &= bits - 1) {
			uint32_t way = k + __builtin_ctz(bits);
			if ((tag[way] & ~CACHE_DIRTY) != line + 1)
				continue;
			tag[way] |= dirty;
			if (c->rank[set * c->ranked + way])
				cache_use(c, set, way);
			return c->ready + set * c->ways + way;
		}
	}
	return NULL;
}

static inline uint32_t cache_oldest(const struct cache *c, uint64_t set)
{
	const uint8_t *rank = c->rank + set * c->ranked;
	const __m128i last = _mm_set1_epi8(c->ways - 1);

	for (uint32_t k = 0;; k += 16) {
		uint32_t bits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(rank + k)), last));
		if (bits)
			return k + __builtin_ctz(bits);
	}
}

/* Puts `line` into its set in place of the one used least recently and returns the tag that fell out (0: none). */
static inline uint64_t cache_insert(struct cache *c, uint64_t set, uint64_t line, uint64_t dirty, uint64_t ready_at)
{
	uint32_t way = cache_oldest(c, set);
	uint64_t *tag = c->tag + set * c->ways + way, out = *tag;

	*tag = (line + 1) | dirty;
	c->brief[set * c->searched + way] = line + 1;
	c->ready[set * c->ways + way] = ready_at;
	cache_use(c, set, way);
	return out;
}

#endif
