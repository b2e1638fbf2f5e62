#include "softgpu/driver/kfd/buffer_index.h"

#include <search.h>
#include <stdlib.h>

struct place {
	uint64_t va, size;
	size_t number;
};

static void *tree;

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->va != y->va)
		return x->va < y->va ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Equal to the place that contains the address. */
static int compare_address(const void *address, const void *place)
{
	const uint64_t va = *(const uint64_t *)address;
	const struct place *p = place;

	return va < p->va ? -1 : va - p->va >= p->size;
}

bool buffer_index_add(uint64_t va, uint64_t size, size_t number)
{
	struct place *p = malloc(sizeof *p);

	if (!p)
		return false;
	*p = (struct place){va, size, number};
	if (tsearch(p, &tree, compare_places))
		return true;
	free(p);
	return false;
}

void buffer_index_remove(uint64_t va, size_t number)
{
	const struct place key = {.va = va, .number = number};
	struct place **found = tfind(&key, &tree, compare_places), *p;

	if (!found)
		return;
	p = *found;
	tdelete(&key, &tree, compare_places);
	free(p);
}

size_t buffer_index_find(uint64_t va)
{
	struct place **found = tfind(&va, &tree, compare_address);

	return found ? (*found)->number : 0;
}

void buffer_index_reset_in_child(void)
{
	tree = NULL;
}
