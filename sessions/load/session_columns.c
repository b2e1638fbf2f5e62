#include "sessions/load/session_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/stats.h"
#include "base/vendor/vendor_words.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

static void add_session_column(struct column *list, int *count, struct column c)
{
	if (*count < COLUMNS_MAX && c.id && *c.id)
		list[(*count)++] = c;
}

static struct column parse_column(const json_t *v)
{
	const json_t *axis = json_object_get(v, "axis"), *choices = json_object_get(v, "choices");
	struct column c = {json_string_value(v), "", -1, json_is_true(json_object_get(v, "log")),
		json_is_true(json_object_get(v, "line")), NULL};
	if (json_is_object(v)) {
		c.id = record_get_text(v, "id");
		c.unit = record_get_text(v, "unit");
	}
	if (json_is_integer(axis))
		c.axis = (int)json_integer_value(axis);
	if (json_is_array(choices) && json_array_size(choices))
		c.choices = choices;
	return c;
}

static void read_columns(const json_t *from, const char *key, struct column *list, int *count)
{
	size_t i;
	json_t *v;
	json_array_foreach(json_object_get(from, key), i, v) add_session_column(list, count, parse_column(v));
}

/* For a header without "columns": its parameters, and everything else with a unit as metrics, the first on the left
 * axis and the second on the right. */
static void derive_columns(const json_t *header, struct session_columns *out)
{
	const char *key;
	json_t *v, *params = record_get_params(header), *units = json_object_get(header, "units");
	json_object_foreach(params, key, v) add_session_column(out->params, &out->param_count,
		(struct column){key, record_get_text(units, key), -1, false, false, NULL});
	json_object_foreach(units, key, v) if (!json_object_get(params, key))
		add_session_column(out->metrics, &out->metric_count,
			(struct column){key, record_get_text(units, key),
				out->metric_count < 2 ? out->metric_count : -1, false, false, NULL});
}

static void read_swept_param(const json_t *sweep, struct session_columns *out)
{
	const char *id = record_get_text(sweep, "param");
	if (*id && out->swept_count < COLUMNS_MAX && json_array_size(json_object_get(sweep, "values")) > 1)
		out->swept[out->swept_count++] = id;
}

/* The words of the vendor of the device that was measured. */
static void name_units(const json_t *header, struct column *list, int count)
{
	for (int i = 0; i < count; i++)
		list[i].unit = vendor_unit(device_get_arch(header_get_device(header)), list[i].unit);
}

void columns_read(const json_t *header, struct session_columns *out)
{
	*out = (struct session_columns){0};
	const json_t *from = header_get_columns(header), *sweep = header_get_sweep(header);
	read_columns(from, "params", out->params, &out->param_count);
	read_columns(from, "metrics", out->metrics, &out->metric_count);
	read_columns(from, "counters", out->counters, &out->counter_count);
	const json_t *units = json_object_get(header_get_device(header), "counters");
	for (int i = 0; i < out->counter_count; i++)
		out->counters[i].unit = record_get_text(units, out->counters[i].id);
	if (!out->param_count && !out->metric_count)
		derive_columns(header, out);
	name_units(header, out->params, out->param_count);
	name_units(header, out->metrics, out->metric_count);
	out->x_metric = -1;
	for (int k = 0; k < out->metric_count; k++)
		if (out->metrics[k].axis == 2)
			out->x_metric = k;
	size_t i;
	json_t *v;
	if (json_is_object(sweep))
		read_swept_param(sweep, out);
	json_array_foreach(sweep, i, v) read_swept_param(v, out);
}

size_t session_curve_count(const json_t *header)
{
	const json_t *sweep = header_get_sweep(header);
	size_t axes = json_array_size(sweep), curves = 1;
	for (size_t i = 0; i + 1 < axes; i++)
		curves *= json_array_size(json_object_get(json_array_get(sweep, i), "values"));
	return curves;
}

struct reading column_param(const struct column *c, const json_t *point, const char **name)
{
	const json_t *v = json_object_get(record_get_params(point), c->id);
	*name = json_string_value(v);
	if (!*name && c->choices && json_is_number(v)) {
		double index = json_number_value(v);
		if (index >= 0 && index < (double)json_array_size(c->choices))
			*name = json_string_value(json_array_get(c->choices, (size_t)index));
	}
	if (*name && c->choices) {
		for (size_t i = 0; i < json_array_size(c->choices); i++) {
			const char *choice = json_string_value(json_array_get(c->choices, i));
			if (choice && !strcmp(choice, *name))
				return (struct reading){true, (double)i};
		}
	}
	return json_is_number(v) ? (struct reading){true, json_number_value(v)} : (struct reading){false, 0};
}

struct reading column_metric(const struct column *c, const json_t *point)
{
	return record_get_reading(point_get_metrics(point), c->id);
}

static struct stats json_stats(const json_t *numbers)
{
	size_t n = json_array_size(numbers);
	double *list = xmalloc((n + 1) * sizeof *list);
	for (size_t i = 0; i < n; i++)
		list[i] = json_number_value(json_array_get(numbers, i));
	struct stats s = stats_compute(list, (int)n);
	free(list);
	return s;
}

/* The quartiles relative to the median, as a factor of at least 1. */
static double sample_spread(const json_t *seconds)
{
	struct stats s = json_stats(seconds);
	return s.q1 > 0 ? fmax(s.q3 / s.median, s.median / s.q1) : 1;
}

/* The farther end of the interval of the median relative to the median; 0 if it is not recorded. */
static double interval_spread(const json_t *point)
{
	const json_t *pair = json_object_get(point, "median_interval");
	double low = json_number_value(json_array_get(pair, 0)), high = json_number_value(json_array_get(pair, 1)),
	       median = json_stats(point_get_samples(point)).median;
	return low > 0 && median > 0 ? fmax(fmax(high / median, median / low), 1) : 0;
}

/* A recorded pair of values; without one, the value over and times the factor, which is at least 1. */
static void read_ends(const json_t *pair, double value, double factor, double *low, double *high)
{
	bool recorded = json_array_size(pair) == 2;
	*low = recorded ? json_number_value(json_array_get(pair, 0)) : fmin(value / factor, value * factor);
	*high = recorded ? json_number_value(json_array_get(pair, 1)) : fmax(value / factor, value * factor);
}

bool column_quartiles(const struct column *c, const json_t *point, double *low, double *high)
{
	const json_t *seconds = point_get_samples(point);
	struct reading r = column_metric(c, point);
	*low = *high = r.value;
	if (!r.valid || json_array_size(seconds) < 2)
		return false;
	read_ends(json_object_get(json_object_get(point, "quartiles"), c->id), r.value, sample_spread(seconds), low,
		high);
	return true;
}

bool column_interval(const struct column *c, const json_t *point, double *low, double *high)
{
	struct reading r = column_metric(c, point);
	double factor = r.valid ? interval_spread(point) : 0;
	*low = *high = r.value;
	if (factor < 1)
		return false;
	read_ends(json_object_get(json_object_get(point, "intervals"), c->id), r.value, factor, low, high);
	return true;
}

struct reading column_counter(const struct column *c, const json_t *point)
{
	return record_get_reading(point_get_counters(point), c->id);
}

bool point_has_wrong_result(const json_t *point)
{
	return !strcmp(point_get_verify(point), "failed");
}

bool point_has_failed(const json_t *point)
{
	const char *status = point_get_status(point);
	return (*status && strcmp(status, "ok")) || *point_get_metric_error(point);
}

bool point_describe_fault(const json_t *point, char *out, size_t size)
{
	const char *status = point_get_status(point), *error = point_get_error(point),
		   *metric = point_get_metric_error(point);
	out[0] = 0;
	if (*status && strcmp(status, "ok"))
		snprintf(out, size, "%s%s%s", status, *error ? ": " : "", error);
	else if (point_has_wrong_result(point))
		snprintf(out, size, "wrong result: %s", point_get_verify_text(point));
	else if (!strcmp(point_get_contract(point), "broken"))
		snprintf(out, size, "unexpected instructions: %s", point_get_contract_text(point));
	else if (*metric)
		snprintf(out, size, "failed: %s", metric);
	out[strcspn(out, "\n")] = 0;
	return *out;
}
