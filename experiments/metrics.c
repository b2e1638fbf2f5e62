/* The metrics of a measured point, from its record. */
#include <stdlib.h>

#include "base/buf.h"
#include "experiments/definition.h"
#include "experiments/sweep.h"

static struct stats samples_of(const json_t *list)
{
	size_t count = json_array_size(list), used = 0;
	double *samples = xmalloc(count * sizeof *samples);
	for (size_t i = 0; i < count; i++)
		if (json_is_number(json_array_get(list, i)))
			samples[used++] = json_number_value(json_array_get(list, i));
	struct stats s = stats_of(samples, (int)used);
	free(samples);
	return s;
}

struct stats point_seconds(const json_t *point) { return samples_of(json_object_get(point, "seconds")); }

static bool metrics(struct experiment *x, const double *values, const json_t *point, struct reading seconds, struct reading *out, struct err *e)
{
	json_t *v = x->work == WORK_OTHER ? other_values(x, point, e) : NULL;
	struct stats wall = samples_of(json_object_get(point, "wall_seconds"));
	struct measured m = { seconds, { wall.count > 0, wall.median }, point, v };
	bool ok = v || x->work != WORK_OTHER;
	for (int i = 0; i < x->metric_count; i++)
		out[i] = (struct reading){ false, 0 };
	for (int i = 0; (v || x->work != WORK_OTHER) && i < x->metric_count; i++)
		ok = definition_metric(x, values, i, &m, &out[i], ok ? e : NULL) && ok; /* the first mistake is the one reported */
	json_decref(v);
	return ok;
}

bool experiment_timed(const struct experiment *x) { return x->work == WORK_LAUNCH || x->work == WORK_OTHER; }

bool experiment_metrics_at(struct experiment *x, const double *values, const json_t *point, double seconds, struct reading *out, struct err *e)
{
	return metrics(x, values, point, (struct reading){ experiment_timed(x), seconds }, out, e);
}

bool experiment_metrics(struct experiment *x, const double *values, const json_t *point, struct reading *out, struct err *e)
{
	struct stats s = point_seconds(point);
	return metrics(x, values, point, (struct reading){ s.count > 0, s.median }, out, e);
}
