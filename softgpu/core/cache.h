/* Tags of a set-associative cache with least-recently-used replacement. Data lives in memory only: this is about time. */
#ifndef SOFTGPU_CORE_CACHE_H
#define SOFTGPU_CORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache {
	uint64_t *tag;      /* ways to a set, most recently used first; 0 is empty, otherwise line + 1, dirty halves in the top bits */
	uint64_t *ready;    /* when the line's data arrives */
	uint32_t ways, sets;
};
#define CACHE_DIRTY (UINT64_C(3) << 62) /* either half; a line of 64 bytes is a first half */

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways);
void cache_close(struct cache *c);
void cache_clear(struct cache *c);

/* The way holding `line` in `set`, moved to the front; NULL when it is not there. The pointer is to its ready time. */
static inline uint64_t *cache_find(struct cache *c, uint64_t set, uint64_t line, uint64_t dirty)
{
	uint64_t *tag = c->tag + set * c->ways, *ready = c->ready + set * c->ways;

	if ((tag[0] & ~CACHE_DIRTY) == line + 1) {
		tag[0] |= dirty;
		return ready;
	}
	for (uint32_t k = 1; k < c->ways; k++)
		if ((tag[k] & ~CACHE_DIRTY) == line + 1) {
			uint64_t t = tag[k], r = ready[k];
			for (; k; k--) {
				tag[k] = tag[k - 1];
				ready[k] = ready[k - 1];
			}
			tag[0] = t | dirty;
			ready[0] = r;
			return ready;
		}
	return NULL;
}

/* Puts `line` to the front of its set and returns the tag that fell out (0: none). */
static inline uint64_t cache_insert(struct cache *c, uint64_t set, uint64_t line, uint64_t dirty, uint64_t ready_at)
{
	uint64_t *tag = c->tag + set * c->ways, *ready = c->ready + set * c->ways, out = tag[c->ways - 1];

	for (uint32_t k = c->ways - 1; k; k--) {
		tag[k] = tag[k - 1];
		ready[k] = ready[k - 1];
	}
	tag[0] = (line + 1) | dirty;
	ready[0] = ready_at;
	return out;
}

#endif
