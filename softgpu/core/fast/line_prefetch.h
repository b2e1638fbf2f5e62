/* Brings what a request will look at in the Infinity Cache into the caches of the host. Its tags are larger than those,
 * and a fill visits each set once, so without this each line waits for the host's memory several times. */
#ifndef SOFTGPU_CORE_FAST_LINE_PREFETCH_H
#define SOFTGPU_CORE_FAST_LINE_PREFETCH_H

#include "softgpu/core/memory/l2.h"

enum { PREFETCH_LINES = 16, /* ahead of the request */ PREFETCH_BYTES = 64 /* of a line of the host */ };

static inline void prefetch_set(const struct cache *c, uint64_t number)
{
	for (uint32_t at = 0; at < c->set_bytes; at += PREFETCH_BYTES)
		__builtin_prefetch(c->set + number * c->set_bytes + at, 1);
	for (uint32_t way = 0; way < c->ways; way += PREFETCH_BYTES / sizeof *c->ready)
		__builtin_prefetch(c->ready + number * c->ways + way, 1);
}

/* The tag that L2 evicts for the line. */
static inline uint64_t find_next_victim(const struct cache *c, uint64_t set)
{
	const uint8_t *s = c->set + set * c->set_bytes;

	return ((const uint64_t *)s)[cache_find_lru(c, s)];
}

/* Call before a line is requested that lies PREFETCH_LINES before `line`. Loads look for their line in the Infinity
 * Cache, and it takes the dirty lines that L2 evicts. */
static inline void prefetch_line(struct machine *m, uint64_t line, bool loads)
{
	uint64_t inside, set;
	struct channel *c = l2_channel_of(m, line, &inside, &set);

	if (!c->l3.sets)
		return;
	const uint64_t out = find_next_victim(&c->l2, set);
	if (loads)
		prefetch_set(&c->l3, inside >> m->l2_shift & (c->l3.sets - 1));
	if (out & CACHE_DIRTY)
		prefetch_set(&c->l3, l3_set_of(m, c, (out & ~CACHE_MARKS) - 1));
}

#endif
