/* Parameters set by a name: the experiment's presets, and @published. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/sweep.h"

static const char published[] = "published";

static const struct preset *find(const struct experiment *x, const char *id)
{
	for (int i = 0; i < x->preset_count; i++)
		if (!strcmp(x->presets[i].id, id))
			return &x->presets[i];
	return NULL;
}

static bool none_such(const struct experiment *x, const char *id, struct err *e)
{
	const char *names[PRESETS_MAX + 1];
	char all[PRESETS_MAX * 34 + 16] = "@published";
	names[0] = published;
	for (int i = 0; i < x->preset_count; i++) {
		names[i + 1] = x->presets[i].id;
		size_t n = strlen(all);
		snprintf(all + n, sizeof all - n, ", @%s", x->presets[i].id);
	}
	const char *near = nearest_name(id, names, x->preset_count + 1);
	return err_set(e, ST_REQUEST, "%s has no preset '@%.40s'; %s%s%sthere are %s", x->id, id, near ? "did you mean @" : "", near ? near : "",
	               near ? "? " : "", all);
}

static void set_published(struct plan *p)
{
	for (int i = 0; i < p->x->param_count; i++)
		p->fixed[i] = p->x->params[i].value;
	p->soft_defaults = false;
}

bool plan_preset(struct plan *p, const char *name, struct err *e)
{
	const char *id = name + (*name == '@');
	const struct preset *own = find(p->x, id);
	if (!own && strcmp(id, published))
		return none_such(p->x, id, e);
	if (!own)
		set_published(p);
	for (int i = 0; own && i < own->argument_count; i++)
		if (!plan_argument(p, own->arguments[i], e))
			return false;
	return true;
}
