/* The buffers and arguments of a definition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/lua_load.h"

static void number_or_function(struct load *l, const char *base, const char *name, bool required)
{
	char at[FIELD_PATH];
	fields_path(at, base, name);
	if (!fields_push(&l->f, name)) {
		if (required)
			fields_defect(&l->f, at, "is missing; a number or function(p) is wanted");
		return;
	}
	if (!lua_isfunction(l->f.L, -1))
		fields_number(&l->f, at, "");
	lua_pop(l->f.L, 1);
}

static void check_fill(struct load *l, const char *base)
{
	char at[FIELD_PATH];
	if (!fields_push(&l->f, "fill"))
		return;
	fields_path(at, base, "fill");
	const char *text = lua_type(l->f.L, -1) == LUA_TSTRING ? lua_tostring(l->f.L, -1) : NULL;
	if (text && strcmp(text, "index") && strcmp(text, "random"))
		fields_defect(&l->f, at,
			"'%.40s' is no filling; a number, \"index\", \"random\" or function(p) is wanted", text);
	if (!text && !lua_isfunction(l->f.L, -1))
		fields_number(&l->f, at, "");
	lua_pop(l->f.L, 1);
}

static void read_buffer(struct load *l, const char *name)
{
	static const char *const known[] = {"type", "count", "fill", "tolerance", NULL};
	char path[FIELD_PATH], at[FIELD_PATH], type[40];
	struct err why;
	bool pointer;
	fields_path(path, "buffers", name);
	if (l->d->buffer_count == DEF_BUFFERS)
		fields_defect(&l->f, path, "there are more than %d buffers", DEF_BUFFERS);
	struct buffer_def *b = &l->d->buffers[l->d->buffer_count++];
	fields_want(&l->f, path, LUA_TTABLE, "{ type = \"int\", count = 1 }");
	fields_known(&l->f, path, known, 0);
	if (!is_c_name(name) || strlen(name) >= sizeof b->id)
		fields_defect(&l->f, path, "is no name of an argument; up to 31 letters, digits and _ make one");
	snprintf(b->id, sizeof b->id, "%s", name);
	fields_text_in(&l->f, path, "type", type, sizeof type, true);
	b->type = ctype_parse(type, &pointer, &why);
	if (!b->type)
		fields_defect(&l->f, fields_path(at, path, "type"), "%s", why.text);
	if (pointer)
		fields_defect(&l->f, fields_path(at, path, "type"),
			"is a pointer; the type of one element is wanted, for example \"int\"");
	number_or_function(l, path, "count", true);
	check_fill(l, path);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct buffer_def *)a)->id, ((const struct buffer_def *)b)->id);
}

void load_buffers(struct load *l)
{
	if (!fields_push(&l->f, "buffers"))
		return;
	fields_want(&l->f, "buffers", LUA_TTABLE, "{ buf = { type = \"int\", count = 1 } }");
	lua_pushnil(l->f.L);
	while (lua_next(l->f.L, -2)) {
		if (lua_type(l->f.L, -2) != LUA_TSTRING)
			fields_defect(&l->f, "buffers", "names its buffers: buf = { ... }");
		read_buffer(l, lua_tostring(l->f.L, -2));
		lua_pop(l->f.L, 1);
	}
	lua_pop(l->f.L, 1);
	qsort(l->d->buffers, (size_t)l->d->buffer_count, sizeof *l->d->buffers,
		by_id); /* the same record whatever the table's order */
}

int load_buffer_named(const struct fields *f, const struct lua_definition *d, const char *path, const char *name)
{
	const char *names[DEF_BUFFERS + 1] = {NULL};
	for (int i = 0; i < d->buffer_count; i++)
		names[i] = d->buffers[i].id;
	int found = name_index(name, names);
	if (found >= 0)
		return found;
	const char *near = nearest_name(name, names, d->buffer_count);
	fields_defect(f, path, "there is no buffer '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
}

void load_args(struct load *l)
{
	char path[FIELD_PATH], text[96];
	struct err why;
	int count = load_list(l, "args", DEF_ARGS);
	if (count < 0)
		return;
	for (int i = 1; i <= count; i++) {
		struct arg_def *a = &l->d->args[l->d->arg_count++];
		lua_rawgeti(l->f.L, -1, i);
		fields_text(&l->f, fields_element(path, "args", i), text, sizeof text);
		lua_pop(l->f.L, 1);
		if (!declaration_parse(text, &a->decl, &why))
			fields_defect(&l->f, path, "%s", why.text);
		a->buffer = a->decl.pointer ? load_buffer_named(&l->f, l->d, path, a->decl.name) : -1;
	}
	lua_pop(l->f.L, 1);
}
