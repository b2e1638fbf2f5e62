/* Reads the kernel of a definition, and its variants, which become the parameter `variant`. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "experiments/definition/lua/lua_load.h"

static const char *const kernel_keys[] = {"file", "entry", "defines", "source", NULL};
static const char *const variant_keys[] = {"file", "entry", "defines", "source", "on", NULL};

/* Checks file, entry and defines of the table on top: texts or functions. Missing ones show only at a point. */
static void check_kernel_fields(struct definition_load *l, const char *path)
{
	char at[FIELD_PATH];
	for (int i = 0; kernel_keys[i]; i++)
		if (fields_push_named(&l->f, kernel_keys[i])) {
			if (!lua_isfunction(l->f.L, -1))
				fields_check_type(&l->f, fields_join_path(at, path, kernel_keys[i]), LUA_TSTRING,
					"\"chase.hip\"");
			lua_pop(l->f.L, 1);
		}
}

void definition_load_kernel(struct definition_load *l)
{
	bool there = fields_push_named(&l->f, "kernel");
	if (!there &&
		(l->x->work == WORK_FORMULA || l->x->work == WORK_DELEGATED || l->x->work == WORK_PROGRAM ||
			l->d->has_steps))
		return;
	if (!there)
		fields_raise_error(&l->f, "kernel",
			"missing; write for example kernel = { file = \"chase.hip\", entry = \"chase_stride\" }");
	fields_check_type(&l->f, "kernel", LUA_TTABLE, "{ file = \"chase.hip\", entry = \"chase_stride\" }");
	fields_check_names(&l->f, "kernel", kernel_keys, 0);
	check_kernel_fields(l, "kernel");
	lua_pop(l->f.L, 1);
}

static void add_variant(struct definition_load *l, struct param *p, const char *path, const char *name)
{
	if (p->choice_count == CHOICES_MAX)
		fields_raise_error(&l->f, path, "too many variants; at most %d are allowed", CHOICES_MAX);
	if (strlen(name) >= sizeof p->choices[0] || !*name || strpbrk(name, ", =\""))
		fields_raise_error(
			&l->f, path, "invalid variant name '%.60s'; use up to 31 letters, digits and -", name);
	for (int i = 0; i < p->choice_count; i++)
		if (!strcmp(p->choices[i], name))
			fields_raise_error(&l->f, path, "duplicate variant '%s'", name);
	snprintf(p->choices[p->choice_count++], sizeof p->choices[0], "%.31s", name);
}

/* on = "sm": the default on targets that begin with it. */
static void read_variant_targets(struct definition_load *l, struct param *p, const char *path)
{
	char at[FIELD_PATH], arch[sizeof p->on[0].arch];
	if (!fields_push_named(&l->f, "on"))
		return;
	fields_read_text(&l->f, fields_join_path(at, path, "on"), arch, sizeof arch);
	if (!target_is_named(arch) || p->on_count == TARGETS_MAX)
		fields_raise_error(
			&l->f, at, "invalid; name the beginning of a target, for example \"gfx11\" or \"sm\"");
	struct target_default *d = &p->on[p->on_count++];
	snprintf(d->arch, sizeof d->arch, "%s", arch);
	d->value = p->choice_count - 1;
	lua_pop(l->f.L, 1);
}

/* A list of { "name", file = ... }. */
static void read_variant_list(struct definition_load *l, struct param *p, int count)
{
	char path[FIELD_PATH], name[64];
	for (int i = 1; i <= count; i++) {
		definition_push_element(l, "variants", i, path);
		fields_check_names(&l->f, path, variant_keys, 1);
		lua_rawgeti(l->f.L, -1, 1);
		if (lua_isnil(l->f.L, -1))
			fields_raise_error(&l->f, path, "missing name; write it first, for example { \"compiled\" }");
		fields_read_text(&l->f, path, name, sizeof name);
		lua_pop(l->f.L, 1);
		add_variant(l, p, path, name);
		read_variant_targets(l, p, path);
		check_kernel_fields(l, path);
		lua_pop(l->f.L, 1);
	}
}

/* Lua maps are not ordered, so the order in the text counts. Converts the map into the list that other code reads. */
static void order_variant_map(struct definition_load *l)
{
	lua_State *L = l->f.L;
	char path[FIELD_PATH];
	int count = 0, last = -1;
	lua_newtable(L); /* under construction; the map is at -2 */
	for (;;) {
		int best = INT_MAX;
		char name[FIELD_PATH] = "";
		lua_pushnil(L);
		while (lua_next(L, -3)) {
			lua_pop(L, 1);
			if (lua_type(L, -1) != LUA_TSTRING)
				fields_raise_error(&l->f, "variants",
					"mixes a map and a list; write { { \"published\", ... }, { \"compiled\", ... } }");
			int rank = source_rank_of(l->f.lines, fields_join_path(path, "variants", lua_tostring(L, -1)));
			if (rank < 0)
				fields_raise_error(&l->f, "variants",
					"the order is not known; write a list: { { \"published\", ... }, { \"compiled\", ... } }");
			if (rank > last && rank < best) {
				best = rank;
				snprintf(name, sizeof name, "%s", lua_tostring(L, -1));
			}
		}
		if (best == INT_MAX)
			break;
		last = best;
		lua_getfield(L, -2, name);
		fields_check_type(
			&l->f, fields_join_path(path, "variants", name), LUA_TTABLE, "{ file = \"chase.s\" }");
		lua_pushstring(L, name);
		lua_rawseti(L, -2, 1);
		lua_rawseti(L, -2, ++count);
	}
	lua_replace(L, -2);
	lua_pushvalue(L, -1);
	lua_setfield(L, -3, "variants");
}

void definition_load_variants(struct definition_load *l)
{
	if (!fields_push_named(&l->f, "variants"))
		return;
	fields_check_type(&l->f, "variants", LUA_TTABLE, "{ { \"published\", file = \"chase.s\" }, { \"compiled\" } }");
	if (!lua_rawlen(l->f.L, -1))
		order_variant_map(l);
	int count = (int)lua_rawlen(l->f.L, -1);
	if (!count)
		fields_raise_error(&l->f, "variants", "empty; remove it or name the variants");
	if (experiment_find_param(l->x, "variant") >= 0)
		fields_raise_error(&l->f, "params",
			"the id 'variant' is reserved, because the definition has variants; rename the parameter");
	struct param *p = definition_add_param(l, "variants");
	l->d->variant = l->x->param_count - 1;
	snprintf(p->id, sizeof p->id, "variant");
	snprintf(p->help, sizeof p->help, "form of the kernel that is launched");
	read_variant_list(l, p, count);
	p->kind = PARAM_STEP_CHOICE;
	p->step = 1;
	p->high = p->sweep_high = p->choice_count - 1;
	p->whole = true;
	lua_pop(l->f.L, 1);
}
