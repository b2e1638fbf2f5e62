/* Actions of the cache sets page. */
#include <limits.h>

#include "base/units.h"
#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_pages.h"

static struct set_geometry shown_geometry(const struct app *a, const struct inspector *v)
{
	return set_geometry_of(v->sets.cache, inspector_device_constants(a));
}

void act_sets_select(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	int sets = shown_geometry(a, v).sets;
	v->sets.cursor = by < -sets ? 0 : by > sets ? sets - 1 : inspector_clamp(v->sets.cursor + by, 0, sets - 1);
}

void act_sets_select_row(struct app *a, int by)
{
	act_sets_select(a, by * inspector_sets_columns(a));
}

void act_sets_show_cache(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	v->sets.cache = (enum set_cache)(((int)v->sets.cache + by + SET_CACHE_COUNT) % SET_CACHE_COUNT);
	v->sets.instance = v->sets.cursor = 0;
	v->sets.loaded = v->sets.cut = false;
	inspector_request_parts(a, PART_SETS);
}

void act_sets_show_instance(struct app *a, int by, const char *argument)
{
	struct inspector *v = inspector_get(a);
	int exact = inspector_index_of(argument), to = exact >= 0 ? exact : v->sets.instance + by;
	v->sets.instance = inspector_clamp(to, 0, shown_geometry(a, v).instances - 1);
	if (v->sets.cut)
		inspector_request_parts(a, PART_SETS);
}

void act_sets_what(struct app *a, const char *argument)
{
	struct set_map *m = &inspector_get(a)->sets;
	int exact = inspector_index_of(argument);
	m->what = (exact >= 0 ? exact : m->what + 1) % 3;
	if (!*set_cache_get_info(m->cache)->what[m->what])
		m->what = 0;
}

static bool take_set(struct app *a, const char *text)
{
	struct inspector *v = inspector_get(a);
	int sets = shown_geometry(a, v).sets, n = count_parse(text, INT_MAX);
	if (n < 0 || n >= sets) {
		app_show_message(a, ROLE_BAD, "not a set: '%s'; sets are 0 to %d", text, sets - 1);
		return false;
	}
	v->sets.cursor = n;
	return true;
}

void act_sets_goto(struct app *a, const char *argument)
{
	inspector_type(a, take_set, argument, "", "set: ");
}
