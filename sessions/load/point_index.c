#include "sessions/load/point_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void point_index_add(struct point_index *x, char *key, size_t at)
{
	if (x->count == x->room) {
		x->room = x->room ? 2 * x->room : 64;
		x->list = xrealloc(x->list, x->room * sizeof *x->list);
	}
	x->list[x->count++] = (struct point_key){key, at};
}

static int compare_point_keys(const void *a, const void *b)
{
	const struct point_key *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

void point_index_sort(struct point_index *x)
{
	if (x->count)
		qsort(x->list, x->count, sizeof *x->list, compare_point_keys);
}

const struct point_key *point_index_find(const struct point_index *x, const char *key)
{
	size_t low = 0, high = x->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(x->list[middle].key, key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low && !strcmp(x->list[low - 1].key, key) ? &x->list[low - 1] : NULL;
}

void point_index_free(struct point_index *x)
{
	for (size_t i = 0; i < x->count; i++)
		free(x->list[i].key);
	free(x->list);
	*x = (struct point_index){0};
}
