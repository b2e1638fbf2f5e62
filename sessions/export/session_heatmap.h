/* A sweep of two parameters as a heat map. */
#ifndef SESSIONS_EXPORT_SESSION_HEATMAP_H
#define SESSIONS_EXPORT_SESSION_HEATMAP_H

#include <jansson.h>

#include "plot/heatmap.h"
#include "sessions/load/point_list.h"

/* The metric over the parameter that was swept fastest (x) and the other one (y). `metric` is an index of the header's
 * metrics; -1: the first one on the left axis. False unless exactly two parameters with two values or more were swept.
 * Borrows the header; heatmap_free. */
bool session_heatmap_make(const json_t *header, const struct point_list *points, int metric, struct heatmap *out);
/* The same for several metrics, whose indexes are in the list, in one pass over the points. If false, `out` is
 * unchanged. */
bool session_heatmaps_make(
	const json_t *header, const struct point_list *points, const int *metrics, size_t count, struct heatmap *out);

#endif
