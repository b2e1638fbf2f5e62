/* Metrics and verdict of a measured point, from its record. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/definition.h"
#include "experiments/definition/point/delegated_point.h"
#include "gpu/protocol/point_record.h"

static struct stats compute_sample_stats(const json_t *list)
{
	size_t count = json_array_size(list), used = 0;
	double *samples = xmalloc(count * sizeof *samples);
	for (size_t i = 0; i < count; i++)
		if (json_is_number(json_array_get(list, i)))
			samples[used++] = json_number_value(json_array_get(list, i));
	struct stats s = stats_compute(samples, (int)used);
	free(samples);
	return s;
}

struct stats point_sample_stats(const json_t *point)
{
	return compute_sample_stats(point_get_samples(point));
}

/* Collects the input of a point's metrics; the caller releases `v`. False if the point is another experiment's and its
 * values are not available. */
static bool prepare_metric_input(const struct experiment *x, const json_t *point, struct reading seconds, json_t **v,
	struct metric_input *m, struct err *e)
{
	struct stats wall = compute_sample_stats(json_object_get(point, "wall_seconds"));
	*v = x->work == WORK_DELEGATED ? delegated_values(x, point, e) : NULL;
	*m = (struct metric_input){seconds, {wall.count > 0, wall.median}, point, *v};
	return *v || x->work != WORK_DELEGATED;
}

bool experiment_eval_verdict(
	struct experiment *x, const double *values, const json_t *point, char *out, size_t size, struct err *e)
{
	json_t *v;
	struct metric_input m;
	struct stats s = point_sample_stats(point);
	*out = 0;
	if (!x->lua->has_verdict)
		return true;
	if (!prepare_metric_input(x, point, (struct reading){s.count > 0, s.median}, &v, &m, e))
		return false;
	bool ok = definition_eval_verdict(x, values, &m, out, size, e);
	json_decref(v);
	return ok;
}

int experiment_find_x_metric(const struct experiment *x)
{
	for (int i = 0; i < x->metric_count; i++)
		if (x->metrics[i].axis == METRIC_X)
			return i;
	return -1;
}

bool experiment_has_times(const struct experiment *x)
{
	return x->work == WORK_LAUNCH || x->work == WORK_DELEGATED || x->work == WORK_PROGRAM;
}

const char *experiment_why_no_launch(const struct experiment *x)
{
	switch (x->work) {
	case WORK_FORMULA:
	case WORK_COMPILE: return "it launches no kernel";
	case WORK_PROGRAM: return "its launches are those of a program, which wavedeck ./app ARGUMENTS shows";
	default: return NULL;
	}
}

bool experiment_eval_metrics_at(struct experiment *x, const double *values, const json_t *point, const double *seconds,
	int count, struct reading (*out)[METRICS_MAX], struct err *e)
{
	json_t *v;
	struct metric_input inputs[METRIC_TIMES_MAX];
	memset(out, 0, (size_t)count * sizeof *out);
	if (!prepare_metric_input(x, point, (struct reading){false, 0}, &v, &inputs[0], e))
		return false;
	for (int i = 0; i < count; i++) {
		inputs[i] = inputs[0];
		inputs[i].seconds = (struct reading){experiment_has_times(x) && !isnan(seconds[i]), seconds[i]};
	}
	bool ok = definition_eval_metrics(x, values, inputs, count, out, e);
	json_decref(v);
	return ok;
}
