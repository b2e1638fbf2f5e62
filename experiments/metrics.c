/* The metrics of a measured point, from its record. */
#include <stdlib.h>

#include "base/buf.h"
#include "experiments/definition.h"
#include "experiments/sweep.h"

enum { COUNTERS_MAX = 64 };

static int read_counters(const json_t *point, struct counter *out)
{
	const char *name;
	json_t *value;
	int count = 0;
	json_object_foreach(json_object_get(point, "counters"), name, value)
		if (json_is_number(value) && count < COUNTERS_MAX)
			out[count++] = (struct counter){ name, json_number_value(value) };
	return count;
}

bool experiment_metrics_at(struct experiment *x, const double *values, const json_t *point, double seconds, struct reading *out, struct err *e)
{
	struct counter counters[COUNTERS_MAX];
	struct measured m = { seconds, record_clocks(point), counters, read_counters(point, counters) };
	bool ok = true;
	for (int i = 0; i < x->metric_count; i++)
		ok = definition_metric(x, values, i, &m, &out[i], ok ? e : NULL) && ok; /* the first mistake is the one reported */
	return ok;
}

struct stats point_seconds(const json_t *point)
{
	const json_t *list = json_object_get(point, "seconds");
	size_t count = json_array_size(list), used = 0;
	double *samples = xmalloc(count * sizeof *samples);
	for (size_t i = 0; i < count; i++)
		if (json_is_number(json_array_get(list, i)))
			samples[used++] = json_number_value(json_array_get(list, i));
	struct stats s = stats_of(samples, (int)used);
	free(samples);
	return s;
}

bool experiment_metrics(struct experiment *x, const double *values, const json_t *point, struct reading *out, struct err *e)
{
	struct stats s = point_seconds(point);
	for (int i = 0; i < x->metric_count; i++)
		out[i] = (struct reading){ false, 0 };
	return !s.count || experiment_metrics_at(x, values, point, s.median, out, e);
}
