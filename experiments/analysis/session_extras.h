/* What is drawn with the curves of a recorded session: its experiment's published values, and the cache and line sizes
 * of its device as rulers. */
#ifndef EXPERIMENTS_ANALYSIS_SESSION_EXTRAS_H
#define EXPERIMENTS_ANALYSIS_SESSION_EXTRAS_H

#include "experiments/analysis/cache_capacities.h"
#include "experiments/analysis/published_overlay.h"
#include "sessions/export/session_chart.h"

struct session_extras {
	struct chart_extras chart; /* points into the fields below: do not copy the struct */
	struct published_point *published;
	struct chart_ruler rulers[CAPACITIES_MAX];
	char *ruler_names[CAPACITIES_MAX];
	char sources[600];
};

/* `rows` may be NULL; it and the header must outlive the extras. Returns &out->chart. */
const struct chart_extras *session_extras_make(struct session_extras *out, const json_t *header,
	const struct point_list *points, const struct validation *rows);
void session_extras_free(struct session_extras *e);

#endif
