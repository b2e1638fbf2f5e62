#include "experiments/definition/point/point_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "experiments/definition/point/evaluated_point.h"

static void evaluate_functions(struct experiment *x, const double *values, struct evaluated *out)
{
	out->ok = definition_evaluate(x, values, &out->v, &out->why);
}

struct point_setup *point_setup_evaluate(struct experiment *x, const double *values, bool soft, const char *arch)
{
	struct point_setup *s = xmalloc(sizeof *s); /* most of it is filled by the evaluation */
	s->x = x;
	s->soft = soft;
	s->measured = NULL;
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

static bool evaluate_work(struct experiment *x, const double *values, double *out)
{
	struct evaluation v = {0};
	bool ok = definition_evaluate(x, values, &v, NULL);
	json_decref(v.steps);
	*out = v.work;
	return has_work(x, ok, &v);
}

/* Where the work at these values is kept; other values may be there. */
static struct kept_work *find_kept_work(struct experiment *x, const double *values)
{
	enum { KEPT = 256 /* at about 200 bytes; estimates ask for up to 64 points */ };
	struct lua_definition *d = x->lua;
	if (!d->works)
		d->works = xcalloc(KEPT, sizeof *d->works);
	return &d->works[hash_bytes(HASH_START, values, (size_t)x->param_count * sizeof *values) % KEPT];
}

/* Estimates ask each time that they are drawn. */
bool experiment_eval_work(struct experiment *x, const double *values, double *out)
{
	size_t bytes = (size_t)x->param_count * sizeof *values;
	*out = 0;
	if (!x->lua)
		return false;
	struct kept_work *k = find_kept_work(x, values);
	if (k->work > 0 && !memcmp(k->values, values, bytes)) {
		*out = k->work;
		return true;
	}
	if (!evaluate_work(x, values, out))
		return false;
	memcpy(k->values, values, bytes);
	k->work = *out;
	return true;
}
