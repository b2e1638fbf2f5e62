/* A chart of session records: the swept parameter on the x axis, and a series for each metric and for each combination
 * of the other parameters. */
#ifndef SESSIONS_EXPORT_SESSION_CHART_H
#define SESSIONS_EXPORT_SESSION_CHART_H

#include <jansson.h>
#include <stddef.h>

#include "plot/chart.h"
#include "plot/strip_svg.h"
#include "gpu/protocol/record.h"
#include "sessions/load/point_list.h"

/* A published value that is drawn with the curve of its metric. */
struct published_point {
	const char *metric;
	double x, y;
};

/* A curve to compare with that of the session, of the same experiment. */
struct compared_curve {
	const char *name;
	const struct point_list *points;
};

/* What the caller adds to a chart; sessions knows neither experiments nor devices. Everything is borrowed. */
struct chart_extras {
	const struct published_point *published;
	size_t published_count;
	int published_rows;  /* rows in the file, of which published_count belong to these curves */
	const char *sources; /* where the rows are from, for people; "" without rows */
	const struct chart_ruler *rulers;
	size_t ruler_count;
	const struct compared_curve *compared;
	size_t compared_count;
	bool differences; /* the compared curves as difference from the session's, rather than as ratio to it */
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
size_t session_chart_strips(const struct session_chart *s, struct chart_strip out[CLOCK_STRIPS_MAX]);

/* How the samples of a record came about (sampling_text.h); "": nothing to say. */
const char *session_chart_marks(const struct session_chart *s, size_t point);

/* The indexes of the points that failed, whose numbers cannot be used, or whose clock moved; owned by the chart. */
size_t session_chart_suspects(const struct session_chart *s, const size_t **list);

/* --- for the smaller charts below it (side_charts.h) --- */
struct column;
size_t session_chart_group_count(const struct session_chart *s); /* combinations of the other parameters */
const char *session_chart_group_name(const struct session_chart *s, size_t group); /* "variant=published"; "" */
size_t session_chart_point_group(const struct session_chart *s, size_t point);     /* of a record */
struct reading session_chart_read_x(const struct session_chart *s, const json_t *point);
bool session_chart_is_over_metric(const struct session_chart *s); /* a metric is on the x axis */
bool session_chart_has_choices(const struct session_chart *s);    /* the x axis has names */
bool session_chart_has_differences(const struct session_chart *s);
/* The first metric on the left axis that is no bound, else on the right one; NULL. */
const struct column *session_chart_main_metric(const struct session_chart *s);
/* The curve of a metric and a group; NULL. */
const struct series *session_chart_find_series(
	const struct session_chart *s, size_t group, const struct column *metric);

#endif
