#include "softgpu/core/cache.h"

#include <stdlib.h>
#include <string.h>

enum { NO_WAY = 127 /* rank of what is behind the last way */ };

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways)
{
	*c = (struct cache){ .ways = ways, .sets = sets, .padded = (ways + CACHE_VECTOR - 1) / CACHE_VECTOR * CACHE_VECTOR };
	c->brief_at = ways * sizeof(uint64_t);
	c->rank_at = c->brief_at + (ways > 4 ? c->padded : 4) * sizeof(uint32_t);
	c->newest_at = c->rank_at + c->padded;
	c->set_bytes = (c->newest_at + sizeof(uint32_t) + 7) / 8 * 8;
	c->set = calloc(sets, c->set_bytes);
	c->ready = calloc((size_t)sets * ways, sizeof *c->ready);
	for (size_t k = 0; c->set && k < sets; k++)
		for (uint32_t way = 0; way < c->padded; way++)
			c->set[k * c->set_bytes + c->rank_at + way] = way < ways ? way : NO_WAY;
	return c->set && c->ready;
}

void cache_close(struct cache *c)
{
	free(c->set);
	free(c->ready);
}

void cache_clear(struct cache *c)
{
	for (size_t k = 0; k < c->sets; k++)
		memset(c->set + k * c->set_bytes, 0, c->rank_at);
}

void cache_arrive(struct cache *c)
{
	memset(c->ready, 0, sizeof *c->ready * c->sets * c->ways);
}
