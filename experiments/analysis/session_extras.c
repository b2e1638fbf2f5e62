#include "experiments/analysis/session_extras.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

static const json_t *find_param_column(const json_t *header, const char *id)
{
	const json_t *params = json_object_get(header_get_columns(header), "params"), *column;
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
	int n = capacities_list(header_get_device(header), param_meaning_of(record_get_text(x_column, "means")), list);
	for (int i = 0; i < n; i++) {
		units_format(bytes, sizeof bytes, list[i].bytes, "B", 6);
		out->ruler_names[i] = xasprintf("%s %s", list[i].name, bytes);
		out->rulers[i] = (struct chart_ruler){list[i].bytes, out->ruler_names[i]};
	}
	out->chart.rulers = out->rulers;
	out->chart.ruler_count = (size_t)n;
}

/* The range of the points on the curve of a row. */
struct row_range {
	double low, high;
};

static void extend_row_ranges(const struct validation *rows, const char *arch, const char *x_id,
	const struct point_list *points, struct row_range *ranges)
{
	double values[PARAMS_MAX];
	const struct experiment *read = NULL; /* whose parameters `values` has */
	for (int i = 0; i < rows->row_count; i++)
		ranges[i] = (struct row_range){INFINITY, -INFINITY};
	for (size_t k = 0; k < points->count; k++) {
		json_t *params = point_list_get_params(points, k);
		read = NULL;
		for (int i = 0; params && i < rows->row_count; i++) {
			const struct validation_row *r = &rows->rows[i];
			int axis = experiment_find_param(r->x, x_id);
			if (!published_row_fits_arch(r->row, arch))
				continue;
			if (r->x != read && !params_from_json(r->x, params, values))
				continue;
			read = r->x;
			if (!overlay_row_fits(r, values, axis))
				continue;
			ranges[i].low = axis < 0 ? 0 : fmin(ranges[i].low, values[axis]);
			ranges[i].high = axis < 0 ? 0 : fmax(ranges[i].high, values[axis]);
		}
		json_decref(params);
	}
}

/* Keeps the rows of the device's target that belong to a measured curve and are within its range. */
static void make_published(struct session_extras *out, const char *arch, const char *x_id,
	const struct point_list *points, const struct validation *rows)
{
	struct row_range *ranges = xcalloc((size_t)rows->row_count + 1, sizeof *ranges);
	extend_row_ranges(rows, arch, x_id, points, ranges);
	out->published = xcalloc((size_t)rows->row_count + 1, sizeof *out->published);
	for (int i = 0; i < rows->row_count; i++) {
		const struct validation_row *r = &rows->rows[i];
		double x = overlay_row_x(r, experiment_find_param(r->x, x_id));
		if (x >= ranges[i].low && x <= ranges[i].high)
			out->published[out->chart.published_count++] =
				(struct published_point){r->row->metric, x, r->row->value};
	}
	free(ranges);
	out->chart.published = out->published;
	out->chart.published_rows = overlay_count_rows(rows, arch);
	overlay_format_sources(rows, arch, out->sources, sizeof out->sources);
}

const struct chart_extras *session_extras_make(struct session_extras *out, const json_t *header,
	const struct point_list *points, const struct validation *rows)
{
	*out = (struct session_extras){0};
	out->chart.sources = out->sources;
	const char *x_id = session_chart_x_param(header, points);
	if (!x_id)
		return &out->chart;
	make_rulers(out, header, find_param_column(header, x_id));
	if (rows)
		make_published(out, device_get_arch(header_get_device(header)), x_id, points, rows);
	return &out->chart;
}

void session_extras_free(struct session_extras *e)
{
	for (size_t i = 0; i < e->chart.ruler_count; i++)
		free(e->ruler_names[i]);
	free(e->published);
}
