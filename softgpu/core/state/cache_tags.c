#include "softgpu/core/state/cache_tags.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/state/host_lines.h"

enum { NO_WAY = 127 /* rank of the padding */ };

/* The number of the newest way follows the ranks; if it fits, it is in their padding, so that a set of four ways is one
 * host cache line. A search for the LRU way finds that way before it reaches the number. */
static uint32_t newest_offset(const struct cache *c)
{
	const uint32_t end = c->rank_at + c->padded, size = sizeof(uint32_t);

	return c->ways + size <= c->padded ? end - size : end;
}

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways)
{
	*c = (struct cache){.ways = ways,
		.sets = sets,
		.padded = (ways + CACHE_WAYS_PER_VECTOR - 1) / CACHE_WAYS_PER_VECTOR * CACHE_WAYS_PER_VECTOR};
	c->brief_at = ways * sizeof(uint64_t);
	c->rank_at = c->brief_at + (ways > 4 ? c->padded : 4) * sizeof(uint32_t);
	c->newest_at = newest_offset(c);
	c->set_bytes = (c->newest_at + sizeof(uint32_t) + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
	c->set = allocate_host_lines(sets, c->set_bytes);
	c->ready = calloc((size_t)sets * ways, sizeof *c->ready);
	if (!c->set || !c->ready)
		return false;
	for (size_t k = 0; k < sets; k++) {
		uint8_t *set = c->set + k * c->set_bytes;
		for (uint32_t way = 0; way < c->padded; way++)
			set[c->rank_at + way] = way < ways ? way : NO_WAY;
		memset(set + c->newest_at, 0, sizeof(uint32_t));
	}
	return true;
}

void cache_close(struct cache *c)
{
	free(c->set);
	free(c->ready);
}

/* A small kernel fills few of a GPU's caches. Clearing all of them would take longer than the kernel. */
void cache_clear(struct cache *c)
{
	if (!c->filled)
		return;
	c->filled = false;
	for (size_t k = 0; k < c->sets; k++)
		memset(c->set + k * c->set_bytes, 0, c->rank_at);
}

void cache_complete_fills(struct cache *c)
{
	if (!c->filling)
		return;
	c->filling = false;
	memset(c->ready, 0, sizeof *c->ready * c->sets * c->ways);
}

void cache_forget_writes(struct cache *c)
{
	if (!c->written)
		return;
	c->written = false;
	for (size_t k = 0; k < c->sets; k++)
		for (uint32_t way = 0; way < c->ways; way++)
			((uint64_t *)(c->set + k * c->set_bytes))[way] &= ~CACHE_WRITTEN;
}
