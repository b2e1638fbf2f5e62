/* Variants of a kernel that are assembly for another target than the device's. */
#include <stdio.h>
#include <string.h>

#include "experiments/definition/default_values.h"
#include "experiments/definition/sweep_plan.h"

static bool variant_fits(const struct plan *p, double variant, const char *arch)
{
	double values[PARAMS_MAX];
	plan_point_values(p, 0, values);
	values[experiment_variant_param(p->x)] = variant;
	return experiment_fits_arch(p->x, values, arch);
}

static const char *variant_name(const struct plan *p, double variant)
{
	return p->x->params[experiment_variant_param(p->x)].choices[(int)variant];
}

/* Appends the variant to the list in the remark. */
static void note_left_out(struct plan *p, const char *preset, double variant)
{
	size_t n = strlen(p->remark), room = sizeof p->remark - n;
	if (n)
		snprintf(p->remark + n, room, ",%s", variant_name(p, variant));
	else
		snprintf(p->remark, room, "@%.31s without variant=%s", preset, variant_name(p, variant));
}

static void explain_remark(struct plan *p)
{
	size_t n = strlen(p->remark);
	if (n)
		snprintf(p->remark + n, sizeof p->remark - n, ": assembly for another GPU than %s", p->arch);
}

/* A single value that is left becomes the fixed one. */
static void keep_fitting_values(struct plan *p, int axis, const char *preset)
{
	struct plan_axis *a = &p->axes[axis];
	int kept = 0;
	for (int i = 0; i < a->count; i++)
		if (variant_fits(p, a->values[i], p->arch))
			a->values[kept++] = a->values[i];
		else
			note_left_out(p, preset, a->values[i]);
	if (!kept) {
		p->remark[0] = 0;
		return;
	}
	a->count = kept;
	p->fixed[a->param] = a->values[0];
	if (kept == 1)
		plan_drop_axis(p, axis);
}

void plan_leave_out_unfit_variants(struct plan *p, const char *preset)
{
	int param = experiment_variant_param(p->x), axis = plan_find_axis(p, param);
	if (param < 0 || !*p->arch)
		return;
	if (axis >= 0) {
		keep_fitting_values(p, axis, preset);
		explain_remark(p);
		return;
	}
	double named = p->fixed[param];
	int fits = variant_fits(p, named, p->arch) ? -1 : experiment_find_fitting_variant(p->x, p->fixed, p->arch);
	if (fits < 0)
		return;
	note_left_out(p, preset, named);
	explain_remark(p);
	p->fixed[param] = fits;
}

/* A variant that fits stays: curves of two devices are compared. */
static bool has_unfit_default(const struct plan *p, int param, const char *arch)
{
	double defaults[PARAMS_MAX];
	experiment_default_values(p->x, p->soft_defaults, p->arch, defaults);
	return p->fixed[param] == defaults[param] && !variant_fits(p, p->fixed[param], arch);
}

const char *plan_take_arch(struct plan *p, const char *arch)
{
	int param = experiment_variant_param(p->x), fits = -1;
	if (param >= 0 && plan_find_axis(p, param) < 0 && has_unfit_default(p, param, arch))
		fits = experiment_find_fitting_variant(p->x, p->fixed, arch);
	if (fits >= 0)
		p->fixed[param] = fits;
	snprintf(p->arch, sizeof p->arch, "%s", arch);
	return fits < 0 ? NULL : variant_name(p, fits);
}

bool plan_check_variant(const struct plan *p, const char *arch, struct err *e)
{
	int param = experiment_variant_param(p->x);
	if (param < 0 || plan_find_axis(p, param) >= 0 || variant_fits(p, p->fixed[param], arch))
		return true;
	int fits = experiment_find_fitting_variant(p->x, p->fixed, arch);
	return err_set(e, ST_REQUEST, "%s: variant=%s is assembly for another GPU than %s%s%s", p->x->id,
		variant_name(p, p->fixed[param]), arch,
		fits < 0 ? "" : "; use variant=", fits < 0 ? "" : variant_name(p, fits));
}
