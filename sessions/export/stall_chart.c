#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/stalls/stall_stack.h"
#include "plot/curve_knees.h"
#include "sessions/export/side_charts.h"
#include "sessions/load/session_columns.h"

/* The measured points of a group. */
struct stacked_point {
	double x, top;
	struct breakdown cycles;
};

/* False if a point has no profile. */
static bool read_stacked_point(
	const struct session_chart *s, const json_t *point, const struct column *metric, struct stacked_point *out)
{
	struct reading top = metric ? column_metric(metric, point) : (struct reading){0};
	out->x = session_chart_read_x(s, point).value;
	out->cycles.valid = breakdown_from_record(point, out->cycles.cycles, &out->cycles.all);
	out->top = metric ? top.value : out->cycles.all;
	return out->cycles.valid && (!metric || top.valid);
}

/* Returns how many; 0 if one has no profile. */
static int read_stacked_points(const struct session_chart *s, const struct point_list *points, size_t group,
	const struct column *metric, struct stacked_point *out)
{
	char fault[400];
	int n = 0;
	for (size_t i = 0; i < points->count; i++) {
		if (session_chart_point_group(s, i) != group)
			continue;
		const json_t *point = point_list_get(points, i);
		if (!session_chart_read_x(s, point).valid ||
			(point_describe_fault(point, fault, sizeof fault) && !point_has_wrong_result(point)))
			continue;
		if (!read_stacked_point(s, point, metric, &out[n++]))
			return 0;
	}
	return n;
}

static void add_stall_series(const struct session_chart *s, const struct stacked_point *list, int count,
	const int *shown, int n, const char *unit, struct side_chart *out)
{
	out->series = xcalloc((size_t)n, sizeof *out->series);
	out->points = xcalloc((size_t)(n * count), sizeof *out->points);
	for (int k = 0; k < n; k++) {
		const struct stall_reason_info *reason = stall_reason_info(shown[k]);
		out->series[k] = (struct series){.label = reason->label,
			.unit = unit,
			.mark = reason->letter,
			.points = &out->points[k * count],
			.count = (size_t)count,
			.style = session_chart_has_choices(s) ? STYLE_BAR : STYLE_BAND};
	}
	for (int i = 0; i < count; i++) {
		double edges[STALL_REASON_COUNT + 1], top = list[i].top;
		stall_stack_edges(&list[i].cycles, shown, n, edges);
		for (int k = 0; k < n; k++)
			out->points[k * count + i] = (struct chart_point){.x = list[i].x,
				.y = top * edges[k + 1],
				.valid = true,
				.low = top * edges[k],
				.high = top * edges[k + 1]};
	}
}

/* --- curves without a profile --- */

/* Whether the group has points of the session itself: then it has stacks, or could have them. */
static bool group_is_measured(const struct session_chart *s, const struct point_list *points, size_t group)
{
	for (size_t i = 0; i < points->count; i++)
		if (session_chart_point_group(s, i) == group)
			return true;
	return false;
}

/* The compared curves, as levels over the stacks: where theirs would end. Their marks are those of the chart above. */
static void add_compared_levels(const struct session_chart *s, const struct point_list *points,
	const struct column *metric, struct side_chart *out)
{
	size_t groups = session_chart_group_count(s), n = out->chart.series_count;
	out->series = xrealloc(out->series, (n + groups) * sizeof *out->series);
	out->chart.series = out->series;
	for (size_t g = 0; metric && g < groups; g++) {
		const struct series *from = session_chart_find_series(s, g, metric);
		if (!from || group_is_measured(s, points, g))
			continue;
		out->series[n] = *from;
		out->series[n].style = STYLE_LEVEL;
		out->series[n++].label = session_chart_group_name(s, g);
	}
	out->chart.series_count = n;
}

bool stall_chart_make(
	const struct session_chart *s, const struct point_list *points, size_t group, struct side_chart *out)
{
	const struct chart *all = session_chart_of(s);
	const struct column *metric = session_chart_main_metric(s);
	const char *name = session_chart_group_name(s, group);
	*out = (struct side_chart){0};
	if (!unit_counts_cost(metric->unit))
		metric = NULL;
	struct stacked_point *list = xcalloc(points->count + 1, sizeof *list);
	int count = read_stacked_points(s, points, group, metric, list), shown[STALL_REASON_COUNT];
	struct breakdown *cycles = xcalloc((size_t)count + 1, sizeof *cycles);
	for (int i = 0; i < count; i++)
		cycles[i] = list[i].cycles;
	int n = count ? stall_stack_choose(cycles, count, shown) : 0;
	if (n) {
		add_stall_series(s, list, count, shown, n, metric ? metric->unit : "cycles", out);
		out->chart = (struct chart){.title = "",
			.x_label = all->x_label,
			.x_unit = all->x_unit,
			.x_names = all->x_names,
			.x_name_count = all->x_name_count,
			.series = out->series,
			.series_count = (size_t)n,
			.rulers = all->rulers,
			.ruler_count = all->ruler_count};
		add_compared_levels(s, points, metric, out);
		out->title = xasprintf("%s by stall reason%s%s", metric ? metric->id : "cycles of the launch",
			*name ? ", " : "", name);
		chart_fit_scales(&out->chart, all->x.log2, false);
	}
	free(cycles);
	free(list);
	return n > 0;
}
