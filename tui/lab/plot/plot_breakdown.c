/* The cycle breakdown over the sweep: each point's cycles by stall reason, stacked up to its curve. The breakdown is of
 * the whole launch and the metric of a part of it (a read, a loop); each reason has the same share of both. If the
 * metric is not a time, the cycles themselves are stacked; in per cent, every stack adds up to 100. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/stalls/stall_stack.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/pin_comparison.h"
#include "tui/lab/plot/plot_model.h"

enum { STACK_CYCLES = -1, STACK_SHARES = -2 }; /* instead of a metric */

/* The height of the stack at a point, which is the value of the curve; false without one. */
static bool stack_height(const struct lab *b, const struct breakdown *of, int i, int metric, double *out)
{
	const struct point *p = &b->curve.points[i];
	*out = metric >= 0 ? p->metrics[metric].value : metric == STACK_SHARES ? 100 : of->all;
	return of->valid && p->status == POINT_OK && (metric < 0 || p->metrics[metric].valid);
}

static void fill_area_points(
	const struct lab *b, const struct breakdown *list, const int *shown, int n, int metric, struct chart_point *to)
{
	int count = b->curve.count;
	for (int i = 0; i < count; i++) {
		double top, edges[STALL_REASON_COUNT + 1];
		bool valid = stack_height(b, &list[i], i, metric, &top);
		if (valid)
			stall_stack_edges(&list[i], shown, n, edges);
		for (int k = 0; k < n; k++) {
			struct chart_point *p = &to[k * count + i];
			*p = (struct chart_point){.x = measured_curve_x(&b->curve, i), .valid = valid};
			if (!valid)
				continue;
			p->low = top * edges[k];
			p->y = p->high = k + 1 == n ? top : top * edges[k + 1];
		}
	}
}

static struct series make_area_series(
	int reason, const char *unit, enum series_style style, const struct chart_point *points, int count)
{
	const struct stall_reason_info *row = stall_reason_info(reason);
	return (struct series){.label = row->label,
		.unit = unit,
		.axis = AXIS_LEFT,
		.role = SERIES_CURRENT,
		.mark = row->letter,
		.points = points,
		.count = (size_t)count,
		.style = style};
}

/* Adds the curve of the stack's sum, if that is not the left metric. */
static struct chart_point *add_cycle_total(
	struct plot_model *m, const struct lab *b, const struct breakdown *list, struct chart_point *to)
{
	for (int i = 0; i < b->curve.count; i++) {
		double y;
		to[i] = (struct chart_point){
			.x = measured_curve_x(&b->curve, i), .valid = stack_height(b, &list[i], i, STACK_CYCLES, &y)};
		to[i].y = to[i].low = to[i].high = y;
	}
	m->series[m->chart.series_count++] = (struct series){.label = "cycles of the launch",
		.unit = "cycles",
		.axis = AXIS_LEFT,
		.role = SERIES_CURRENT,
		.mark = '*',
		.points = to,
		.count = (size_t)b->curve.count,
		.style = STYLE_TOP};
	return to + b->curve.count;
}

/* --- pinned curves over the stacks --- */
/* The height of the stack that a pinned curve would have: the metric, or the cycles of its launch if it was measured
 * with a profile. In per cent all stacks are equally high. */
static struct chart_point pinned_total_point(
	const struct plot_model *m, const struct measured_curve *c, int i, int metric)
{
	const struct point *p = &c->points[i];
	double cycles[STALL_REASON_COUNT], all = 0;
	bool ok = p->status == POINT_OK,
	     valid = ok && (m->cycles ? breakdown_from_record(p->record, cycles, &all) : p->metrics[metric].valid);
	double y = !valid ? 0 : m->cycles ? all : p->metrics[metric].value;
	return (struct chart_point){.x = measured_curve_x(c, i),
		.y = y,
		.valid = valid,
		.suspect = valid && point_looks_suspect(p),
		.low = y,
		.high = y};
}

struct chart_point *plot_add_pinned_totals(struct plot_model *m, const struct lab *b, struct chart_point *to)
{
	int metric = plot_main_metric(b->x);
	for (int pin = 0; pin < b->pin_count && !m->shares; pin++) {
		const struct measured_curve *c = &b->pins[pin].curve;
		if (!pin_is_shown(b, pin))
			continue;
		for (int i = 0; i < c->count; i++)
			to[i] = pinned_total_point(m, c, i, metric);
		m->series[m->chart.series_count++] =
			(struct series){.label = m->cycles ? "cycles of the launch" : b->x->metrics[metric].id,
				.unit = m->cycles ? "cycles" : b->x->metrics[metric].unit,
				.axis = AXIS_LEFT,
				.role = SERIES_PINNED,
				.mark = (char)('1' + pin),
				.points = to,
				.count = (size_t)c->count,
				.style = STYLE_LEVEL};
		to += c->count;
	}
	return to;
}

/* --- the stacks --- */
struct chart_point *plot_add_breakdown(struct plot_model *m, const struct lab *b, bool shares, struct chart_point *to)
{
	int count = b->curve.count, metric = plot_main_metric(b->x);
	struct breakdown *list = xcalloc((size_t)(count ? count : 1), sizeof *list);
	bool any = false;
	for (int i = 0; i < count; i++) {
		list[i].valid = b->curve.points[i].status == POINT_OK &&
			breakdown_from_record(b->curve.points[i].record, list[i].cycles, &list[i].all);
		any |= list[i].valid;
	}
	if (!any || b->curve.x_metric) {
		free(list);
		return to;
	}
	m->shares = shares;
	m->cycles = !shares && (metric < 0 || !unit_counts_cost(b->x->metrics[metric].unit));
	m->bands = stall_stack_choose(list, count, m->causes);
	fill_area_points(b, list, m->causes, m->bands, shares ? STACK_SHARES : m->cycles ? STACK_CYCLES : metric, to);
	const char *unit = shares ? "%" : m->cycles ? "cycles" : b->x->metrics[metric].unit;
	for (int k = 0; k < m->bands; k++, to += count)
		m->series[m->chart.series_count++] = make_area_series(
			m->causes[k], unit, plot_x_is_categorical(b->x, &b->curve) ? STYLE_BAR : STYLE_BAND, to, count);
	if (m->cycles)
		to = add_cycle_total(m, b, list, to);
	free(list);
	return to;
}
