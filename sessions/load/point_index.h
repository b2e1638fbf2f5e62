/* A session's points by their parameters: what a point is looked up with is a text made of its values. */
#ifndef SESSIONS_LOAD_POINT_INDEX_H
#define SESSIONS_LOAD_POINT_INDEX_H

#include <stddef.h>

struct point_key {
	char *key;
	size_t at;
};
struct point_index {
	struct point_key *list;
	size_t count, room;
};

void point_index_add(struct point_index *x, char *key, size_t at); /* takes the key, which is on the heap */
void point_index_sort(struct point_index *x); /* once, behind the last one and before the first look */
/* The last one with that key: a point measured again was measured again for a reason. NULL without. */
const struct point_key *point_index_find(const struct point_index *x, const char *key);
void point_index_free(struct point_index *x);

#endif
