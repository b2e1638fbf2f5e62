#include "experiments/definition/point/delegated_point.h"

#include <string.h>

#include "experiments/definition/default_values.h"
#include "experiments/definition/definition.h"
#include "experiments/definition/sweep_plan.h"
#include "gpu/protocol/point_record.h"

static struct experiment *find_target(const struct experiment *x, const char *id, struct err *e)
{
	char where[700];
	struct err why;
	definition_format_location(x, "measures", where, sizeof where);
	if (!x->catalog)
		return err_set(e, ST_REQUEST, "%s: '%s' cannot be found: this experiment was loaded without a catalog",
			       where, id),
		       NULL;
	struct experiment *target = catalog_find(x->catalog, id, &why);
	if (!target)
		err_set(e, ST_REQUEST, "%s: %s", where, why.text);
	else if (target->work == WORK_DELEGATED)
		err_set(e, ST_REQUEST, "%s: '%s' itself measures another experiment; name that one", where, id);
	return target && target->work != WORK_DELEGATED ? target : NULL;
}

/* Sets the target's parameters by name; false at the first that is unknown or out of range. */
static bool set_target_params(const struct experiment *x, const struct experiment *target, const json_t *params,
	double *values, struct err *e)
{
	char where[700];
	const char *name;
	json_t *value;
	struct err why;
	json_object_foreach((json_t *)params, name, value)
	{
		int i = experiment_find_param(target, name);
		if (i < 0)
			return err_set(e, ST_REQUEST, "%s: %s has no parameter '%.60s'; `wavedeck show %s` lists them",
				definition_format_location(x, "measures", where, sizeof where), target->id, name,
				target->id);
		if (!param_from_json(&target->params[i], value, &values[i], &why))
			return err_set(e, ST_REQUEST, "%s: %s: %s",
				definition_format_location(x, "measures", where, sizeof where), target->id, why.text);
	}
	return true;
}

bool delegated_point_resolve(struct experiment *x, const double *values, bool soft, const char *arch,
	struct delegated_point *out, struct err *e)
{
	struct delegation d;
	if (!definition_eval_delegation(x, values, &d, e))
		return false;
	out->target = find_target(x, d.id, e);
	if (out->target)
		experiment_default_values(out->target, soft, arch, out->values);
	bool ok = out->target && set_target_params(x, out->target, d.params, out->values, e);
	json_decref(d.params);
	return ok;
}

json_t *delegated_values(const struct experiment *x, const json_t *point, struct err *e)
{
	const json_t *measured = point_get_measured(point);
	double values[PARAMS_MAX];
	struct experiment *target = find_target(x, record_get_experiment(measured), e);
	if (!target)
		return NULL;
	for (int i = 0; i < target->param_count; i++)
		values[i] = target->params[i].value;
	if (!set_target_params(x, target, record_get_params(measured), values, e))
		return NULL;
	return definition_eval_values(target, values, e);
}

static bool is_supported(struct plan *p, double value)
{
	struct delegated_point d;
	struct err e;
	double values[PARAMS_MAX];
	memcpy(values, p->fixed, sizeof values);
	values[p->axes[0].param] = value;
	return !delegated_point_resolve(p->x, values, p->soft_defaults, p->arch, &d, &e) ||
		experiment_supports_arch(d.target, p->arch);
}

void plan_drop_unsupported(struct plan *p)
{
	if (p->x->work != WORK_DELEGATED || p->own_axes || p->axis_count != 1)
		return;
	struct plan_axis *a = &p->axes[0];
	int kept = 0;
	for (int i = 0; i < a->count; i++)
		if (is_supported(p, a->values[i]))
			a->values[kept++] = a->values[i];
	a->count = kept ? kept : a->count;
}
