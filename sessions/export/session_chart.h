/* A chart of session records: the swept parameter on the x axis, and a series for each metric and for each combination
 * of the other parameters. */
#ifndef SESSIONS_EXPORT_SESSION_CHART_H
#define SESSIONS_EXPORT_SESSION_CHART_H

#include <jansson.h>
#include <stddef.h>

#include "plot/chart.h"
#include "plot/chart_svg.h"
#include "sessions/load/point_list.h"

/* A published value that is drawn with the curve of its metric. */
struct published_point {
	const char *metric;
	double x, y;
};

/* What the caller adds to a chart; sessions knows neither experiments nor devices. Everything is borrowed. */
struct chart_extras {
	const struct published_point *published;
	size_t published_count;
	int published_rows;  /* rows in the file, of which published_count belong to these curves */
	const char *sources; /* where the rows are from, for people; "" without rows */
	const struct chart_ruler *rulers;
	size_t ruler_count;
};

struct session_chart;

/* The id of the parameter on the x axis, borrowed from the header; NULL: none. */
const char *session_chart_x_param(const json_t *header, const struct point_list *points);
/* Borrows the records and the extras (may be NULL). NULL if there is nothing to draw: no metric on an axis, or no
 * parameter. */
struct session_chart *session_chart_new(
	const json_t *header, const struct point_list *points, const struct chart_extras *extras);
void session_chart_free(struct session_chart *s);
const struct chart *session_chart_of(const struct session_chart *s);
/* How many published values are in the chart. */
int session_chart_published_count(const struct session_chart *s);

/* Clocks, temperature and power of the points over the same x axis. A reading that is not available has no valid point.
 * Owned by the chart; returns how many. */
enum { CLOCK_STRIPS_MAX = 4 };
size_t session_chart_strips(
	struct session_chart *s, const struct point_list *points, struct chart_strip out[CLOCK_STRIPS_MAX]);

#endif
