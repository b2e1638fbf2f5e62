/* Reads and evaluates `reference`: the name of a C reference of the project, or a table with one of the kinds of
 * reference_kinds.def. */
#include <stdio.h>
#include <string.h>

#include "experiments/definition/lua/lua_evaluate.h"
#include "experiments/definition/lua/lua_load.h"

/* --- when the file is loaded --- */
static void check_texts(struct definition_load *l, const char *const *names)
{
	char at[FIELD_PATH];
	for (; *names; names++)
		if (fields_push_named(&l->f, *names)) {
			if (!lua_isfunction(l->f.L, -1))
				fields_check_type(
					&l->f, fields_join_path(at, "reference", *names), LUA_TSTRING, "\"plain\"");
			lua_pop(l->f.L, 1);
		}
}

static void check_reference_kernel(struct definition_load *l)
{
	static const char *const known[] = {"kernel", "file", "defines", "grid", "block", "lds", NULL};
	static const char *const texts[] = {"kernel", "file", "defines", NULL};
	fields_check_names(&l->f, "reference", known, 0);
	check_texts(l, texts);
}

static void check_reference_expect(struct definition_load *l)
{
	static const char *const known[] = {"expect", NULL};
	static const char example[] = "{ out = function(i, inputs, p) return 2 * inputs.buf[i] end }";
	char at[FIELD_PATH];
	lua_State *L = l->f.L;
	int count = 0;
	fields_check_names(&l->f, "reference", known, 0);
	fields_push_named(&l->f, "expect");
	fields_check_type(&l->f, "reference.expect", LUA_TTABLE, example);
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1), count++) {
		if (lua_type(L, -2) != LUA_TSTRING)
			fields_raise_error(
				&l->f, "reference.expect", "each function needs the name of a buffer: %s", example);
		fields_join_path(at, "reference.expect", lua_tostring(L, -2));
		definition_find_buffer(&l->f, l->d, at, lua_tostring(L, -2));
		fields_check_type(&l->f, at, LUA_TFUNCTION, "function(i, inputs, p) return 2 * inputs.buf[i] end");
	}
	if (!count)
		fields_raise_error(&l->f, "reference.expect", "empty; write for example %s", example);
	lua_pop(L, 1);
}

/* The file is fixed, so that the user can be asked before the first point whether it may run. */
static void check_reference_c(struct definition_load *l)
{
	static const char *const known[] = {"c", "entry", "defines", NULL};
	static const char *const texts[] = {"entry", "defines", NULL};
	char file[sizeof l->x->native];
	fields_check_names(&l->f, "reference", known, 0);
	fields_read_text_field(&l->f, "reference", "c", file, sizeof file, true);
	if (!*file || strchr(file, '/'))
		fields_raise_error(&l->f, "reference.c",
			"invalid file '%s'; give only the name of a file in the definition's folder", file);
	snprintf(l->x->native, sizeof l->x->native, "%s", file);
	check_texts(l, texts);
}

static void (*const checks[REFERENCE_KINDS])(struct definition_load *l) = {
#define REFERENCE_KIND(id, member) [REFERENCE_##id] = check_reference_##member,
#include "gpu/protocol/reference/reference_kinds.def"
#undef REFERENCE_KIND
};

/* The kind of the table on top; REFERENCE_NONE if it has none or several. */
static enum reference_kind find_reference_kind(const struct lua_fields *f)
{
	int found = REFERENCE_NONE, count = 0;
	for (int i = 0; i < REFERENCE_KINDS; i++)
		if (checks[i] && fields_push_named(f, reference_kind_member(i))) {
			lua_pop(f->L, 1);
			found = i;
			count++;
		}
	return count == 1 ? found : REFERENCE_NONE;
}

void definition_load_reference(struct definition_load *l)
{
	static const char *const known[] = {
		"kernel", "expect", "c", "file", "defines", "grid", "block", "lds", "entry", NULL};
	if (!fields_push_named(&l->f, "reference"))
		return;
	l->x->verified = true;
	if (lua_istable(l->f.L, -1)) {
		fields_check_names(&l->f, "reference", known, 0);
		enum reference_kind kind = find_reference_kind(&l->f);
		if (kind == REFERENCE_NONE)
			fields_raise_error(&l->f, "reference",
				"expected one of kernel, expect and c; for example { kernel = \"plain\" }");
		checks[kind](l);
	} else if (!lua_isfunction(l->f.L, -1)) {
		fields_check_type(&l->f, "reference", LUA_TSTRING,
			"\"chase_stride\", { kernel = \"plain\" }, { expect = { out = function(i, inputs, p) ... end } } or { c = \"plain.c\" }");
	}
	lua_pop(l->f.L, 1);
}

/* --- for a point: the table on top --- */
static void eval_reference_shape(const struct lua_invocation *c, const char *name, double shape[3])
{
	char at[FIELD_PATH];
	if (!lua_call_push_field(c, name))
		return;
	lua_read_shape(c, fields_join_path(at, "reference", name), shape);
	lua_pop(c->f.L, 1);
}

/* What it does not say is as for the kernel; flags belong to a file. */
static void eval_reference_kernel(const struct lua_invocation *c)
{
	struct evaluated_reference *r = &c->out->reference;
	lua_call_text(c, "reference", "kernel", r->entry, sizeof r->entry);
	memcpy(r->grid, c->out->grid, sizeof r->grid);
	memcpy(r->block, c->out->block, sizeof r->block);
	r->lds = c->out->lds;
	if (!lua_call_text(c, "reference", "file", r->file, sizeof r->file)) {
		snprintf(r->file, sizeof r->file, "%s", c->out->file);
		snprintf(r->defines, sizeof r->defines, "%s", c->out->defines);
	}
	lua_call_text(c, "reference", "defines", r->defines, sizeof r->defines);
	eval_reference_shape(c, "grid", r->grid);
	eval_reference_shape(c, "block", r->block);
	lua_call_number(c, "reference", "lds", &r->lds);
}

/* Its functions are called when the job is made (lua_expect.c). */
static void eval_reference_expect(const struct lua_invocation *c)
{
	(void)c;
}

static void eval_reference_c(const struct lua_invocation *c)
{
	struct evaluated_reference *r = &c->out->reference;
	snprintf(r->file, sizeof r->file, "%s", c->x->native);
	if (!lua_call_text(c, "reference", "entry", r->entry, sizeof r->entry))
		snprintf(r->entry, sizeof r->entry, "%.*s", (int)sizeof r->entry - 1, c->out->entry);
	lua_call_text(c, "reference", "defines", r->defines, sizeof r->defines);
}

void lua_eval_reference(const struct lua_invocation *c)
{
	static void (*const eval[REFERENCE_KINDS])(const struct lua_invocation *) = {
#define REFERENCE_KIND(id, member) [REFERENCE_##id] = eval_reference_##member,
#include "gpu/protocol/reference/reference_kinds.def"
#undef REFERENCE_KIND
	};
	struct evaluated_reference *r = &c->out->reference;
	bool is_computed = lua_getfield(c->f.L, ROOT, "reference") == LUA_TFUNCTION;
	lua_pop(c->f.L, 1);
	lua_pushvalue(c->f.L, ROOT);
	if (!lua_call_push_field(c, "reference")) {
		lua_pop(c->f.L, 1);
		return;
	}
	if (lua_istable(c->f.L, -1)) {
		r->kind = find_reference_kind(&c->f);
		if (r->kind == REFERENCE_NONE || (is_computed && r->kind != REFERENCE_KERNEL))
			fields_raise_error(&c->f, "reference",
				"a function returns the name of a C reference or { kernel = \"plain\" }");
		eval[r->kind](c);
	} else {
		fields_read_text(&c->f, "reference", r->entry, sizeof r->entry);
		r->kind = *r->entry ? REFERENCE_BUILT_IN : REFERENCE_NONE;
	}
	lua_pop(c->f.L, 2);
}
