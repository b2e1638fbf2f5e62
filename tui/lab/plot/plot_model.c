#include "tui/lab/plot/plot_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/chart_columns.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/pin_comparison.h"
#include "gpu/protocol/point_record.h"

bool point_looks_suspect(const struct point *p)
{
	return p->clocks_moved || !strcmp(p->verify, "failed") || !strcmp(p->contract, "broken");
}

static struct chart_point curve_chart_point(const struct measured_curve *c, int i, int metric)
{
	const struct point *p = &c->points[i];
	struct chart_point out = {.x = measured_curve_x(c, i)};
	if (p->status != POINT_OK || !p->metrics[metric].valid)
		return out;
	out.y = out.low = out.high = p->metrics[metric].value;
	out.valid = true;
	out.suspect = point_looks_suspect(p);
	if (p->metrics_low[metric].valid && p->metrics_high[metric].valid) {
		out.low = p->metrics_low[metric].value;
		out.high = p->metrics_high[metric].value;
		if (out.low > out.high) { /* a rate: the shortest time gives the highest value */
			double swap = out.low;
			out.low = out.high;
			out.high = swap;
		}
	}
	return out;
}

/* Each axis has its own pair of marks and each pinned curve its number, so that curves also differ without color. */
static char series_mark(enum series_role role, enum axis axis, int nth, int pin)
{
	static const char current[AXIS_COUNT][2] = {{'*', '+'}, {'o', 'x'}};
	switch (role) {
	case SERIES_CURRENT: return current[axis][nth > 0];
	case SERIES_PUBLISHED: return axis == AXIS_LEFT ? '#' : '@';
	case SERIES_PINNED: return (char)('1' + pin);
	default: return '.';
	}
}

/* Points without an x value come last. */
static int compare_point_x(const void *a, const void *b)
{
	double x = ((const struct chart_point *)a)->x, y = ((const struct chart_point *)b)->x;
	return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

bool plot_x_is_categorical(const struct experiment *x, const struct measured_curve *c)
{
	return c->axis >= 0 && !c->x_metric && x->params[c->axis].kind == PARAM_STEP_CHOICE;
}

/* The bars are those of the current curve on the left axis; others have a line where their bar would end, or marks. */
static enum series_style choose_category_style(const struct plot_model *m, enum series_role role, enum axis axis)
{
	return m->bands || axis == AXIS_RIGHT ? STYLE_POINTS : role == SERIES_CURRENT ? STYLE_COLUMN : STYLE_LEVEL;
}

static struct chart_point *add_curve_series(struct plot_model *m, const struct experiment *x,
	const struct measured_curve *c, enum series_role role, int pin, struct chart_point *to)
{
	int nth[AXIS_COUNT] = {0}, main_metric = plot_main_metric(x);
	for (int k = 0; k < x->metric_count; k++) {
		int axis = x->metrics[k].axis;
		if (axis < 0 || axis >= AXIS_COUNT || !c->count ||
			(m->bands && (axis == AXIS_RIGHT || m->cycles || m->shares)))
			continue;
		m->series[m->chart.series_count++] = (struct series){
			.label = x->metrics[k].id,
			.unit = x->metrics[k].unit,
			.axis = (enum axis)axis,
			.role = role,
			.mark = x->metrics[k].line ? '-' : series_mark(role, (enum axis)axis, nth[axis]++, pin),
			.points = to,
			.count = (size_t)c->count,
		};
		for (int i = 0; i < c->count; i++)
			to[i] = curve_chart_point(c, i, k);
		m->series[m->chart.series_count - 1].style = x->metrics[k].line  ? STYLE_LINE
			: m->bands && role == SERIES_CURRENT && k == main_metric ? STYLE_TOP
			: c->x_metric                                            ? STYLE_POINTS
			: plot_x_is_categorical(x, c) ? choose_category_style(m, role, (enum axis)axis)
						      : measured_series_style(to, (size_t)c->count, false);
		if (c->x_metric && x->metrics[k].line)
			qsort(to, (size_t)c->count, sizeof *to, compare_point_x);
		to += c->count;
	}
	return to;
}

/* A published value outside of the curve's range is not drawn, because it would compress the curve. */
static bool curve_covers_x(const struct measured_curve *c, double x)
{
	double low = measured_curve_x(c, 0), high = low;
	for (int i = 1; i < c->count; i++) {
		low = fmin(low, measured_curve_x(c, i));
		high = fmax(high, measured_curve_x(c, i));
	}
	return x >= low && x <= high;
}

static struct chart_point *add_published_points(
	struct plot_model *m, const struct lab *b, int metric, struct chart_point *to)
{
	const struct metric *of = &b->x->metrics[metric];
	struct chart_point *first = to;
	for (int i = 0; i < b->published.row_count && of->axis >= 0 && experiment_find_x_metric(b->x) < 0; i++) {
		const struct validation_row *r = lab_published_row(b, i);
		if (r && r->metric == metric && curve_covers_x(&b->curve, overlay_row_x(r, b->curve.axis)))
			*to++ = (struct chart_point){.x = overlay_row_x(r, b->curve.axis),
				.y = r->row->value,
				.valid = true,
				.low = r->row->value,
				.high = r->row->value};
	}
	if (to > first)
		m->series[m->chart.series_count++] = (struct series){
			.label = of->id,
			.unit = of->unit,
			.axis = (enum axis)of->axis,
			.role = SERIES_PUBLISHED,
			.mark = series_mark(SERIES_PUBLISHED, (enum axis)of->axis, 0, 0),
			.points = first,
			.count = (size_t)(to - first),
		};
	return to;
}

int plot_main_metric(const struct experiment *x)
{
	for (int k = 0; k < x->metric_count; k++)
		if (x->metrics[k].axis == AXIS_LEFT && !x->metrics[k].line)
			return k;
	return -1;
}

bool plot_has_breakdown(const struct measured_curve *c)
{
	int profiles = 0;
	for (int i = 0; i < c->count; i++) {
		if (c->points[i].status == POINT_OK && !point_get_profile(c->points[i].record))
			return false;
		profiles += c->points[i].status == POINT_OK;
	}
	return profiles > 0;
}

/* --- knees, rulers --- */
int plot_find_knees(const struct lab *b, struct knee *out, int max)
{
	int metric = plot_main_metric(b->x), found;
	const struct measured_curve *c = &b->curve;
	if (metric < 0 || !unit_counts_cost(b->x->metrics[metric].unit) || c->x_metric || c->axis < 0 ||
		b->x->params[c->axis].kind == PARAM_STEP_CHOICE)
		return 0;
	double *y = xcalloc((size_t)(c->count ? c->count : 1), sizeof *y);
	for (int i = 0; i < c->count; i++)
		y[i] = c->points[i].status == POINT_OK && c->points[i].metrics[metric].valid
			? c->points[i].metrics[metric].value
			: NAN;
	found = knees_find(y, c->count, out, max);
	free(y);
	return found;
}

/* Labels the last point before each rise with its x value. */
static void add_knee_texts(struct plot_model *m, const struct lab *b)
{
	const struct measured_curve *c = &b->curve;
	struct chart_point *points = NULL; /* owned by the model */
	m->knee_count = plot_find_knees(b, m->knees, KNEES_MAX);
	for (size_t i = 0; m->knee_count && i < m->chart.series_count; i++)
		if (m->series[i].role == SERIES_CURRENT && m->series[i].style == STYLE_CURVE &&
			m->series[i].axis == AXIS_LEFT && !points)
			points = (struct chart_point *)m->series[i].points;
	for (int i = 0; i < m->knee_count; i++) {
		char value[24];
		int at = m->knees[i].last;
		snprintf(m->knee_texts[i], sizeof m->knee_texts[i], "knee %s",
			param_format(&b->x->params[c->axis], c->points[at].values[c->axis], value, sizeof value));
		if (points)
			points[at].label = m->knee_texts[i];
	}
}

/* Capacities of the caches over a footprint, line and channel sizes over a stride (field `means` of the parameter). */
static void add_cache_rulers(struct plot_model *m, const struct app *a, const struct lab *b, int axis)
{
	struct capacity list[CAPACITIES_MAX];
	const json_t *device = a->workers ? worker_pool_device_record(a->workers) : NULL;
	int n = axis >= 0 && experiment_find_x_metric(b->x) < 0
		? capacities_list(device, b->x->params[axis].means, list)
		: 0;
	for (int i = 0; i < n; i++) {
		char bytes[24];
		if (list[i].bytes < m->chart.x.low || list[i].bytes > m->chart.x.high)
			continue;
		size_t k = m->chart.ruler_count++;
		snprintf(m->ruler_texts[k], sizeof m->ruler_texts[k], "%.9s %s", list[i].name,
			units_format(bytes, sizeof bytes, list[i].bytes, "B", 6));
		m->rulers[k] = (struct chart_ruler){list[i].bytes, m->ruler_texts[k]};
	}
	m->chart.rulers = m->rulers;
}

/* --- the whole chart --- */
static size_t count_chart_points(const struct lab *b)
{
	size_t total = (size_t)(b->curve.count + b->previous.count);
	for (int i = 0; i < b->pin_count; i++)
		total += (size_t)b->pins[i].curve.count + (size_t)b->curve.count; /* itself, or compared */
	return total * (size_t)b->x->metric_count + (size_t)b->published.row_count +
		(size_t)b->curve.count * (STALL_REASON_COUNT + 1);
}

static void add_all_series(struct plot_model *m, const struct app *a, const struct lab *b, int axis)
{
	struct chart_point *to = m->points = xcalloc(count_chart_points(b), sizeof *to);
	m->chart.series = m->series;
	if (m->pin_view != PINS_AS_CURVES) {
		plot_add_comparison(m, b, to);
		return;
	}
	if (a->breakdown)
		to = plot_add_breakdown(m, b, a->shares, to);
	for (int k = 0; k < b->x->metric_count && !a->hide_published && !m->bands; k++)
		to = add_published_points(m, b, k, to);
	to = add_curve_series(m, b->x, &b->curve, SERIES_CURRENT, 0, to);
	if (b->previous.axis == axis && !m->bands)
		to = add_curve_series(m, b->x, &b->previous, SERIES_PREVIOUS, 0, to);
	if (m->bands)
		to = plot_add_pinned_totals(m, b, to);
	for (int i = 0; i < b->pin_count && !m->bands; i++)
		if (pin_is_shown(b, i))
			to = add_curve_series(m, b->x, &b->pins[i].curve, SERIES_PINNED, i, to);
}

static void fit_chart_scales(struct plot_model *m, const struct app *a, const struct lab *b, int axis)
{
	const struct experiment *x = b->x;
	int over = experiment_find_x_metric(x);
	bool choice = m->chart.x_name_count > 0, log_y = false;
	bool log = over >= 0 ? x->metrics[over].log : axis >= 0 && x->params[axis].kind == PARAM_STEP_MULTIPLY;
	double low, high;
	for (int k = 0; k < x->metric_count; k++)
		log_y |= x->metrics[k].log && k != over;
	log = !choice && log != a->flip_x;
	chart_fit_scales(
		&m->chart, log, a->log_y != log_y && !m->bands); /* a logarithmic axis would distort the areas */
	if (!m->chart.series_count && over < 0 && axis >= 0 && lab_get_range_ends(b, &low, &high) && low < high)
		m->chart.x = (struct scale){low - 0.5 * choice, high + 0.5 * choice,
			log && low > 0}; /* not measured yet: the range of the sweep */
	chart_set_x_window(&m->chart, b->window_low, b->window_high);
	if (m->pin_view != PINS_AS_CURVES)
		plot_fit_comparison(m, b);
}

/* A choice's values have names. */
static void set_x_names(struct plot_model *m, const struct experiment *x, int axis)
{
	if (axis < 0 || experiment_find_x_metric(x) >= 0 || x->params[axis].kind != PARAM_STEP_CHOICE)
		return;
	for (int i = 0; i < x->params[axis].choice_count; i++)
		m->x_names[i] = x->params[axis].choices[i];
	m->chart.x_names = m->x_names;
	m->chart.x_name_count = (size_t)x->params[axis].choice_count;
}

void plot_model_build(const struct app *a, const struct lab *b, struct plot_model *out)
{
	memset(out, 0, sizeof *out);
	const struct experiment *x = b->x;
	int axis = b->curve.count ? b->curve.axis : b->axis, over = experiment_find_x_metric(x);
	out->pin_view = b->curve.count && pin_count_shown(b) ? a->pin_view : PINS_AS_CURVES;
	set_x_names(out, x, axis);
	add_all_series(out, a, b, axis);
	out->chart.title = x->title;
	out->chart.x_label = over >= 0 ? x->metrics[over].id : axis >= 0 ? x->params[axis].id : "";
	out->chart.x_unit = over >= 0 ? x->metrics[over].unit : axis >= 0 ? x->params[axis].unit : "";
	fit_chart_scales(out, a, b, axis);
	if (out->pin_view == PINS_AS_CURVES)
		add_knee_texts(out, b);
	add_cache_rulers(out, a, b, axis);
}

void plot_model_free(struct plot_model *m)
{
	free(m->points);
	m->points = NULL;
}
