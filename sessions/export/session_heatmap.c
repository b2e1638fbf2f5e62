#include "sessions/export/session_heatmap.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "sessions/load/session_columns.h"

struct heat_axis {
	const struct column *column;
	const json_t *values; /* numbers or names of choices */
	size_t last;          /* index of the value that was found last */
};

static bool find_heat_axis(const struct session_columns *c, const json_t *swept, struct heat_axis *out)
{
	const char *id = record_get_text(swept, "param");
	*out = (struct heat_axis){.values = json_object_get(swept, "values")};
	for (int i = 0; i < c->param_count; i++)
		if (!strcmp(c->params[i].id, id))
			out->column = &c->params[i];
	return out->column && json_array_size(out->values) > 1;
}

static char (*make_value_names(const struct heat_axis *a))[HEATMAP_NAME]
{
	size_t count = json_array_size(a->values);
	char(*names)[HEATMAP_NAME] = xcalloc(count, sizeof *names);
	bool bytes = !strcmp(a->column->unit, "B");
	for (size_t i = 0; i < count; i++) {
		const json_t *v = json_array_get(a->values, i);
		if (json_is_string(v))
			snprintf(names[i], HEATMAP_NAME, "%.23s", json_string_value(v));
		else
			units_format(names[i], HEATMAP_NAME, json_number_value(v), bytes ? "B" : "", 6);
	}
	return names;
}

static bool is_axis_value(const json_t *v, const json_t *value)
{
	return json_is_string(v) ? json_is_string(value) && json_equal(v, value)
				 : json_number_value(v) == json_number_value(value);
}

/* The index of the point's value on the axis; -1. Points come in the order of the plan: their values follow each other.
 */
static int find_axis_value(struct heat_axis *a, const json_t *point)
{
	const json_t *value = json_object_get(record_get_params(point), a->column->id);
	size_t count = json_array_size(a->values);
	for (size_t i = 0; i < count; i++) {
		size_t at = (a->last + i) % count;
		if (is_axis_value(json_array_get(a->values, at), value))
			return (int)(a->last = at);
	}
	return -1;
}

static int find_left_metric(const struct session_columns *c)
{
	for (int i = 0; i < c->metric_count; i++)
		if (c->metrics[i].axis == 0 && !c->metrics[i].line)
			return i;
	return c->metric_count ? 0 : -1;
}

static struct heat_cell make_heat_cell(const struct column *metric, const json_t *point)
{
	char why[8];
	struct reading r = column_metric(metric, point);
	bool wrong = point_has_wrong_result(point);
	return (struct heat_cell){r.value, true, r.valid && !wrong,
		point_has_moved_clocks(point) || (r.valid && point_describe_fault(point, why, sizeof why))};
}

/* Without its cells. */
static void start_heatmap(
	const struct heat_axis *x, const struct heat_axis *y, const struct column *metric, struct heatmap *out)
{
	*out = (struct heatmap){x->column->id, x->column->unit, y->column->id, y->column->unit, metric->id,
		metric->unit, (int)json_array_size(x->values), (int)json_array_size(y->values), make_value_names(x),
		make_value_names(y), NULL, 0, 0, false, -1, -1};
	out->cells = xcalloc((size_t)(out->columns * out->rows), sizeof *out->cells);
}

bool session_heatmaps_make(
	const json_t *header, const struct point_list *points, const int *metrics, size_t count, struct heatmap *out)
{
	struct session_columns c;
	struct heat_axis x, y;
	const json_t *sweep = header_get_sweep(header);
	columns_read(header, &c);
	if (json_array_size(sweep) != 2 || !find_heat_axis(&c, json_array_get(sweep, 0), &y) ||
		!find_heat_axis(&c, json_array_get(sweep, 1), &x))
		return false;
	for (size_t k = 0; k < count; k++)
		start_heatmap(&x, &y, &c.metrics[metrics[k]], &out[k]);
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = point_list_get(points, i);
		int column = point ? find_axis_value(&x, point) : -1, row = point ? find_axis_value(&y, point) : -1;
		for (size_t k = 0; column >= 0 && row >= 0 && k < count; k++)
			*heatmap_cell(&out[k], column, row) = make_heat_cell(&c.metrics[metrics[k]], point);
	}
	for (size_t k = 0; k < count; k++)
		heatmap_fit(&out[k]);
	return true;
}

bool session_heatmap_make(const json_t *header, const struct point_list *points, int metric, struct heatmap *out)
{
	struct session_columns c;
	*out = (struct heatmap){.least = -1, .most = -1};
	columns_read(header, &c);
	metric = metric < 0 || metric >= c.metric_count ? find_left_metric(&c) : metric;
	return metric >= 0 && session_heatmaps_make(header, points, &metric, 1, out);
}
