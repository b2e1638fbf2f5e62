/* Points that are another experiment's: its job under this experiment's name and parameters. */
#include <string.h>

#include "experiments/definition/definition.h"
#include "experiments/sweep/sweep.h"

static struct experiment *find_other(const struct experiment *x, const char *id, struct err *e)
{
	char where[700];
	struct err why;
	definition_format_location(x, "measures", where, sizeof where);
	if (!x->catalog)
		return err_set(e, ST_REQUEST, "%s: there is no catalog to find '%s' in", where, id), NULL;
	struct experiment *other = catalog_find(x->catalog, id, &why);
	if (!other)
		err_set(e, ST_REQUEST, "%s: %s", where, why.text);
	else if (other->work == WORK_DELEGATED)
		err_set(e, ST_REQUEST, "%s: '%s' measures another experiment itself; name that one", where, id);
	return other && other->work != WORK_DELEGATED ? other : NULL;
}

/* Sets the parameters that are named; false with the first that is none or is out of range. */
static bool set_params(
	const struct experiment *x, const struct experiment *other, const json_t *params, double *values, struct err *e)
{
	char where[700];
	const char *name;
	json_t *value;
	struct err why;
	json_object_foreach((json_t *)params, name, value)
	{
		int i = experiment_find_param(other, name);
		if (i < 0)
			return err_set(e, ST_REQUEST, "%s: %s has no parameter '%.60s'",
				definition_format_location(x, "measures", where, sizeof where), other->id, name);
		if (!param_from_json(&other->params[i], value, &values[i], &why))
			return err_set(e, ST_REQUEST, "%s: %s: %s",
				definition_format_location(x, "measures", where, sizeof where), other->id, why.text);
	}
	return true;
}

/* The counters that this experiment's metrics want, behind the other's own. */
static bool add_own_counters(json_t *job, struct experiment *x, const double *values, struct err *e)
{
	struct evaluation v;
	json_t *list = json_object_get(job, "counters");
	if (!definition_evaluate(x, values, &v, e))
		return false;
	if (!list && v.counter_count)
		json_object_set_new(job, "counters", list = json_array());
	for (int i = 0; i < v.counter_count; i++)
		json_array_append_new(list, json_string(v.counters[i]));
	return true;
}

static json_t *job_of(struct experiment *x, const double *values, struct experiment *other, const json_t *params,
	bool soft, bool verify, struct err *e)
{
	double at[PARAMS_MAX];
	for (int i = 0; i < other->param_count; i++)
		at[i] = soft ? other->params[i].soft : other->params[i].value;
	json_t *job = set_params(x, other, params, at, e) ? experiment_build_job(other, at, soft, verify, e) : NULL;
	if (!job)
		return NULL;
	json_object_set_new(
		job, "measures", json_pack("{s:s, s:o}", "experiment", other->id, "params", values_to_json(other, at)));
	json_object_set_new(job, "experiment", json_string(x->id));
	json_object_set_new(job, "params", values_to_json(x, values));
	if (add_own_counters(job, x, values, e))
		return job;
	json_decref(job);
	return NULL;
}

json_t *delegated_job(struct experiment *x, const double *values, bool soft, bool verify, struct err *e)
{
	struct delegation d;
	if (!definition_eval_delegation(x, values, &d, e))
		return NULL;
	struct experiment *other = find_other(x, d.id, e);
	json_t *job = other ? job_of(x, values, other, d.params, soft, verify, e) : NULL;
	json_decref(d.params);
	return job;
}

json_t *delegated_values(const struct experiment *x, const json_t *point, struct err *e)
{
	const json_t *measured = json_object_get(point, "measures");
	double at[PARAMS_MAX];
	struct experiment *other = find_other(x, record_get_text(measured, "experiment"), e);
	if (!other)
		return NULL;
	for (int i = 0; i < other->param_count; i++)
		at[i] = other->params[i].value;
	return set_params(x, other, json_object_get(measured, "params"), at, e) ? definition_eval_values(other, at, e)
										: NULL;
}
