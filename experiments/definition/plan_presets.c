/* Presets: those that every experiment has, and those of the experiment. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/sweep_plan.h"

enum { QUICK_POINTS = 5, CLASS_POINTS = 12 };

static void set_published(struct plan *p)
{
	experiment_default_values(p->x, false, p->arch, p->fixed);
	p->soft_defaults = false;
}

static void set_small(struct plan *p)
{
	experiment_default_values(p->x, true, p->arch, p->fixed);
	p->soft_defaults = true;
}

/* A few points over the whole range, for a first look. */
static void set_quick(struct plan *p)
{
	set_small(p);
	plan_limit_points(p, QUICK_POINTS);
}

/* For class mode: as many points as an audience can tell apart; the workbench pauses after each. */
static void set_class(struct plan *p)
{
	set_small(p);
	plan_limit_points(p, CLASS_POINTS);
}

static const struct {
	const char *id, *help;
	void (*set)(struct plan *p);
} general[GENERAL_PRESET_COUNT] = {
#define PRESET_ROW(id, name, help) [PRESET_##id] = {#name, help, set_##name},
	GENERAL_PRESETS(PRESET_ROW)
#undef PRESET_ROW
};

const char *general_preset_help(int i)
{
	return general[i].help;
}

static int find_general(const char *id)
{
	for (int i = 0; i < GENERAL_PRESET_COUNT; i++)
		if (!strcmp(general[i].id, id))
			return i;
	return -1;
}

static const struct preset *find_own_preset(const struct experiment *x, const char *id)
{
	for (int i = 0; i < x->preset_count; i++)
		if (!strcmp(x->presets[i].id, id))
			return &x->presets[i];
	return NULL;
}

static bool set_unknown_preset(const struct experiment *x, const char *id, struct err *e)
{
	const char *names[PRESETS_MAX + GENERAL_PRESET_COUNT + 1];
	char all[(PRESETS_MAX + GENERAL_PRESET_COUNT) * 34] = "";
	int count = 0;
	for (; (names[count] = plan_preset_name(x, count)); count++) {
		size_t n = strlen(all);
		snprintf(all + n, sizeof all - n, "%s@%s", count ? ", " : "", names[count]);
	}
	const char *near = find_nearest_name(id, names, count);
	return err_set(e, ST_REQUEST, "%s: unknown preset '@%.40s'; %s%s%spresets: %s", x->id, id,
		near ? "did you mean @" : "", near ? near : "", near ? "? " : "", all);
}

const char *plan_preset_name(const struct experiment *x, int i)
{
	if (i < GENERAL_PRESET_COUNT)
		return i < 0 ? NULL : general[i].id;
	for (int k = 0, at = GENERAL_PRESET_COUNT; k < x->preset_count; k++)
		if (find_general(x->presets[k].id) < 0 && at++ == i)
			return x->presets[k].id;
	return NULL;
}

bool plan_apply_preset(struct plan *p, const char *name, struct err *e)
{
	const char *id = name + (*name == '@');
	const struct preset *own = find_own_preset(p->x, id);
	int at = find_general(id);
	if (!own && at < 0)
		return set_unknown_preset(p->x, id, e);
	if (!own)
		general[at].set(p);
	for (int i = 0; own && i < own->argument_count; i++)
		if (!plan_apply_argument(p, own->arguments[i], e))
			return false;
	if (own)
		plan_leave_out_unfit_variants(p, id);
	return true;
}
