#include "experiments/analysis/session_extras.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/record.h"

static const json_t *find_param_column(const json_t *header, const char *id)
{
	const json_t *params = json_object_get(json_object_get(header, "columns"), "params"), *column;
	size_t i;
	json_array_foreach(params, i, column)
	{
		if (!strcmp(record_get_text(column, "id"), id))
			return column;
	}
	return NULL;
}

/* Caches for a footprint, lines for a stride, of the device that was measured. */
static void make_rulers(struct session_extras *out, const json_t *header, const json_t *x_column)
{
	struct capacity list[CAPACITIES_MAX];
	char bytes[24];
	int n = capacities_list(
		json_object_get(header, "device"), param_meaning_of(record_get_text(x_column, "means")), list);
	for (int i = 0; i < n; i++) {
		units_format(bytes, sizeof bytes, list[i].bytes, "B", 6);
		out->ruler_names[i] = xasprintf("%s %s", list[i].name, bytes);
		out->rulers[i] = (struct chart_ruler){list[i].bytes, out->ruler_names[i]};
	}
	out->chart.rulers = out->rulers;
	out->chart.ruler_count = (size_t)n;
}

/* True if the row belongs to a measured curve and is within its range. */
static bool row_is_on_curve(const struct validation_row *r, int axis, json_t *const *points, size_t count)
{
	double values[PARAMS_MAX], low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < count; i++)
		if (points[i] && params_from_json(r->x, json_object_get(points[i], "params"), values) &&
			overlay_row_fits(r, values, axis)) {
			low = axis < 0 ? 0 : fmin(low, values[axis]);
			high = axis < 0 ? 0 : fmax(high, values[axis]);
		}
	return overlay_row_x(r, axis) >= low && overlay_row_x(r, axis) <= high;
}

static void make_published(struct session_extras *out, const char *x_id, json_t *const *points, size_t count,
	const struct validation *rows)
{
	out->published = xcalloc((size_t)rows->row_count + 1, sizeof *out->published);
	for (int i = 0; i < rows->row_count; i++) {
		const struct validation_row *r = &rows->rows[i];
		int axis = experiment_find_param(r->x, x_id);
		if (row_is_on_curve(r, axis, points, count))
			out->published[out->chart.published_count++] =
				(struct published_point){r->row->metric, overlay_row_x(r, axis), r->row->value};
	}
	out->chart.published = out->published;
	out->chart.published_rows = rows->row_count;
	if (rows->row_count)
		overlay_format_sources(rows, out->sources, sizeof out->sources);
}

const struct chart_extras *session_extras_make(struct session_extras *out, const json_t *header, json_t *const *points,
	size_t count, const struct validation *rows)
{
	*out = (struct session_extras){0};
	out->chart.sources = out->sources;
	const char *x_id = session_chart_x_param(header, points, count);
	if (!x_id)
		return &out->chart;
	make_rulers(out, header, find_param_column(header, x_id));
	if (rows)
		make_published(out, x_id, points, count, rows);
	return &out->chart;
}

void session_extras_free(struct session_extras *e)
{
	for (size_t i = 0; i < e->chart.ruler_count; i++)
		free(e->ruler_names[i]);
	free(e->published);
}
