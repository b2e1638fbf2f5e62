#include "experiments/definition/default_values.h"

#include <stdio.h>
#include <string.h>

#include "experiments/definition/definition.h"
#include "kernels/compile/kernel_build.h"

int experiment_variant_param(const struct experiment *x)
{
	return x->lua ? x->lua->variant : -1;
}

/* Only the project's own assembly has a known target. */
bool experiment_fits_arch(struct experiment *x, const double *values, const char *arch)
{
	struct evaluation v = {0};
	if (!*arch || !x->lua || x->work == WORK_DELEGATED || x->work == WORK_FORMULA || x->work == WORK_PROGRAM)
		return true;
	bool known = definition_evaluate(x, values, &v, NULL);
	json_decref(v.steps);
	return !known || !*v.file || definition_owns_kernel(x, v.file) || kernel_source_fits(v.file, arch);
}

int experiment_find_fitting_variant(struct experiment *x, const double *values, const char *arch)
{
	double other[PARAMS_MAX];
	int param = experiment_variant_param(x);
	memcpy(other, values, (size_t)x->param_count * sizeof *other);
	for (int i = 0; param >= 0 && i < x->params[param].choice_count; i++) {
		other[param] = i;
		if (experiment_fits_arch(x, other, arch))
			return i;
	}
	return -1;
}

static const struct target_default *find_target_default(const struct target_default *d, int count, const char *arch)
{
	for (int i = 0; i < count; i++)
		if (!strncmp(arch, d[i].arch, strlen(d[i].arch)))
			return &d[i];
	return NULL;
}

double param_default_value(const struct param *p, bool soft, const char *arch)
{
	if (p->device_value > 0)
		return p->device_value;
	const struct target_default *own = soft ? find_target_default(p->soft_on, p->soft_on_count, arch) : NULL;
	if (!own)
		own = find_target_default(p->on, p->on_count, arch);
	return own ? own->value : soft ? p->soft : p->value;
}

bool param_has_reduced_size(const struct param *p)
{
	return p->soft != p->value || p->soft_on_count;
}

bool param_is_some_default(const struct param *p, double value)
{
	for (int i = 0; i < p->on_count; i++)
		if (value == p->on[i].value)
			return true;
	for (int i = 0; i < p->soft_on_count; i++)
		if (value == p->soft_on[i].value)
			return true;
	return value == p->value || value == p->soft || (p->device_value > 0 && value == p->device_value);
}

bool param_is_reduced_to(const struct param *p, const char *arch, double value)
{
	double reduced = param_default_value(p, true, arch);
	return reduced != param_default_value(p, false, arch) && value == reduced;
}

static bool reject_sweep_count(const struct experiment *x, int count, struct err *e)
{
	char field[40], where[700];
	snprintf(field, sizeof field, "params[%d].sweep", x->x + 1);
	return err_set(e, ST_REQUEST, "%s: returned %d values, and %d for other defaults; return as many for all",
		definition_format_location(x, field, where, sizeof where), count, x->params[x->x].sweep_list_count);
}

bool experiment_update_sweep(struct experiment *x, const double *values, struct err *e)
{
	double list[SWEEP_LIST_MAX];
	int count;
	struct param *p = x->x < 0 ? NULL : &x->params[x->x];
	if (!p || !p->sweep_is_function)
		return true;
	if (!definition_eval_sweep(x, values, list, &count, e))
		return false;
	if (p->sweep_list_count && count != p->sweep_list_count)
		return reject_sweep_count(x, count, e);
	memcpy(p->sweep_list, list, (size_t)count * sizeof *list);
	p->sweep_list_count = count;
	return true;
}

void experiment_default_values(struct experiment *x, bool soft, const char *arch, double *values)
{
	for (int i = 0; i < x->param_count; i++)
		values[i] = param_default_value(&x->params[i], soft, arch);
	if (experiment_variant_param(x) < 0 || experiment_fits_arch(x, values, arch))
		return;
	int fits = experiment_find_fitting_variant(x, values, arch);
	if (fits >= 0)
		values[experiment_variant_param(x)] = fits;
}
