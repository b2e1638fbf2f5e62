/* The order of a session's points: that of the plan in its header, however they arrived. The axes of the sweep count
 * from the slowest to the fastest, before them the parameters that were turned by hand, in the order of the definition.
 * The values of an axis have the order that they were given in; others lie between them by their size. The values of a
 * choice have the order of the definition. A session without a sweep was turned by hand: its order is its history. */
#ifndef SESSIONS_LOAD_PLAN_ORDER_H
#define SESSIONS_LOAD_PLAN_ORDER_H

#include "sessions/load/point_list.h"
#include "sessions/load/session_columns.h"

struct plan_order {
	struct order_axis {
		struct column column;
		double *values; /* of the sweep, ascending, with their places in it; NULL: not swept */
		size_t *places;
		size_t count;
		int direction; /* 1: they ascend, -1: they descend, 0: neither */
	} axes[COLUMNS_MAX];
	int axis_count;           /* 0: the session has no sweep */
	double last[COLUMNS_MAX]; /* the key of the last point: a number for each axis */
	size_t count;
	bool is_in_order; /* all points added so far */
};

/* Borrows from the header. plan_order_free. */
void plan_order_init(struct plan_order *o, const json_t *header);
/* Notes the next point of the list. */
void plan_order_add(struct plan_order *o, const json_t *point);
/* Puts the points in order. Of several with the same parameters, the last one that was measured stays. */
void plan_order_apply(const struct plan_order *o, struct point_list *points);
void plan_order_free(struct plan_order *o);

/* The points of the plan in a header, or in the description of a batch; 1 without a sweep. */
size_t plan_count_points(const json_t *header);
/* The parameters of point i of the plan in a header, of which the last axis is the fastest; the caller owns them. */
json_t *plan_point_params(const json_t *header, size_t i);

#endif
