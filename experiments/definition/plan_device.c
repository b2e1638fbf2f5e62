/* What a plan leaves to the device that measures it: values that nothing has set, and a default sweep that follows
 * them. A plan that is made on one machine and measured on another names these parameters. */
#include <stdlib.h>
#include <string.h>

#include "experiments/definition/default_values.h"
#include "experiments/definition/sweep_plan.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"

/* --- the sweep --- */
static bool is_sweep_open(const struct plan *p)
{
	return p->default_axis && p->x->params[p->x->x].sweep_is_function;
}

/* As many values as before: a preset may have left some out. */
static void remake_default_axis(struct plan *p)
{
	double values[PARAMS_MAX];
	if (!is_sweep_open(p))
		return;
	int count = p->axes[0].count;
	experiment_default_values(p->x, p->soft_defaults, p->arch, values);
	experiment_update_sweep(p->x, values, NULL);
	free(p->axes[0].values);
	p->axes[0] = plan_make_default_axis(p->x);
	plan_limit_points(p, count);
}

void plan_take_device(struct plan *p, const json_t *device)
{
	experiment_use_device(p->x, device);
	for (int i = 0; i < p->x->param_count; i++)
		if (p->x->params[i].device_value > 0 && !p->given[i])
			p->fixed[i] = p->x->params[i].device_value;
	remake_default_axis(p);
}

/* --- a plan for another machine --- */
static bool depends_on_target(const struct experiment *x, int param)
{
	const struct param *p = &x->params[param];
	return p->on_count || p->soft_on_count || param == experiment_variant_param(x);
}

static bool is_value_open(const struct plan *p, int param)
{
	if (p->given[param] || plan_find_axis(p, param) >= 0)
		return false;
	return p->x->params[param].of_device != DEVICE_NUMBER_NONE || (!*p->arch && depends_on_target(p->x, param));
}

json_t *plan_list_open_params(const struct plan *p, bool with_sweep)
{
	json_t *names = json_array();
	for (int i = 0; i < p->x->param_count; i++)
		if (is_value_open(p, i) || (with_sweep && i == p->x->x && is_sweep_open(p)))
			json_array_append_new(names, json_string(p->x->params[i].id));
	return names;
}

void plan_reopen_params(struct plan *p, const json_t *names)
{
	double values[PARAMS_MAX];
	size_t k;
	json_t *name;
	experiment_default_values(p->x, p->soft_defaults, p->arch, values);
	json_array_foreach(names, k, name)
	{
		int i = experiment_find_param(p->x, json_is_string(name) ? json_string_value(name) : "");
		if (i < 0)
			continue;
		p->fixed[i] = values[i];
		p->given[i] = false;
		p->default_axis = p->default_axis || (p->axis_count == 1 && p->axes[0].param == i && i == p->x->x);
	}
}

/* --- a plan that goes on --- */
static void take_recorded_axis(struct plan *p, const json_t *sweep)
{
	const json_t *list = json_object_get(sweep, "values");
	const struct param *of = &p->x->params[p->x->x];
	struct plan_axis *a = &p->axes[0];
	if (strcmp(record_get_text(sweep, "param"), of->id) || (int)json_array_size(list) != a->count)
		return;
	for (int i = 0; i < a->count; i++)
		param_from_json(of, json_array_get(list, (size_t)i), &a->values[i], NULL);
}

void plan_take_recorded_numbers(struct plan *p, const json_t *header)
{
	const json_t *fixed = record_get_params(header);
	for (int i = 0; i < p->x->param_count; i++)
		if (is_value_open(p, i))
			param_from_json(
				&p->x->params[i], json_object_get(fixed, p->x->params[i].id), &p->fixed[i], NULL);
	if (is_sweep_open(p))
		take_recorded_axis(p, header_get_sweep(header));
}
