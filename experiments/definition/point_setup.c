#include "experiments/definition/point_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/evaluated_point.h"

static void evaluate_functions(struct experiment *x, const double *values, struct evaluated *out)
{
	out->ok = definition_evaluate(x, values, &out->v, &out->why);
}

struct point_setup *point_setup_evaluate(struct experiment *x, const double *values, bool soft, const char *arch)
{
	struct point_setup *s = xcalloc(1, sizeof *s);
	s->x = x;
	s->soft = soft;
	snprintf(s->arch, sizeof s->arch, "%s", arch);
	memcpy(s->values, values, (size_t)x->param_count * sizeof *values);
	evaluate_functions(x, values, &s->own);
	if (x->work != WORK_DELEGATED)
		return s;
	struct measured_setup *m = s->measured = xcalloc(1, sizeof *m);
	m->found = delegated_point_resolve(x, values, soft, arch, &m->point, &m->why);
	if (m->found)
		evaluate_functions(m->point.target, m->point.values, &m->functions);
	return s;
}

void point_setup_free(struct point_setup *s)
{
	if (!s)
		return;
	json_decref(s->own.v.steps);
	if (s->measured)
		json_decref(s->measured->functions.v.steps);
	free(s->measured);
	free(s);
}

static bool has_work(const struct experiment *x, bool evaluated, const struct evaluation *v)
{
	return evaluated && (x->work == WORK_LAUNCH || x->work == WORK_DELEGATED) && v->work > 0;
}

bool point_setup_get_work(const struct point_setup *s, double *out)
{
	*out = s->own.v.work;
	return has_work(s->x, s->own.ok, &s->own.v);
}

bool experiment_eval_work(struct experiment *x, const double *values, double *out)
{
	struct evaluation v = {0};
	bool ok = x->lua && definition_evaluate(x, values, &v, NULL);
	json_decref(v.steps);
	*out = v.work;
	return has_work(x, ok, &v);
}
