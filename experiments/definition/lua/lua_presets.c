/* Reads the presets of a definition. Their arguments are checked later, by plan_apply_preset. */
#include <string.h>

#include "experiments/definition/lua/lua_load.h"

static void read_preset_arguments(struct definition_load *l, const char *path, struct preset *p)
{
	char at[FIELD_PATH];
	int count = (int)lua_rawlen(l->f.L, -1);
	for (int i = 2; i <= count; i++) {
		lua_rawgeti(l->f.L, -1, i);
		fields_read_text(&l->f, fields_index_path(at, path, i), p->arguments[p->argument_count++],
			sizeof p->arguments[0]);
		lua_pop(l->f.L, 1);
	}
	if (!p->argument_count)
		fields_raise_error(&l->f, path, "no settings; write for example { \"%s\", \"size=1 MiB\" }", p->id);
}

static void read_preset(struct definition_load *l, const char *path)
{
	static const char *const known[] = {"help", NULL};
	struct experiment *x = l->x;
	struct preset *p = &x->presets[x->preset_count];
	fields_check_names(&l->f, path, known, PRESET_ARGUMENTS + 1);
	lua_rawgeti(l->f.L, -1, 1);
	if (lua_isnil(l->f.L, -1))
		fields_raise_error(
			&l->f, path, "missing name; write it first, for example { \"quick\", \"size=1 MiB\" }");
	fields_read_text(&l->f, path, p->id, sizeof p->id);
	lua_pop(l->f.L, 1);
	if (!is_c_identifier(p->id))
		fields_raise_error(&l->f, path, "invalid name '%s'; use letters, digits and _", p->id);
	for (int i = 0; i < x->preset_count; i++)
		if (!strcmp(x->presets[i].id, p->id))
			fields_raise_error(&l->f, path, "duplicate preset '%s'", p->id);
	fields_read_text_field(&l->f, path, "help", p->help, sizeof p->help, false);
	read_preset_arguments(l, path, p);
	x->preset_count++;
}

void definition_load_presets(struct definition_load *l)
{
	char path[FIELD_PATH];
	int count = definition_push_list(l, "presets", PRESETS_MAX);
	for (int i = 1; i <= count; i++) {
		definition_push_element(l, "presets", i, path);
		read_preset(l, path);
		lua_pop(l->f.L, 1);
	}
	if (count >= 0)
		lua_pop(l->f.L, 1);
}
