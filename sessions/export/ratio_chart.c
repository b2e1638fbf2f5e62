#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/export/side_charts.h"
#include "sessions/load/session_columns.h"

/* The smallest range of the axis, so that noise does not fill the chart: of a ratio, and of the largest value. */
static const double LEAST_RATIO_RANGE = 0.1, LEAST_DIFFERENCE_RANGE = 0.05;

/* The valid points of a curve by their x, to find the first one of an x without looking through the curve. */
static int compare_points(const void *a, const void *b)
{
	const struct chart_point *p = *(const struct chart_point *const *)a, *q = *(const struct chart_point *const *)b;
	return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p > q) - (p < q);
}

static const struct chart_point **sort_valid_points(const struct series *s, size_t *count)
{
	const struct chart_point **list = xcalloc(s->count + 1, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->points[i].valid)
			list[(*count)++] = &s->points[i];
	qsort(list, *count, sizeof *list, compare_points);
	return list;
}

static const struct chart_point *find_point_at(const struct chart_point *const *list, size_t count, double x)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (list[middle]->x < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && list[low]->x == x ? list[low] : NULL;
}

/* The points of `from` as ratio to those of `base`, or as difference from them. Returns how many have one; *same: all
 * of these are equal. */
static size_t fill_compared_points(
	const struct series *base, const struct series *from, bool differences, struct chart_point *to, bool *same)
{
	size_t found = 0, count;
	const struct chart_point **at = sort_valid_points(base, &count);
	*same = true;
	for (size_t i = 0; i < from->count; i++) {
		const struct chart_point *p = &from->points[i], *q = p->valid ? find_point_at(at, count, p->x) : NULL;
		bool valid = q && (differences || q->y != 0);
		double y = !valid ? 0 : differences ? p->y - q->y : p->y / q->y;
		to[i] = (struct chart_point){.x = p->x,
			.y = y,
			.valid = valid,
			.suspect = valid && (p->suspect || q->suspect),
			.low = y,
			.high = y};
		found += valid;
		*same &= !valid || p->y == q->y;
	}
	free(at);
	return found;
}

/* The series keep the places that they have in the session's chart, and so their colors; the others have no points. */
static void start_ratio_series(const struct chart *all, const char *unit, struct side_chart *out)
{
	size_t total = 0;
	for (size_t i = 0; i < all->series_count; i++)
		total += all->series[i].count;
	out->series = xcalloc(all->series_count, sizeof *out->series);
	out->labels = xcalloc(all->series_count, sizeof *out->labels);
	out->points = xcalloc(total + 1, sizeof *out->points);
	out->chart = (struct chart){.title = "",
		.x_label = all->x_label,
		.x_unit = all->x_unit,
		.x_names = all->x_names,
		.x_name_count = all->x_name_count,
		.series = out->series,
		.series_count = all->series_count};
	for (size_t i = 0; i < all->series_count; i++) {
		out->labels[i] = xstrdup("");
		out->series[i] = (struct series){.label = out->labels[i],
			.unit = unit,
			.axis = AXIS_LEFT,
			.mark = all->series[i].mark,
			.points = out->points,
			.style = all->x_name_count ? STYLE_LEVEL : all->series[i].style};
	}
}

static double largest_value(const struct series *s)
{
	double largest = 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->points[i].valid)
			largest = fmax(largest, fabs(s->points[i].y));
	return largest;
}

static void fit_ratio_chart(const struct chart *all, const struct series *base, bool differences, struct chart *c)
{
	chart_fit_scales(c, all->x.log2, false);
	if (differences)
		chart_fit_around(c, AXIS_LEFT, 0, LEAST_DIFFERENCE_RANGE * largest_value(base));
	else
		chart_fit_around(c, AXIS_LEFT, 1, LEAST_RATIO_RANGE);
}

bool ratio_chart_make(const struct session_chart *s, struct side_chart *out)
{
	const struct chart *all = session_chart_of(s);
	const struct column *metric = session_chart_main_metric(s);
	const struct series *base = session_chart_find_series(s, 0, metric);
	size_t found = 0;
	bool differences = session_chart_has_differences(s);
	*out = (struct side_chart){0};
	if (!base || session_chart_group_count(s) < 2)
		return false;
	start_ratio_series(all, differences ? metric->unit : "ratio", out);
	struct chart_point *to = out->points;
	for (size_t g = 1; g < session_chart_group_count(s); g++) {
		bool same;
		const struct series *from = session_chart_find_series(s, g, metric);
		size_t n = from ? fill_compared_points(base, from, differences, to, &same) : 0,
		       at = from ? (size_t)(from - all->series) : 0;
		if (!n)
			continue;
		found += n;
		free(out->labels[at]);
		out->labels[at] = xasprintf("%s%s", session_chart_group_name(s, g), same ? ", identical" : "");
		out->series[at].label = out->labels[at];
		out->series[at].points = to;
		out->series[at].count = from->count;
		to += from->count;
	}
	if (!found) {
		side_chart_free(out);
		return false;
	}
	const char *first = session_chart_group_name(s, 0);
	out->title = xasprintf("%s: %s %s", metric->id, differences ? "difference from" : "ratio to",
		*first ? first : "the current curve");
	fit_ratio_chart(all, base, differences, &out->chart);
	return true;
}
