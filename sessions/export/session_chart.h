/* A chart of session records: the swept parameter on the x axis, a series for each metric and for each combination of
 * the other parameters. */
#ifndef SESSIONS_EXPORT_SESSION_CHART_H
#define SESSIONS_EXPORT_SESSION_CHART_H

#include <jansson.h>
#include <stddef.h>

#include "experiments/analysis/published_overlay.h"
#include "plot/chart.h"
#include "plot/chart_svg.h"

struct session_chart;

/* Borrows the records. NULL when there is nothing to draw: no metric on an axis, or no swept parameter. */
struct session_chart *session_chart_new(const json_t *header, json_t *const *points, size_t count);
/* Adds the published rows that belong to the curves; borrows `v`. Returns how many. */
int session_chart_add_published(
	struct session_chart *s, const struct validation *v, json_t *const *points, size_t count);
/* Clocks, temperature and power of the points over the same axis; what was never read has no valid point. Owned by the
 * chart; returns how many. */
enum { CLOCK_STRIPS_MAX = 4 };
size_t session_chart_strips(
	struct session_chart *s, json_t *const *points, size_t count, struct chart_strip out[CLOCK_STRIPS_MAX]);
void session_chart_free(struct session_chart *s);
const struct chart *session_chart_of(const struct session_chart *s);

#endif
