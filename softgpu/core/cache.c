#include "softgpu/core/cache.h"

#include <stdlib.h>
#include <string.h>

static uint32_t whole(uint32_t ways, uint32_t vector)
{
	return (ways + vector - 1) / vector * vector;
}

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways)
{
	const size_t n = sets;

	*c = (struct cache){ .ways = ways, .sets = sets, .searched = whole(ways, 4), .ranked = whole(ways, 16) };
	c->tag = calloc(n * ways, sizeof *c->tag);
	c->ready = calloc(n * ways, sizeof *c->ready);
	c->brief = calloc(n * c->searched, sizeof *c->brief);
	c->rank = malloc(n * c->ranked);
	for (size_t k = 0; c->rank && k < n * c->ranked; k++)
		c->rank[k] = k % c->ranked < ways ? k % c->ranked : RANK_NONE;
	return c->tag && c->ready && c->brief && c->rank;
}

void cache_close(struct cache *c)
{
	free(c->tag);
	free(c->ready);
	free(c->brief);
	free(c->rank);
}

void cache_clear(struct cache *c)
{
	memset(c->tag, 0, sizeof *c->tag * c->sets * c->ways);
	memset(c->brief, 0, sizeof *c->brief * c->sets * c->searched);
}
