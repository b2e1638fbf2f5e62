/* Where the cycles go, over the sweep: a point's cycles by cause, stacked up to its curve. The account is of the
 * launch, the metric of what the experiment divides it into (a read, a loop): each cause has the same share of both.
 * Where the metric is no time the cycles themselves are stacked; where shares are asked for, every point's cycles are a
 * hundred per cent. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot_model.h"

enum { SHOWN_MAX = 10 };
static const double SHOWN_SHARE = 0.015; /* at some point of the curve; less is a line too thin to see */

struct account {
	double cycles[STALL_REASON_COUNT], all;
	bool there;
};

static bool larger(const double *most, int a, int b)
{
	return most[a] != most[b] ? most[a] > most[b] : a < b;
}

/* The causes that are shown alone, in their own order; the others come together, on top. */
static int choose(const struct account *list, int count, int *shown)
{
	double most[STALL_REASON_COUNT] = {0};
	int n = 0;
	for (int i = 0; i < count; i++)
		for (int k = 0; k < STALL_REASON_COUNT && list[i].there; k++)
			if (list[i].cycles[k] / list[i].all > most[k])
				most[k] = list[i].cycles[k] / list[i].all;
	for (int k = 0; k < STALL_OTHER; k++) {
		int before = 0;
		for (int j = 0; j < STALL_OTHER; j++)
			before += j != k && larger(most, j, k);
		if (most[k] >= SHOWN_SHARE && before < SHOWN_MAX)
			shown[n++] = k;
	}
	shown[n++] = STALL_OTHER;
	return n;
}

/* A cause's cycles; for the others' area those of all that have none. */
static double cycles_in(const struct account *of, const int *shown, int n, int which)
{
	double sum = of->all;
	if (shown[which] != STALL_OTHER)
		return of->cycles[shown[which]];
	for (int i = 0; i < n; i++)
		if (shown[i] != STALL_OTHER)
			sum -= of->cycles[shown[i]];
	return sum > 0 ? sum : 0;
}

enum { CYCLES = -1, SHARES = -2 }; /* stacked instead of a metric */

/* The height of the stack at a point: what the curve shows there. */
static bool height(const struct lab *b, const struct account *of, int i, int metric, double *out)
{
	const struct point *p = &b->curve.points[i];
	*out = metric >= 0 ? p->metrics[metric].value : metric == SHARES ? 100 : of->all;
	return of->there && p->status == POINT_OK && (metric < 0 || p->metrics[metric].valid);
}

static void fill_points(
	const struct lab *b, const struct account *list, const int *shown, int n, int metric, struct chart_point *to)
{
	int count = b->curve.count;
	for (int i = 0; i < count; i++) {
		double top, sum = 0;
		bool valid = height(b, &list[i], i, metric, &top);
		for (int k = 0; k < n; k++) {
			struct chart_point *p = &to[k * count + i];
			*p = (struct chart_point){.x = measured_curve_x(&b->curve, i), .valid = valid};
			if (!valid)
				continue;
			p->low = top * (sum / list[i].all);
			sum += cycles_in(&list[i], shown, n, k);
			p->y = p->high = k + 1 == n
				? top
				: top * (sum / list[i].all); /* the last one ends on the curve, whatever was rounded */
		}
	}
}

static struct series area(
	int cause, const char *unit, enum series_style style, const struct chart_point *points, int count)
{
	const struct stall_reason_info *row = stall_reason_info(cause);
	return (struct series){.label = row->label,
		.unit = unit,
		.axis = AXIS_LEFT,
		.role = SERIES_CURRENT,
		.mark = row->letter,
		.points = points,
		.count = (size_t)count,
		.style = style};
}

/* What the stack adds up to, where that is not the left metric. */
static struct chart_point *add_total(
	struct plot_model *m, const struct lab *b, const struct account *list, struct chart_point *to)
{
	for (int i = 0; i < b->curve.count; i++) {
		double y;
		to[i] = (struct chart_point){
			.x = measured_curve_x(&b->curve, i), .valid = height(b, &list[i], i, CYCLES, &y)};
		to[i].y = to[i].low = to[i].high = y;
	}
	m->series[m->chart.series_count++] = (struct series){.label = "cycles of the launch",
		.unit = "cycles",
		.axis = AXIS_LEFT,
		.role = SERIES_CURRENT,
		.mark = '*',
		.points = to,
		.count = (size_t)b->curve.count,
		.style = plot_x_is_categorical(b->x, &b->curve) ? STYLE_POINTS : STYLE_CURVE};
	return to + b->curve.count;
}

struct chart_point *plot_add_breakdown(struct plot_model *m, const struct lab *b, bool shares, struct chart_point *to)
{
	int count = b->curve.count, metric = plot_main_metric(b->x);
	struct account *list = xcalloc((size_t)(count ? count : 1), sizeof *list);
	bool any = false;
	for (int i = 0; i < count; i++) {
		list[i].there = b->curve.points[i].status == POINT_OK &&
			breakdown_from_record(b->curve.points[i].record, list[i].cycles, &list[i].all);
		any |= list[i].there;
	}
	if (!any || b->curve.x_metric) {
		free(list);
		return to;
	}
	m->shares = shares;
	m->cycles = !shares && (metric < 0 || !unit_counts_cost(b->x->metrics[metric].unit));
	m->bands = choose(list, count, m->causes);
	fill_points(b, list, m->causes, m->bands, shares ? SHARES : m->cycles ? CYCLES : metric, to);
	const char *unit = shares ? "%" : m->cycles ? "cycles" : b->x->metrics[metric].unit;
	for (int k = 0; k < m->bands; k++, to += count)
		m->series[m->chart.series_count++] = area(
			m->causes[k], unit, plot_x_is_categorical(b->x, &b->curve) ? STYLE_BAR : STYLE_BAND, to, count);
	if (m->cycles)
		to = add_total(m, b, list, to);
	free(list);
	return to;
}
