/* The pinned curves as ratio to the current one, or as difference from it: a line for the current curve at 1 or 0, and
 * a curve for each pinned one. Only metrics of one axis are compared, so that there is one scale. */
#include <math.h>

#include "plot/chart_columns.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/pin_comparison.h"
#include "tui/lab/plot/plot_model.h"

/* The smallest range of the axis, so that noise does not fill it: of a ratio, and of the largest value. */
static const double LEAST_RATIO_RANGE = 0.1, LEAST_DIFFERENCE_RANGE = 0.05;

static int find_compared_axis(const struct experiment *x)
{
	return plot_main_metric(x) >= 0 ? AXIS_LEFT : AXIS_RIGHT;
}

static bool metric_is_compared(const struct experiment *x, int metric)
{
	return x->metrics[metric].axis == find_compared_axis(x) && !x->metrics[metric].line;
}

static struct chart_point *add_base_line(struct plot_model *m, const struct lab *b, int metric, struct chart_point *to)
{
	double base = m->pin_view == PINS_AS_RATIO ? 1 : 0;
	for (int i = 0; i < b->curve.count; i++)
		to[i] = (struct chart_point){
			.x = measured_curve_x(&b->curve, i), .y = base, .valid = true, .low = base, .high = base};
	m->series[m->chart.series_count++] = (struct series){.label = "current",
		.unit = m->pin_view == PINS_AS_RATIO ? "pinned / current" : metric_unit(&b->x->metrics[metric]),
		.axis = AXIS_LEFT,
		.role = SERIES_CURRENT,
		.mark = '-',
		.points = to,
		.count = (size_t)b->curve.count,
		.style = STYLE_LINE};
	return to + b->curve.count;
}

static struct chart_point *add_compared_pin(
	struct plot_model *m, const struct lab *b, int pin, int metric, struct chart_point *to)
{
	for (int i = 0; i < b->curve.count; i++) {
		const struct point *p = &b->curve.points[i], *q = pin_find_point(b, pin, i);
		struct reading r = {0};
		if (q && q->status == POINT_OK && p->status == POINT_OK && !point_is_wrong(p) && !point_is_wrong(q))
			r = (m->pin_view == PINS_AS_RATIO ? pin_ratio : pin_difference)(
				q->metrics[metric], p->metrics[metric]);
		to[i] = (struct chart_point){.x = measured_curve_x(&b->curve, i),
			.y = r.value,
			.valid = r.valid,
			.suspect = r.valid && (point_looks_suspect(p) || point_looks_suspect(q)),
			.low = r.value,
			.high = r.value};
	}
	m->series[m->chart.series_count++] = (struct series){.label = b->x->metrics[metric].id,
		.unit = m->series[0].unit,
		.axis = AXIS_LEFT,
		.role = SERIES_PINNED,
		.mark = (char)('1' + pin),
		.points = to,
		.count = (size_t)b->curve.count,
		.style = b->curve.x_metric      ? STYLE_POINTS
			: m->chart.x_name_count ? STYLE_LEVEL
						: measured_series_style(to, (size_t)b->curve.count, false)};
	return to + b->curve.count;
}

struct chart_point *plot_add_comparison(struct plot_model *m, const struct lab *b, struct chart_point *to)
{
	bool any = false;
	for (int k = 0; k < b->x->metric_count; k++) {
		if (!metric_is_compared(b->x, k))
			continue;
		if (!any)
			to = add_base_line(m, b, k, to);
		any = true;
		for (int i = 0; i < b->pin_count; i++)
			if (pin_is_shown(b, i))
				to = add_compared_pin(m, b, i, k, to);
	}
	return to;
}

void plot_fit_comparison(struct plot_model *m, const struct lab *b)
{
	double largest = 0;
	for (int k = 0; k < b->x->metric_count; k++)
		for (int i = 0; metric_is_compared(b->x, k) && i < b->curve.count; i++)
			if (b->curve.points[i].metrics[k].valid)
				largest = fmax(largest, fabs(b->curve.points[i].metrics[k].value));
	if (m->pin_view == PINS_AS_RATIO)
		chart_fit_around(&m->chart, AXIS_LEFT, 1, LEAST_RATIO_RANGE);
	else
		chart_fit_around(&m->chart, AXIS_LEFT, 0, LEAST_DIFFERENCE_RANGE * largest);
}
