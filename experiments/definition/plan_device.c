/* What a plan leaves to the device that measures it: values that nothing has set. A plan that is made on one machine
 * and measured on another names these parameters. */
#include <string.h>

#include "experiments/definition/default_values.h"
#include "experiments/definition/sweep_plan.h"

void plan_take_device(struct plan *p, const json_t *device)
{
	experiment_use_device(p->x, device);
	for (int i = 0; i < p->x->param_count; i++)
		if (p->x->params[i].device_value > 0 && !p->given[i])
			p->fixed[i] = p->x->params[i].device_value;
}

static bool depends_on_target(const struct experiment *x, int param)
{
	const struct param *p = &x->params[param];
	return p->on_count || p->soft_on_count || param == experiment_variant_param(x);
}

static bool is_left_open(const struct plan *p, int param)
{
	if (p->given[param] || plan_find_axis(p, param) >= 0)
		return false;
	return p->x->params[param].of_device != DEVICE_NUMBER_NONE || (!*p->arch && depends_on_target(p->x, param));
}

json_t *plan_list_open_params(const struct plan *p)
{
	json_t *names = json_array();
	for (int i = 0; i < p->x->param_count; i++)
		if (is_left_open(p, i))
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
	}
}
