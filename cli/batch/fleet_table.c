#include "cli/batch/fleet_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/stats.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "sessions/export/csv_line.h"

/* --- values --- */

static const char *find_first_metric(const struct session_join *joins, int count)
{
	for (int i = 0; i < count; i++) {
		const json_t *metrics = json_object_get(header_get_columns(joins[i].header), "metrics");
		if (json_array_size(metrics))
			return record_get_text(json_array_get(metrics, 0), "id");
	}
	return "";
}

/* NAN: not measured, or a wrong result. */
static double read_metric(const struct session_join *j, size_t i, const char *metric)
{
	const json_t *point = session_join_has(j, i) ? point_list_get(&j->points, i) : NULL;
	struct reading r = record_get_reading(point_get_metrics(point), metric);
	bool good = r.valid && point_is_ok(point) && strcmp(point_get_verify(point), "failed");
	return good ? r.value : NAN;
}

static double median_over_nodes(const struct session_join *joins, int count, size_t i, const char *metric)
{
	double *values = xmalloc((size_t)count * sizeof *values);
	int n = 0;
	for (int k = 0; k < count; k++) {
		double v = read_metric(&joins[k], i, metric);
		if (!isnan(v))
			values[n++] = v;
	}
	double median = n ? stats_compute(values, n).median : NAN;
	free(values);
	return median;
}

static void fill_row(struct fleet_row *row, const struct session_join *j, const double *medians, const char *metric)
{
	double *ratios = xmalloc((j->count + 1) * sizeof *ratios);
	for (size_t i = 0; i < j->count; i++) {
		double v = read_metric(j, i, metric);
		if (!isnan(v) && medians[i] != 0)
			ratios[row->points++] = v / medians[i];
	}
	struct stats s = stats_compute(ratios, row->points);
	row->median = s.median;
	row->low = s.min;
	row->high = s.max;
	free(ratios);
}

/* --- outliers --- */

static double row_distance(const struct fleet_row *r)
{
	return r->points ? fabs(r->median - 1) : -1;
}

static int order_rows(const void *a, const void *b)
{
	const struct fleet_row *x = a, *y = b;
	double dx = row_distance(x), dy = row_distance(y);
	return dx != dy ? (dx < dy) - (dx > dy) : strcmp(x->node, y->node);
}

static void mark_outliers(struct fleet_table *t)
{
	double *values = xmalloc((size_t)(t->count + 1) * sizeof *values);
	int n = 0;
	for (int i = 0; i < t->count; i++)
		if (t->rows[i].points)
			values[n++] = t->rows[i].median;
	struct stats s = stats_compute(values, n);
	for (int i = 0; i < n; i++)
		values[i] = fabs(values[i] - s.median);
	double limit = OUTLIER_DEVIATIONS * 1.4826 * stats_compute(values, n).median;
	for (int i = 0; i < t->count; i++) {
		double away = fabs(t->rows[i].median - s.median);
		t->rows[i].outlier = t->rows[i].points && away > limit && away >= OUTLIER_LEAST;
	}
	t->spread = n ? s.max - s.min : 0;
	free(values);
}

/* --- devices --- */

/* Its name says nothing about the device. The caller owns it. */
static json_t *copy_comparable_device(const struct session_join *j)
{
	json_t *device = device_copy_for_session(header_get_device(j->header));
	json_object_del(device, "device");
	return device;
}

/* What most have, so that the others are described relative to it. NULL if none has a device. */
static const json_t *find_common_device(const json_t *devices)
{
	const json_t *best = NULL, *a, *b;
	size_t i, k;
	int most = 0;
	json_array_foreach(devices, i, a)
	{
		int same = 0;
		json_array_foreach(devices, k, b) same += json_is_object(a) && json_equal(a, b);
		if (same > most)
			best = a, most = same;
	}
	return best;
}

static void append_difference(struct buf *out, const char *key, const json_t *now, const json_t *usual)
{
	char *a = now ? json_dumps(now, JSON_ENCODE_ANY) : xstrdup("missing");
	char *b = usual ? json_dumps(usual, JSON_ENCODE_ANY) : xstrdup("missing");
	buf_printf(out, "%s%s %.60s instead of %.60s", out->len ? ", " : "", key, a, b);
	free(a);
	free(b);
}

/* Members that are objects are compared one level deeper: constants and versions. */
static void append_differences(struct buf *out, const json_t *device, const json_t *usual, int depth)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)device, key, value)
	{
		const json_t *other = json_object_get(usual, key);
		if (json_is_object(value) && json_is_object(other) && !depth)
			append_differences(out, value, other, depth + 1);
		else if (!(other && json_equal(value, other)))
			append_difference(out, key, value, other);
	}
}

static void describe_devices(struct fleet_row *rows, const struct session_join *joins, int count)
{
	json_t *devices = json_array();
	for (int i = 0; i < count; i++) {
		json_t *device = copy_comparable_device(&joins[i]);
		json_array_append_new(devices, device ? device : json_null());
	}
	const json_t *common = find_common_device(devices);
	for (int i = 0; i < count; i++) {
		struct buf out = {0};
		const json_t *device = json_array_get(devices, (size_t)i);
		if (json_is_object(device))
			append_differences(&out, device, common, 0);
		rows[i].differs = out.data;
	}
	json_decref(devices);
}

/* --- the table --- */

bool fleet_table_make(struct fleet_table *t, const struct session_join *joins, const char *const *nodes, int count,
	const char *metric, struct err *e)
{
	size_t points = count ? joins[0].count : 0;
	double *medians = xmalloc((points + 1) * sizeof *medians);
	bool any = false;
	*t = (struct fleet_table){.rows = xcalloc((size_t)count + 1, sizeof *t->rows), .count = count};
	snprintf(t->metric, sizeof t->metric, "%s", metric && *metric ? metric : find_first_metric(joins, count));
	for (size_t i = 0; i < points; i++)
		medians[i] = median_over_nodes(joins, count, i, t->metric);
	for (int k = 0; k < count; k++) {
		t->rows[k].node = nodes[k];
		fill_row(&t->rows[k], &joins[k], medians, t->metric);
		any = any || t->rows[k].points;
	}
	describe_devices(t->rows, joins, count);
	free(medians);
	mark_outliers(t);
	qsort(t->rows, (size_t)count, sizeof *t->rows, order_rows);
	return any || err_set(e, ST_FAILED, "no point has a value of '%s'", t->metric);
}

void fleet_table_free(struct fleet_table *t)
{
	for (int i = 0; i < t->count; i++)
		free(t->rows[i].differs);
	free(t->rows);
	*t = (struct fleet_table){0};
}

void fleet_table_print(const struct fleet_table *t, const char *what, FILE *out)
{
	int width = (int)strlen(what), nodes = 0, outliers = 0;
	for (int i = 0; i < t->count; i++) {
		int n = (int)strlen(t->rows[i].node);
		width = n > width && t->rows[i].points ? n : width;
		nodes += t->rows[i].points > 0;
		outliers += t->rows[i].outlier;
	}
	fprintf(out, "%-*s  %8s  %7s  %8s  %8s  %6s\n", width, what, "median", "", "min", "max", "points");
	for (int i = 0; i < t->count && t->rows[i].points; i++) {
		const struct fleet_row *r = &t->rows[i];
		fprintf(out, "%-*s  %8.4f  %+6.1f%%  %8.4f  %8.4f  %6d%s\n", width, r->node, r->median,
			100 * (r->median - 1), r->low, r->high, r->points, r->outlier ? "  outlier" : "");
	}
	fprintf(out, "%s relative to its median over the %ss, point by point: %d %s%s, spread %.1f %%, %d outlier%s\n",
		t->metric, what, nodes, what, nodes == 1 ? "" : "s", 100 * t->spread, outliers,
		outliers == 1 ? "" : "s");
	fprintf(out,
		"outlier: more than %g robust standard deviations (1.4826 MAD) and at least %g %% from the median\n",
		OUTLIER_DEVIATIONS, 100 * OUTLIER_LEAST);
	for (int i = 0; i < t->count; i++)
		if (t->rows[i].differs)
			fprintf(out, "%s %s: %s\n", t->rows[i].node,
				strcmp(what, "device") ? "has another device" : "is another device",
				t->rows[i].differs);
}

static void put_csv_text(void *out, const char *text)
{
	fputs(text, out);
}

static void add_ratio(struct csv_line *line, const struct fleet_row *r, double value)
{
	csv_add_measured(line, (struct reading){r->points > 0, value});
}

void fleet_table_print_csv(const struct fleet_table *t, const char *what, FILE *out)
{
	struct csv_line line = {0};
	csv_put_comment("metric", t->metric, put_csv_text, out);
	fprintf(out, "%s,median,min,max,points,outlier,device_differs\n", what);
	for (int i = 0; i < t->count; i++) {
		const struct fleet_row *r = &t->rows[i];
		csv_add_text(&line, r->node);
		add_ratio(&line, r, r->median);
		add_ratio(&line, r, r->low);
		add_ratio(&line, r, r->high);
		csv_add_count(&line, (size_t)r->points);
		csv_add_count(&line, r->outlier);
		csv_add_text(&line, r->differs ? r->differs : "");
		csv_end_line(&line, put_csv_text, out);
	}
}
