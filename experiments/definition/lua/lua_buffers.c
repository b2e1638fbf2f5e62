/* Reads the buffers and arguments of a definition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/lua/lua_load.h"

static void check_number_or_function(struct definition_load *l, const char *base, const char *name, bool required)
{
	char at[FIELD_PATH];
	fields_join_path(at, base, name);
	if (!fields_push_named(&l->f, name)) {
		if (required)
			fields_raise_error(&l->f, at, "missing; use a number or function(p)");
		return;
	}
	if (!lua_isfunction(l->f.L, -1))
		fields_read_number(&l->f, at, "");
	lua_pop(l->f.L, 1);
}

/* The table on top: { chase = 128 } or { addresses = 128 } */
static void check_chase(struct definition_load *l, const char *path)
{
	static const char *const known[] = {"chase", NULL}, *const addresses[] = {"addresses", NULL};
	bool with_addresses = lua_getfield(l->f.L, -1, "addresses") != LUA_TNIL;
	lua_pop(l->f.L, 1);
	fields_check_names(&l->f, path, with_addresses ? addresses : known, 0);
	check_number_or_function(l, path, with_addresses ? "addresses" : "chase", true);
}

static void check_fill(struct definition_load *l, const char *base)
{
	char at[FIELD_PATH];
	if (!fields_push_named(&l->f, "fill"))
		return;
	fields_join_path(at, base, "fill");
	const char *text = lua_type(l->f.L, -1) == LUA_TSTRING ? lua_tostring(l->f.L, -1) : NULL;
	if (text && strcmp(text, "index") && strcmp(text, "random"))
		fields_raise_error(&l->f, at,
			"unknown fill '%.40s'; use a number, \"index\", \"random\", { chase = 128 }, { addresses = 128 } or function(p)",
			text);
	if (lua_istable(l->f.L, -1))
		check_chase(l, at);
	else if (!text && !lua_isfunction(l->f.L, -1))
		fields_read_number(&l->f, at, "");
	lua_pop(l->f.L, 1);
}

static void read_buffer(struct definition_load *l, const char *name)
{
	static const char *const known[] = {"type", "count", "fill", "tolerance", NULL};
	char path[FIELD_PATH], at[FIELD_PATH], type[40];
	struct err why;
	bool pointer;
	fields_join_path(path, "buffers", name);
	if (l->d->buffer_count == DEF_BUFFERS)
		fields_raise_error(&l->f, path, "too many buffers; at most %d are allowed", DEF_BUFFERS);
	struct buffer_def *b = &l->d->buffers[l->d->buffer_count++];
	fields_check_type(&l->f, path, LUA_TTABLE, "{ type = \"int\", count = 1 }");
	fields_check_names(&l->f, path, known, 0);
	if (!is_c_identifier(name) || strlen(name) >= sizeof b->id)
		fields_raise_error(&l->f, path, "invalid buffer name; use up to 31 letters, digits and _");
	snprintf(b->id, sizeof b->id, "%s", name);
	fields_read_text_field(&l->f, path, "type", type, sizeof type, true);
	b->type = element_type_parse(type, &pointer, &why);
	if (!b->type)
		fields_raise_error(&l->f, fields_join_path(at, path, "type"), "%s", why.text);
	if (pointer)
		fields_raise_error(&l->f, fields_join_path(at, path, "type"),
			"pointer type; give the type of one element, for example \"int\"");
	check_number_or_function(l, path, "count", true);
	check_fill(l, path);
}

static int compare_buffer_names(const void *a, const void *b)
{
	return strcmp(((const struct buffer_def *)a)->id, ((const struct buffer_def *)b)->id);
}

void definition_load_buffers(struct definition_load *l)
{
	if (!fields_push_named(&l->f, "buffers"))
		return;
	fields_check_type(&l->f, "buffers", LUA_TTABLE, "{ buf = { type = \"int\", count = 1 } }");
	lua_pushnil(l->f.L);
	while (lua_next(l->f.L, -2)) {
		if (lua_type(l->f.L, -2) != LUA_TSTRING)
			fields_raise_error(&l->f, "buffers", "each buffer needs a name: buf = { ... }");
		read_buffer(l, lua_tostring(l->f.L, -2));
		lua_pop(l->f.L, 1);
	}
	lua_pop(l->f.L, 1);
	qsort(l->d->buffers, (size_t)l->d->buffer_count, sizeof *l->d->buffers,
		compare_buffer_names); /* so that records do not depend on the table's order */
}

int definition_find_buffer(
	const struct lua_fields *f, const struct lua_definition *d, const char *path, const char *name)
{
	const char *names[DEF_BUFFERS + 1] = {NULL};
	for (int i = 0; i < d->buffer_count; i++)
		names[i] = d->buffers[i].id;
	int found = name_list_index(name, names);
	if (found >= 0)
		return found;
	const char *near = find_nearest_name(name, names, d->buffer_count);
	fields_raise_error(f, path, "unknown buffer '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
}

void definition_load_args(struct definition_load *l)
{
	char path[FIELD_PATH], text[96];
	struct err why;
	int count = definition_push_list(l, "args", DEF_ARGS);
	if (count < 0)
		return;
	for (int i = 1; i <= count; i++) {
		struct arg_def *a = &l->d->args[l->d->arg_count++];
		lua_rawgeti(l->f.L, -1, i);
		fields_read_text(&l->f, fields_index_path(path, "args", i), text, sizeof text);
		lua_pop(l->f.L, 1);
		if (!declaration_parse(text, &a->decl, &why))
			fields_raise_error(&l->f, path, "%s", why.text);
		a->buffer = a->decl.pointer ? definition_find_buffer(&l->f, l->d, path, a->decl.name) : -1;
	}
	lua_pop(l->f.L, 1);
}
