/* Smaller charts below the chart of a session: the curves as ratio to the first one or difference from it, and the
 * cycles of each point by stall reason. */
#ifndef SESSIONS_EXPORT_SIDE_CHARTS_H
#define SESSIONS_EXPORT_SIDE_CHARTS_H

#include "sessions/export/session_chart.h"

enum { SIDE_CHARTS_MAX = 5 };

struct side_chart {
	struct chart chart;
	struct series *series;      /* owned */
	struct chart_point *points; /* owned */
	char *title;                /* owned */
	char **labels;              /* owned, as many as series; NULL: they are not */
};

/* Borrows the chart and its records. Returns how many were made; the caller frees each. */
size_t side_charts_make(
	const struct session_chart *s, const struct point_list *points, struct side_chart out[SIDE_CHARTS_MAX]);
void side_chart_free(struct side_chart *c);

/* --- ratio_chart.c --- */
/* The main metric of the other groups as ratio to that of the first one, or as difference from it. False without two
 * groups that share points. */
bool ratio_chart_make(const struct session_chart *s, struct side_chart *out);
/* --- stall_chart.c --- */
/* The cycles of a group's points by stall reason, stacked up to the main metric if that is a time, else to the cycles
 * of the launch. False if a measured point has no profile. */
bool stall_chart_make(
	const struct session_chart *s, const struct point_list *points, size_t group, struct side_chart *out);

#endif
