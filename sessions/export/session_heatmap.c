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

/* The index of the point's value on the axis; -1. */
static int find_axis_value(const struct heat_axis *a, const json_t *point)
{
	const json_t *value = json_object_get(record_get_params(point), a->column->id);
	size_t i;
	json_t *v;
	json_array_foreach(a->values, i, v)
	{
		bool same = json_is_string(v) ? json_is_string(value) && json_equal(v, value)
					      : json_number_value(v) == json_number_value(value);
		if (same)
			return (int)i;
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

bool session_heatmap_make(const json_t *header, const struct point_list *points, int metric, struct heatmap *out)
{
	struct session_columns c;
	struct heat_axis x, y;
	const json_t *sweep = header_get_sweep(header);
	*out = (struct heatmap){.least = -1, .most = -1};
	columns_read(header, &c);
	metric = metric < 0 || metric >= c.metric_count ? find_left_metric(&c) : metric;
	if (metric < 0 || json_array_size(sweep) != 2 || !find_heat_axis(&c, json_array_get(sweep, 0), &y) ||
		!find_heat_axis(&c, json_array_get(sweep, 1), &x))
		return false;
	*out = (struct heatmap){x.column->id, x.column->unit, y.column->id, y.column->unit, c.metrics[metric].id,
		c.metrics[metric].unit, (int)json_array_size(x.values), (int)json_array_size(y.values),
		make_value_names(&x), make_value_names(&y), NULL, 0, 0, false, -1, -1};
	out->cells = xcalloc((size_t)(out->columns * out->rows), sizeof *out->cells);
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = point_list_get(points, i);
		int column = point ? find_axis_value(&x, point) : -1, row = point ? find_axis_value(&y, point) : -1;
		if (column >= 0 && row >= 0)
			*heatmap_cell(out, column, row) = make_heat_cell(&c.metrics[metric], point);
	}
	heatmap_fit(out);
	return true;
}
