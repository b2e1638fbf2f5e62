#include "sessions/export/side_charts.h"

#include <stdlib.h>

size_t side_charts_make(
	const struct session_chart *s, const struct point_list *points, struct side_chart out[SIDE_CHARTS_MAX])
{
	size_t n = 0;
	if (session_chart_is_over_metric(s) || !session_chart_main_metric(s))
		return 0;
	n += ratio_chart_make(s, &out[n]);
	for (size_t g = 0; g < session_chart_group_count(s) && n < SIDE_CHARTS_MAX; g++)
		n += stall_chart_make(s, points, g, &out[n]);
	return n;
}

void side_chart_free(struct side_chart *c)
{
	for (size_t i = 0; c->labels && i < c->chart.series_count; i++)
		free(c->labels[i]);
	free(c->labels);
	free(c->series);
	free(c->points);
	free(c->title);
	*c = (struct side_chart){0};
}
