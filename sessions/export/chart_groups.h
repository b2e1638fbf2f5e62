/* The points of a session by the values of their parameters, the one on the x axis aside: each combination is a group,
 * and its points are one curve of each metric. */
#ifndef SESSIONS_EXPORT_CHART_GROUPS_H
#define SESSIONS_EXPORT_CHART_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "sessions/load/session_columns.h"

enum { GROUPS_MAX = 64 };

struct chart_groups {
	struct chart_group {
		char *values; /* of all parameters but x, as text; NULL: the group was added by its name */
		char *name;   /* "variant=published": the parameters that differ between groups */
	} list[GROUPS_MAX];
	size_t count, last; /* last: the group of the last point */
	bool varying[COLUMNS_MAX];
};

/* The value as people read it: "4 KiB", the name of a choice; "" without one. The caller frees it. */
char *param_copy_text(const struct column *c, const json_t *point);
/* The group of a point, a new one if it is the first of its combination; GROUPS_MAX: no room. `x`: the parameter on the
 * x axis. */
size_t groups_place_point(struct chart_groups *g, const struct session_columns *c, int x, const json_t *point);
/* Names the groups, once all points have one. */
void groups_make_names(struct chart_groups *g, const struct session_columns *c, int x);
/* Returns the group, or GROUPS_MAX. */
size_t groups_add_named(struct chart_groups *g, const char *name);
void groups_free(struct chart_groups *g);

#endif
