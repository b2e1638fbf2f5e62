#include "sessions/export/session_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/chart_columns.h"
#include "plot/curve_knees.h"
#include "sessions/export/chart_groups.h"
#include "sessions/load/sampling_text.h"
#include "sessions/load/session_columns.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { SERIES_MAX = GROUPS_MAX, X_NAMES_MAX = 64 };

struct session_chart {
	struct chart chart;
	struct session_columns columns;
	int x; /* index of the parameter on the x axis */
	struct series series[SERIES_MAX];
	char *labels[SERIES_MAX];
	struct chart_point *points[SERIES_MAX];
	size_t rooms[SERIES_MAX]; /* for points */
	size_t series_groups[SERIES_MAX];
	int series_metrics[SERIES_MAX]; /* index of a column */
	size_t *point_groups;           /* of each record; GROUPS_MAX: none */
	struct chart_groups groups;
	struct chart_point *strips[CLOCK_STRIPS_MAX];
	size_t strip_count; /* points of each strip */
	char **marks;       /* in words, of each record; NULL: none */
	size_t record_count;
	size_t *suspects; /* indexes of records */
	size_t suspect_count;
	char *title, *x_label;
	const char *x_names[X_NAMES_MAX]; /* borrowed from the header */
	struct chart_ruler *rulers;       /* those of the extras that are on the axis */
	int published_count;
	bool log_y, differences;
};

static const struct {
	const char *id, *label, *unit;
} strip_clocks[CLOCK_STRIPS_MAX] = {
	{"sclk_mhz", "core clock", "MHz"},
	{"mclk_mhz", "memory clock", "MHz"},
	{"temp_c", "temperature", "C"},
	{"power_w", "power", "W"},
};

/* Sets varying[i] for each parameter with different values. */
static void find_varying_params(
	const struct session_columns *c, const struct point_list *points, bool varying[COLUMNS_MAX])
{
	char *first[COLUMNS_MAX] = {0};
	memset(varying, false, COLUMNS_MAX * sizeof *varying);
	for (size_t k = 0; k < points->count; k++) {
		const json_t *point = point_list_get(points, k);
		for (int i = 0; point && i < c->param_count; i++) {
			char *text = varying[i] ? NULL : param_copy_text(&c->params[i], point);
			varying[i] = varying[i] || (first[i] && strcmp(first[i], text));
			if (first[i])
				free(text);
			else
				first[i] = text;
		}
	}
	for (int i = 0; i < COLUMNS_MAX; i++)
		free(first[i]);
}

/* The last swept parameter; in a session without a sweep, the last one that varies, else the first. */
static int find_x_param(const struct session_columns *c, const struct point_list *points)
{
	bool varying[COLUMNS_MAX] = {0};
	int x = -1;
	if (!c->swept_count) /* otherwise the header has the answer */
		find_varying_params(c, points, varying);
	for (int i = 0; c->swept_count && i < c->param_count; i++)
		if (!strcmp(c->params[i].id, c->swept[c->swept_count - 1]))
			x = i;
	for (int i = c->param_count - 1; x < 0 && i >= 0; i--)
		if (varying[i])
			x = i;
	return x < 0 && c->param_count ? 0 : x;
}

static bool point_is_suspect(const json_t *point)
{
	return point_has_moved_clocks(point) || point_has_wrong_result(point) ||
		!strcmp(point_get_contract(point), "broken");
}

static int compare_x(const void *a, const void *b)
{
	double x = ((const struct chart_point *)a)->x, y = ((const struct chart_point *)b)->x;
	return (x > y) - (x < y);
}

static const struct column *get_x_metric(const struct session_chart *s)
{
	return s->columns.x_metric < 0 ? NULL : &s->columns.metrics[s->columns.x_metric];
}

/* With a metric on the x axis, the swept parameter's value is the label of the mark. */
static bool make_chart_point(
	const struct session_chart *s, const struct column *metric, const json_t *point, struct chart_point *out)
{
	const char *name;
	const struct column *over = get_x_metric(s), *param = &s->columns.params[s->x];
	struct reading x = over ? column_metric(over, point) : column_param(param, point, &name),
		       y = column_metric(metric, point);
	*out = (struct chart_point){.x = x.value,
		.y = y.value,
		.valid = y.valid,
		.suspect = point_is_suspect(point),
		.wrong = point_has_wrong_result(point)};
	column_quartiles(metric, point, &out->low, &out->high);
	column_interval(metric, point, &out->sure_low, &out->sure_high);
	if (x.valid && over && !metric->line)
		out->label = param_copy_text(param, point);
	return x.valid;
}

struct reading session_chart_read_x(const struct session_chart *s, const json_t *point)
{
	const char *name;
	return !point             ? (struct reading){0}
		: get_x_metric(s) ? column_metric(get_x_metric(s), point)
				  : column_param(&s->columns.params[s->x], point, &name);
}

static void start_metric_series(struct session_chart *s, const struct column *metric, size_t group)
{
	static const char marks[] = "*o+x#@%&";
	size_t n = s->chart.series_count;
	if (n == SERIES_MAX)
		return;
	s->series[n] = (struct series){.unit = metric->unit,
		.axis = metric->axis == 1 ? AXIS_RIGHT : AXIS_LEFT,
		.role = SERIES_CURRENT,
		.mark = metric->line ? '-' : marks[n % (sizeof marks - 1)]};
	s->series_groups[n] = group;
	s->series_metrics[n] = (int)(metric - s->columns.metrics);
	s->log_y |= metric->log;
	s->chart.series_count++;
}

static void start_group_series(struct session_chart *s, size_t group)
{
	for (int m = 0; m < s->columns.metric_count; m++)
		if (s->columns.metrics[m].axis == 0 || s->columns.metrics[m].axis == 1)
			start_metric_series(s, &s->columns.metrics[m], group);
}

/* Adds a point to the series of its group, which follow each other. */
static void add_group_point(struct session_chart *s, size_t first, size_t group, const json_t *point)
{
	for (size_t n = first; n < s->chart.series_count && s->series_groups[n] == group; n++) {
		struct series *to = &s->series[n];
		if (to->count == s->rooms[n]) {
			s->rooms[n] = s->rooms[n] ? 2 * s->rooms[n] : 64;
			s->points[n] = xrealloc(s->points[n], s->rooms[n] * sizeof *s->points[n]);
			to->points = s->points[n];
		}
		to->count +=
			make_chart_point(s, &s->columns.metrics[s->series_metrics[n]], point, &s->points[n][to->count]);
	}
}

/* Adds the clocks, the temperature and the power of a point. */
static void add_strip_point(struct session_chart *s, const json_t *point)
{
	struct reading x = session_chart_read_x(s, point);
	for (size_t k = 0; x.valid && k < CLOCK_STRIPS_MAX; k++) {
		struct reading y = record_get_reading(point, strip_clocks[k].id);
		s->strips[k][s->strip_count] = (struct chart_point){.x = x.value,
			.y = y.value,
			.valid = y.valid,
			.low = y.value,
			.high = y.value,
			.suspect = !k && point_has_moved_clocks(point)};
	}
	s->strip_count += x.valid;
}

static void note_suspect_point(struct session_chart *s, size_t i, const json_t *point)
{
	char fault[8];
	if (!point_describe_fault(point, fault, sizeof fault) && !point_has_moved_clocks(point))
		return;
	s->suspects = xrealloc(s->suspects, (s->suspect_count + 1) * sizeof *s->suspects);
	s->suspects[s->suspect_count++] = i;
}

static void note_marks(struct session_chart *s, size_t i, const json_t *point)
{
	char marks[256];
	if (*point_format_sampling(point, marks, sizeof marks))
		s->marks[i] = xstrdup(marks);
}

/* Reads each record once: a long session parses a record again each time that it is read. */
static void add_groups(struct session_chart *s, const struct point_list *points)
{
	size_t firsts[GROUPS_MAX + 1] = {0}; /* series */
	s->point_groups = xcalloc(points->count + 1, sizeof *s->point_groups);
	s->marks = xcalloc(points->count + 1, sizeof *s->marks);
	s->record_count = points->count;
	for (size_t k = 0; k < CLOCK_STRIPS_MAX; k++)
		s->strips[k] = xcalloc(points->count + 1, sizeof *s->strips[k]);
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = point_list_get(points, i);
		size_t before = s->groups.count,
		       g = point ? groups_place_point(&s->groups, &s->columns, s->x, point) : GROUPS_MAX;
		s->point_groups[i] = g;
		if (s->groups.count > before) {
			firsts[g] = s->chart.series_count;
			start_group_series(s, g);
		}
		if (!point)
			continue;
		if (g < GROUPS_MAX)
			add_group_point(s, firsts[g], g, point);
		add_strip_point(s, point);
		note_suspect_point(s, i, point);
		note_marks(s, i, point);
	}
	groups_make_names(&s->groups, &s->columns, s->x);
}

/* Each compared curve is a group of its own, whatever its parameters. */
static void add_compared_curve(struct session_chart *s, const struct compared_curve *c)
{
	size_t group = groups_add_named(&s->groups, c->name), first = s->chart.series_count;
	if (group == GROUPS_MAX)
		return;
	start_group_series(s, group);
	for (size_t i = 0; i < c->points->count; i++)
		if (point_list_get(c->points, i))
			add_group_point(s, first, group, point_list_get(c->points, i));
}

static void name_series(struct session_chart *s)
{
	for (size_t n = 0; n < s->chart.series_count; n++) {
		const char *group = s->groups.list[s->series_groups[n]].name;
		const struct column *metric = &s->columns.metrics[s->series_metrics[n]];
		s->labels[n] = xasprintf("%s%s%s", metric->id, *group ? " " : "", group);
		s->series[n].label = s->labels[n];
		if (metric->line && s->series[n].count)
			qsort(s->points[n], s->series[n].count, sizeof *s->points[n], compare_x);
	}
	for (size_t k = 0; k < CLOCK_STRIPS_MAX && get_x_metric(s) && s->strip_count; k++)
		qsort(s->strips[k], s->strip_count, sizeof *s->strips[k], compare_x);
}

/* With names on the x axis, the bars belong to the left axis; values of the right one are marks. */
static enum series_style choose_metric_style(
	const struct session_chart *s, const struct column *metric, const struct series *of)
{
	bool names = s->chart.x_name_count > 0;
	return metric->line                                       ? STYLE_LINE
		: get_x_metric(s) || (names && metric->axis == 1) ? STYLE_POINTS
								  : measured_series_style(of->points, of->count, names);
}

static void style_series(struct session_chart *s)
{
	for (size_t n = 0; n < s->chart.series_count; n++)
		s->series[n].style = choose_metric_style(s, &s->columns.metrics[s->series_metrics[n]], &s->series[n]);
}

/* True if the column is declared logarithmic, or if each x is twice the previous one. */
static bool axis_doubles(const struct session_chart *s)
{
	if (get_x_metric(s))
		return get_x_metric(s)->log;
	if (s->columns.params[s->x].log)
		return true;
	const struct series *first = &s->series[0];
	double *x = xcalloc(first->count + 1, sizeof *x);
	for (size_t i = 0; i < first->count; i++)
		x[i] = first->points[i].x;
	bool all = values_double(x, first->count);
	free(x);
	return all;
}

static void set_x_names(struct session_chart *s)
{
	const json_t *choices = get_x_metric(s) || s->x < 0 ? NULL : s->columns.params[s->x].choices;
	for (size_t i = 0; i < json_array_size(choices) && i < X_NAMES_MAX; i++) {
		const char *name = json_string_value(json_array_get(choices, i));
		s->x_names[s->chart.x_name_count++] = name ? name : "?";
	}
	s->chart.x_names = s->x_names;
}

/* --- published rows --- */
static int add_published_series(struct session_chart *s, const struct column *metric, const struct chart_extras *extras)
{
	size_t n = s->chart.series_count, used = 0;
	if (n == SERIES_MAX || metric->axis < 0)
		return 0;
	struct chart_point *list = xcalloc(extras->published_count, sizeof *list);
	for (size_t i = 0; i < extras->published_count; i++) {
		const struct published_point *p = &extras->published[i];
		if (!strcmp(p->metric, metric->id))
			list[used++] =
				(struct chart_point){.x = p->x, .y = p->y, .valid = true, .low = p->y, .high = p->y};
	}
	if (!used) {
		free(list);
		return 0;
	}
	enum axis axis = metric->axis == 1 ? AXIS_RIGHT : AXIS_LEFT;
	s->points[n] = list;
	s->labels[n] = xstrdup(metric->id);
	s->series[n] = (struct series){s->labels[n], metric->unit, axis, SERIES_PUBLISHED,
		axis == AXIS_LEFT ? '#' : '@', list, used, STYLE_POINTS};
	s->chart.series_count++;
	return (int)used;
}

static void add_published_values(struct session_chart *s, const struct chart_extras *extras)
{
	for (int m = 0; extras->published_count && m < s->columns.metric_count; m++)
		s->published_count += add_published_series(s, &s->columns.metrics[m], extras);
	if (s->published_count)
		chart_fit_scales(&s->chart, axis_doubles(s), s->log_y);
}

int session_chart_published_count(const struct session_chart *s)
{
	return s->published_count;
}

/* --- rulers, knees --- */

static void add_rulers_in_range(struct session_chart *s, const struct chart_extras *extras)
{
	s->rulers = xcalloc(extras->ruler_count + 1, sizeof *s->rulers);
	for (size_t i = 0; i < extras->ruler_count && !get_x_metric(s); i++)
		if (extras->rulers[i].x >= s->chart.x.low && extras->rulers[i].x <= s->chart.x.high)
			s->rulers[s->chart.ruler_count++] = extras->rulers[i];
	s->chart.rulers = s->rulers;
}

/* Labels the last point before each rise with its x. */
static void label_knees(struct session_chart *s, size_t series)
{
	enum { KNEES_MAX = 4 };
	const struct series *of = &s->series[series];
	struct chart_point *points = s->points[series];
	struct knee knees[KNEES_MAX];
	if (of->style != STYLE_CURVE || !unit_counts_cost(of->unit) || s->columns.params[s->x].choices)
		return;
	double *y = xcalloc(of->count + 1, sizeof *y);
	for (size_t i = 0; i < of->count; i++)
		y[i] = points[i].valid ? points[i].y : NAN;
	int n = knees_find(y, (int)of->count, knees, KNEES_MAX);
	for (int i = 0; i < n; i++) {
		char value[32];
		struct chart_point *at = &points[knees[i].last];
		if (!at->label)
			at->label = xasprintf(
				"knee %s", units_format(value, sizeof value, at->x, s->columns.params[s->x].unit, 6));
	}
	free(y);
}

const char *session_chart_x_param(const json_t *header, const struct point_list *points)
{
	struct session_columns c;
	columns_read(header, &c);
	int x = find_x_param(&c, points);
	return x < 0 ? NULL : c.params[x].id;
}

struct session_chart *session_chart_new(
	const json_t *header, const struct point_list *points, const struct chart_extras *extras)
{
	struct session_chart *s = xcalloc(1, sizeof *s);
	columns_read(header, &s->columns);
	s->differences = extras && extras->differences;
	s->x = find_x_param(&s->columns, points);
	set_x_names(s);
	if (s->x >= 0)
		add_groups(s, points);
	for (size_t i = 0; s->x >= 0 && extras && i < extras->compared_count; i++)
		add_compared_curve(s, &extras->compared[i]);
	name_series(s);
	style_series(s);
	if (!s->chart.series_count) {
		session_chart_free(s);
		return NULL;
	}
	const struct column *x = get_x_metric(s) ? get_x_metric(s) : &s->columns.params[s->x];
	const char *title = header_get_title(header), *device = device_get_name(header_get_device(header));
	s->title = xasprintf("%s%s%s", *title ? title : record_get_experiment(header), *device ? "  -  " : "", device);
	s->x_label = xstrdup(x->id);
	s->chart.title = s->title;
	s->chart.x_label = s->x_label;
	s->chart.x_unit = x->unit;
	s->chart.series = s->series;
	chart_fit_scales(&s->chart, axis_doubles(s), s->log_y);
	if (extras)
		add_rulers_in_range(s, extras);
	for (size_t i = 0; i < s->chart.series_count; i++)
		label_knees(s, i);
	if (extras)
		add_published_values(s, extras);
	return s;
}

size_t session_chart_strips(const struct session_chart *s, struct chart_strip out[CLOCK_STRIPS_MAX])
{
	for (size_t k = 0; k < CLOCK_STRIPS_MAX; k++)
		out[k] =
			(struct chart_strip){strip_clocks[k].label, strip_clocks[k].unit, s->strips[k], s->strip_count};
	return CLOCK_STRIPS_MAX;
}

const char *session_chart_marks(const struct session_chart *s, size_t point)
{
	return point < s->record_count && s->marks[point] ? s->marks[point] : "";
}

size_t session_chart_suspects(const struct session_chart *s, const size_t **list)
{
	*list = s->suspects;
	return s->suspect_count;
}

void session_chart_free(struct session_chart *s)
{
	for (size_t k = 0; k < CLOCK_STRIPS_MAX; k++)
		free(s->strips[k]);
	for (size_t i = 0; i < SERIES_MAX; i++) {
		for (size_t k = 0; k < s->series[i].count; k++)
			free((char *)s->points[i][k].label);
		free(s->labels[i]);
		free(s->points[i]);
	}
	groups_free(&s->groups);
	free(s->rulers);
	free(s->point_groups);
	free(s->suspects);
	for (size_t i = 0; i < s->record_count; i++)
		free(s->marks[i]);
	free(s->marks);
	free(s->title);
	free(s->x_label);
	free(s);
}

const struct chart *session_chart_of(const struct session_chart *s)
{
	return &s->chart;
}

/* --- for the smaller charts below it --- */

size_t session_chart_group_count(const struct session_chart *s)
{
	return s->groups.count;
}

const char *session_chart_group_name(const struct session_chart *s, size_t group)
{
	return s->groups.list[group].name;
}

size_t session_chart_point_group(const struct session_chart *s, size_t point)
{
	return s->point_groups[point];
}

bool session_chart_is_over_metric(const struct session_chart *s)
{
	return get_x_metric(s) != NULL;
}

bool session_chart_has_choices(const struct session_chart *s)
{
	return s->columns.params[s->x].choices != NULL;
}

bool session_chart_has_differences(const struct session_chart *s)
{
	return s->differences;
}

const struct column *session_chart_main_metric(const struct session_chart *s)
{
	for (int axis = 0; axis < AXIS_COUNT; axis++)
		for (int m = 0; m < s->columns.metric_count; m++)
			if (s->columns.metrics[m].axis == axis && !s->columns.metrics[m].line)
				return &s->columns.metrics[m];
	return NULL;
}

const struct series *session_chart_find_series(const struct session_chart *s, size_t group, const struct column *metric)
{
	for (size_t i = 0; i < s->chart.series_count; i++)
		if (s->series[i].role == SERIES_CURRENT && s->series_groups[i] == group &&
			&s->columns.metrics[s->series_metrics[i]] == metric)
			return &s->series[i];
	return NULL;
}
