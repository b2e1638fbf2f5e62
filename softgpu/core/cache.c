#include "softgpu/core/cache.h"

#include <stdlib.h>
#include <string.h>

bool cache_open(struct cache *c, uint32_t sets, uint32_t ways)
{
	*c = (struct cache){ .tag = calloc((size_t)sets * ways, sizeof *c->tag),
		.ready = calloc((size_t)sets * ways, sizeof *c->ready), .ways = ways, .sets = sets };
	return c->tag && c->ready;
}

void cache_close(struct cache *c)
{
	free(c->tag);
	free(c->ready);
}

void cache_clear(struct cache *c)
{
	memset(c->tag, 0, sizeof *c->tag * c->sets * c->ways);
}
