/* Tags of a set-associative cache with least-recently-used replacement. Only timing is simulated: data is in host
 * memory.
 */
#ifndef SOFTGPU_CORE_STATE_CACHE_TAGS_H
#define SOFTGPU_CORE_STATE_CACHE_TAGS_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set is contiguous: tags (0: empty; else line + 1, and CACHE_MARKS), the lower halves of the tags, the LRU rank of
 * each way (0: used last), and the way used last. Ways are padded to whole vectors. */
struct cache {
	uint8_t *set;
	uint64_t *ready; /* cycle at which a way's data arrives */
	uint32_t ways, sets, padded;
	uint32_t brief_at, rank_at, newest_at, set_bytes;
	bool filled, filling; /* lines were inserted since the tags were cleared, since the fills were completed */
	bool written;         /* lines were written since cache_forget_writes */
};
/* Of either half; a line of 64 bytes is a first half. */
#define CACHE_DIRTY   (UINT64_C(3) << 62)
#define CACHE_WRITTEN (UINT64_C(3) << 60) /* since cache_forget_writes */
#define CACHE_MARKS   (CACHE_DIRTY | CACHE_WRITTEN)
enum { CACHE_WAYS_PER_VECTOR = 16 };

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways);
void cache_close(struct cache *c);
void cache_clear(struct cache *c);
void cache_complete_fills(struct cache *c); /* marks all outstanding data as arrived */
void cache_forget_writes(struct cache *c);  /* clears CACHE_WRITTEN; lines stay dirty */

/* Marks the way as used last. */
static inline void cache_touch(const struct cache *c, uint8_t *set, uint32_t way)
{
	uint8_t *rank = set + c->rank_at;
	__m128i before = _mm_set1_epi8(rank[way]);

	for (uint32_t k = 0; k < c->padded; k += CACHE_WAYS_PER_VECTOR) {
		__m128i r = _mm_loadu_si128((const __m128i *)(rank + k));
		_mm_storeu_si128((__m128i *)(rank + k), _mm_sub_epi8(r, _mm_cmplt_epi8(r, before)));
	}
	rank[way] = 0;
	*(uint32_t *)(set + c->newest_at) = way;
}

/* Of the sixteen ways from k on, those whose lower tag half is `half`, a bit each. */
static inline uint32_t cache_match_ways(const struct cache *c, const uint8_t *set, uint32_t k, __m128i half)
{
	const __m128i *brief = (const __m128i *)(set + c->brief_at + 4 * k);
	__m128i a = _mm_cmpeq_epi32(_mm_loadu_si128(brief), half);

	if (c->ways <= 4)
		return _mm_movemask_ps(_mm_castsi128_ps(a));
	a = _mm_packs_epi32(a, _mm_cmpeq_epi32(_mm_loadu_si128(brief + 1), half));
	__m128i b = _mm_packs_epi32(
		_mm_cmpeq_epi32(_mm_loadu_si128(brief + 2), half), _mm_cmpeq_epi32(_mm_loadu_si128(brief + 3), half));
	return _mm_movemask_epi8(_mm_packs_epi16(a, b));
}

/* The tag of `line` in set `number`; NULL: it is not there. */
static inline uint64_t *cache_peek_tag(const struct cache *c, uint64_t number, uint64_t line)
{
	uint8_t *set = c->set + number * c->set_bytes;
	uint64_t *tag = (uint64_t *)set;
	uint32_t way = *(const uint32_t *)(set + c->newest_at);

	if ((tag[way] & ~CACHE_MARKS) == line + 1)
		return tag + way;
	const __m128i half = _mm_set1_epi32((uint32_t)(line + 1));
	for (uint32_t k = 0; k < c->padded; k += CACHE_WAYS_PER_VECTOR)
		for (uint32_t like = cache_match_ways(c, set, k, half); like; like &= like - 1) {
			way = k + __builtin_ctz(like);
			if (way < c->ways && (tag[way] & ~CACHE_MARKS) == line + 1)
				return tag + way;
		}
	return NULL;
}

/* The same for a use: marks it as used last. */
static inline uint64_t *cache_find_tag(const struct cache *c, uint64_t number, uint64_t line)
{
	uint8_t *set = c->set + number * c->set_bytes;
	uint64_t *tag = cache_peek_tag(c, number, line);

	if (tag && tag - (uint64_t *)set != *(const uint32_t *)(set + c->newest_at))
		cache_touch(c, set, tag - (uint64_t *)set);
	return tag;
}

static inline uint64_t *cache_ready_of_tag(const struct cache *c, uint64_t number, const uint64_t *tag)
{
	return tag ? c->ready + number * c->ways + (tag - (const uint64_t *)(c->set + number * c->set_bytes)) : NULL;
}

/* When the line's data arrives; NULL: it is not there. `find` is a use, `peek` is not. */
static inline uint64_t *cache_find(const struct cache *c, uint64_t number, uint64_t line)
{
	return cache_ready_of_tag(c, number, cache_find_tag(c, number, line));
}

static inline uint64_t *cache_peek(const struct cache *c, uint64_t number, uint64_t line)
{
	return cache_ready_of_tag(c, number, cache_peek_tag(c, number, line));
}

/* The marks of a line whose halves are dirty because they are written. */
static inline uint64_t cache_marks_of_write(uint64_t dirty)
{
	return dirty | dirty >> 2;
}

/* Writes halves of a line that was found. Returns whether it is the first write of one of them. */
static inline bool cache_write(struct cache *c, uint64_t *tag, uint64_t dirty)
{
	const uint64_t marks = cache_marks_of_write(dirty), first = ~*tag & marks & CACHE_WRITTEN;

	*tag |= marks;
	c->written = true;
	return first;
}

static inline uint32_t cache_find_lru(const struct cache *c, const uint8_t *set)
{
	const __m128i last = _mm_set1_epi8(c->ways - 1);

	for (uint32_t k = 0;; k += CACHE_WAYS_PER_VECTOR) {
		uint32_t bits = _mm_movemask_epi8(
			_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(set + c->rank_at + k)), last));
		if (bits)
			return k + __builtin_ctz(bits);
	}
}

/* Inserts `line` with marks in place of the least recently used one; returns the evicted tag (0: none). */
static inline uint64_t cache_insert(struct cache *c, uint64_t number, uint64_t line, uint64_t marks, uint64_t ready)
{
	uint8_t *set = c->set + number * c->set_bytes;
	uint32_t way = cache_find_lru(c, set);
	uint64_t *tag = (uint64_t *)set + way, out = *tag;

	*tag = (line + 1) | marks;
	((uint32_t *)(set + c->brief_at))[way] = line + 1;
	c->ready[number * c->ways + way] = ready;
	c->filled = c->filling = true;
	c->written |= marks != 0;
	cache_touch(c, set, way);
	return out;
}

/* The line that cache_find found is loaded once more; its data arrives at `at`. */
static inline void cache_refill(struct cache *c, uint64_t *ready, uint64_t at)
{
	*ready = at;
	c->filling = true;
}

#endif
