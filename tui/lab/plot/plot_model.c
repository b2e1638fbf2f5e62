#include "tui/lab/plot/plot_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/chart_columns.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/curve_buckets.h"
#include "tui/lab/plot/pin_comparison.h"
#include "gpu/protocol/point_record.h"

bool point_is_wrong(const struct point *p)
{
	return !strcmp(p->verify, "failed");
}

bool point_looks_suspect(const struct point *p)
{
	return p->clocks_moved || point_is_wrong(p) || !strcmp(p->contract, "broken");
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

/* All points, or of a long curve those that make a difference. */
static size_t write_curve_points(const struct plot_model *m, const struct experiment *x, const struct measured_curve *c,
	int metric, struct chart_point *to)
{
	const struct curve_buckets *s = curve_buckets_update(c, x, m->x_is_log, m->window_low, m->window_high);
	if (s)
		return curve_buckets_write(s, metric, to);
	for (int i = 0; i < c->count; i++)
		to[i] = measured_chart_point(c, i, metric);
	return (size_t)c->count;
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
			.unit = metric_unit(&x->metrics[k]),
			.axis = (enum axis)axis,
			.role = role,
			.mark = x->metrics[k].line ? '-' : series_mark(role, (enum axis)axis, nth[axis]++, pin),
			.points = to,
		};
		size_t count = write_curve_points(m, x, c, k, to);
		m->series[m->chart.series_count - 1].count = count;
		m->series[m->chart.series_count - 1].style = x->metrics[k].line  ? STYLE_LINE
			: m->bands && role == SERIES_CURRENT && k == main_metric ? STYLE_TOP
			: c->x_metric                                            ? STYLE_POINTS
			: plot_x_is_categorical(x, c) ? choose_category_style(m, role, (enum axis)axis)
						      : measured_series_style(to, count, false);
		if (c->x_metric && x->metrics[k].line)
			qsort(to, count, sizeof *to, compare_point_x);
		to += count;
	}
	return to;
}

/* A published value outside of the curve's range is not drawn, because it would compress the curve. */
static bool curve_covers_x(const struct plot_model *m, const struct lab *b, double x)
{
	const struct measured_curve *c = &b->curve;
	const struct curve_buckets *s = curve_buckets_update(c, b->x, m->x_is_log, m->window_low, m->window_high);
	double low = measured_curve_x(c, 0), high = low;
	if (s)
		curve_buckets_ends(s, &low, &high);
	for (int i = 1; !s && i < c->count; i++) {
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
		if (r && r->metric == metric && curve_covers_x(m, b, overlay_row_x(r, b->curve.axis)))
			*to++ = (struct chart_point){.x = overlay_row_x(r, b->curve.axis),
				.y = r->row->value,
				.valid = true,
				.low = r->row->low,
				.high = r->row->high};
	}
	if (to > first)
		m->series[m->chart.series_count++] = (struct series){
			.label = of->id,
			.unit = metric_unit(of),
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
	if (c->digest)
		return c->digest->tally.ok && c->digest->tally.profiled == c->digest->tally.ok;
	for (int i = 0; i < c->count; i++) {
		if (c->points[i].status == POINT_OK && !point_get_profile(c->points[i].record))
			return false;
		profiles += c->points[i].status == POINT_OK;
	}
	return profiles > 0;
}

/* --- knees, rulers --- */
static int find_knees_of_points(const struct measured_curve *c, int metric, struct knee *out, int max)
{
	int found;
	double *y = xcalloc((size_t)(c->count ? c->count : 1), sizeof *y);
	for (int i = 0; i < c->count; i++)
		y[i] = c->points[i].status == POINT_OK && c->points[i].metrics[metric].valid
			? c->points[i].metrics[metric].value
			: NAN;
	found = knees_find(y, c->count, out, max);
	free(y);
	return found;
}

/* They need all points: while a long curve is measured, they are looked for each time it has grown by a sixteenth. */
static int find_knees_of_digest(const struct measured_curve *c, int metric, struct knee *out, int max)
{
	struct curve_digest *d = c->digest;
	bool grown = d->noted - d->knees_noted > c->count / 16 || (d->noted >= c->count && d->knees_noted < d->noted);
	if (grown) {
		d->knee_count = find_knees_of_points(c, metric, d->knees, DIGEST_KNEES);
		d->knees_noted = d->noted;
	}
	int n = d->knee_count < max ? d->knee_count : max;
	memcpy(out, d->knees, (size_t)n * sizeof *out);
	return n;
}

int plot_find_knees(const struct lab *b, struct knee *out, int max)
{
	int metric = plot_main_metric(b->x);
	const struct measured_curve *c = &b->curve;
	if (metric < 0 || !unit_counts_cost(b->x->metrics[metric].unit) || c->x_metric || c->axis < 0 ||
		b->x->params[c->axis].kind == PARAM_STEP_CHOICE)
		return 0;
	return c->digest ? find_knees_of_digest(c, metric, out, max) : find_knees_of_points(c, metric, out, max);
}

/* Puts the text at the point with that x value. */
static void label_point(const struct series *s, double x, const char *text)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->points[i].x == x) {
			((struct chart_point *)s->points)[i].label = text; /* owned by the model */
			return;
		}
}

/* Labels the last point before each rise with its x value. */
static void add_knee_texts(struct plot_model *m, const struct lab *b)
{
	const struct measured_curve *c = &b->curve;
	const struct series *labeled = NULL;
	m->knee_count = plot_find_knees(b, m->knees, KNEES_MAX);
	for (size_t i = 0; m->knee_count && i < m->chart.series_count; i++)
		if (m->series[i].role == SERIES_CURRENT && m->series[i].style == STYLE_CURVE &&
			m->series[i].axis == AXIS_LEFT && !labeled)
			labeled = &m->series[i];
	for (int i = 0; i < m->knee_count; i++) {
		char value[24];
		int at = m->knees[i].last;
		snprintf(m->knee_texts[i], sizeof m->knee_texts[i], "knee %s",
			param_format(&b->x->params[c->axis], c->points[at].values[c->axis], value, sizeof value));
		if (labeled)
			label_point(labeled, measured_curve_x(c, at), m->knee_texts[i]);
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
static size_t count_drawn_points(const struct measured_curve *c)
{
	return (size_t)c->count < BUCKETS_POINTS_ALL || !c->digest ? (size_t)c->count : BUCKETS_POINTS_ALL;
}

/* Room for the points of each series. Areas and comparisons have all points of the curve. */
static size_t count_chart_points(const struct app *a, const struct lab *b, enum pin_view view)
{
	bool all = a->breakdown || view != PINS_AS_CURVES;
	size_t current = all ? (size_t)b->curve.count : count_drawn_points(&b->curve);
	size_t total = current + count_drawn_points(&b->previous);
	for (int i = 0; i < b->pin_count; i++)
		total += count_drawn_points(&b->pins[i].curve) + current; /* itself, or compared */
	return total * (size_t)b->x->metric_count + (size_t)b->published.row_count +
		(all ? current * (STALL_REASON_COUNT + 1) : 0);
}

static void add_all_series(struct plot_model *m, const struct app *a, const struct lab *b, int axis)
{
	struct chart_point *to = m->points = xcalloc(count_chart_points(a, b, m->pin_view) + 1, sizeof *to);
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

static bool x_axis_is_log(const struct app *a, const struct experiment *x, int axis)
{
	int over = experiment_find_x_metric(x);
	bool log = over >= 0 ? x->metrics[over].log : axis >= 0 && x->params[axis].kind == PARAM_STEP_MULTIPLY;
	bool choice = axis >= 0 && over < 0 && x->params[axis].kind == PARAM_STEP_CHOICE;
	return !choice && log != a->flip_x;
}

static void fit_chart_scales(struct plot_model *m, const struct app *a, const struct lab *b, int axis)
{
	const struct experiment *x = b->x;
	int over = experiment_find_x_metric(x);
	bool choice = m->chart.x_name_count > 0, log_y = false;
	bool log = m->x_is_log;
	double low, high;
	for (int k = 0; k < x->metric_count; k++)
		log_y |= x->metrics[k].log && k != over;
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
	out->x_is_log = x_axis_is_log(a, x, axis);
	out->window_low = b->window_low;
	out->window_high = b->window_high;
	set_x_names(out, x, axis);
	add_all_series(out, a, b, axis);
	out->chart.title = x->title;
	out->chart.x_label = over >= 0 ? x->metrics[over].id : axis >= 0 ? x->params[axis].id : "";
	out->chart.x_unit = over >= 0 ? metric_unit(&x->metrics[over]) : axis >= 0 ? param_unit(&x->params[axis]) : "";
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
