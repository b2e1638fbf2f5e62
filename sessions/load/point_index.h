/* The points of a session by their parameters. The key is a text made of the parameter values. */
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

void point_index_add(struct point_index *x, char *key, size_t at); /* takes ownership of the key */
void point_index_sort(struct point_index *x); /* call it once, after the last add and before the first find */
/* The last point with that key, because a point measured again replaces the earlier one. NULL if there is none. */
const struct point_key *point_index_find(const struct point_index *x, const char *key);
void point_index_free(struct point_index *x);

#endif
