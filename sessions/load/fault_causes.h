/* The causes of the faults of a session's points (point_describe_fault), and how many points each has: one cause is
 * given once. */
#ifndef SESSIONS_LOAD_FAULT_CAUSES_H
#define SESSIONS_LOAD_FAULT_CAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "sessions/load/point_list.h"

enum { FAULT_CAUSES_MAX = 64, FAULT_TEXT = 512 };

struct fault_cause {
	char text[FAULT_TEXT];
	int points;
	bool is_told; /* for the user of the list; false at first */
};

/* In the order of the points. */
struct fault_causes {
	struct fault_cause *list; /* owned; fault_causes_free */
	int count;
	int points; /* with a fault, those with more causes than the list has included */
};

/* Parses only the points that may have a fault. */
void fault_causes_count(const struct point_list *points, struct fault_causes *out);
/* For points that come one by one; begin with an empty structure. */
void fault_causes_add(struct fault_causes *f, const json_t *point);
/* NULL: not in the list. */
struct fault_cause *fault_causes_find(const struct fault_causes *f, const char *text);
void fault_causes_free(struct fault_causes *f);

#endif
