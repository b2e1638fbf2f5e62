#include "softgpu/core/state/cluster.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256 };

void *cluster_grow_list(void *list, size_t *room, size_t size)
{
	*room = *room ? 2 * *room : FIRST_ROOM;
	list = realloc(list, *room * size);
	if (!list)
		abort();
	return list;
}
