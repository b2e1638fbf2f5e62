/* Reads the kind of an experiment (launch, formula, compile only, a program, measures another one) and the device it
 * needs. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/lua/lua_load.h"

#define CAPTURED_FIELD "captured"
#define PROGRAM_FIELD  "program"

/* The field that selects each kind, and the fields that it excludes. */
static const struct {
	const char *field;
	enum experiment_kind work;
	int type;
	const char *example;
	const char *without[16];
} works[] = {
	{"formula", WORK_FORMULA, LUA_TBOOLEAN, "true",
		{"kernel", "variants", "buffers", "args", "launch", "launches", "contract", "reference", "tolerance",
			"samples", "bounds", "reset", "counters", "steps"}},
	{"compile_only", WORK_COMPILE, LUA_TBOOLEAN, "true",
		{"buffers", "args", "launches", "reference", "tolerance", "samples", "bounds", "reset", "counters",
			"steps"}},
	{CAPTURED_FIELD, WORK_LAUNCH, LUA_TFUNCTION,
		"function(p) return { launch = \"1.launch\", constants = { l1_bytes = p.l1_bytes } } end",
		{"variants", "buffers", "args", "launches", "reference", "tolerance", "samples", "bounds", "reset",
			"steps"}},
	{PROGRAM_FIELD, WORK_PROGRAM, LUA_TTABLE, "{ file = \"app\", args = \"n={n}\" }",
		{"kernel", "variants", "buffers", "args", "values", "launch", "launches", "contract", "reference",
			"tolerance", "samples", "bounds", "reset", "steps"}},
	{"measures", WORK_DELEGATED, LUA_TFUNCTION, "function(p) return \"fma-waves\", { waves = 4 } end",
		{"kernel", "variants", "buffers", "args", "values", "launch", "launches", "contract", "reference",
			"tolerance", "samples", "bounds", "reset", "steps"}},
};

static void reject_other_fields(struct definition_load *l, const char *field, const char *const *without)
{
	for (; *without; without++)
		if (fields_push_named(&l->f, *without))
			fields_raise_error(&l->f, *without, "not allowed together with %s; remove one of them", field);
}

static void read_kind(struct definition_load *l)
{
	const char *made = NULL;
	for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
		if (!fields_push_named(&l->f, works[i].field))
			continue;
		fields_check_type(&l->f, works[i].field, works[i].type, works[i].example);
		bool on = lua_toboolean(l->f.L, -1);
		lua_pop(l->f.L, 1);
		if (!on)
			continue;
		if (made)
			fields_raise_error(
				&l->f, works[i].field, "not allowed together with %s; remove one of them", made);
		made = works[i].field;
		l->x->work = works[i].work;
		l->d->captured = !strcmp(made, CAPTURED_FIELD);
		reject_other_fields(l, made, works[i].without);
	}
}

/* --- the user's program --- */
/* The command line says where it is. */
static void check_program_file(const struct definition_load *l, const char *file)
{
	if (!*file || strchr(file, '/'))
		fields_raise_error(
			&l->f, PROGRAM_FIELD ".file", "'%s' is not the name of a file without a folder", file);
}

static void read_program(struct definition_load *l)
{
	static const char *const known[] = {"file", "args", "kernel", NULL};
	if (l->x->work != WORK_PROGRAM)
		return;
	struct program_call *p = l->d->program = xcalloc(1, sizeof *p);
	p->text = xasprintf("%.*s", (int)l->len, l->text);
	fields_push_named(&l->f, PROGRAM_FIELD);
	fields_check_names(&l->f, PROGRAM_FIELD, known, 0);
	fields_read_text_field(&l->f, PROGRAM_FIELD, "file", p->file, sizeof p->file, true);
	fields_read_text_field(&l->f, PROGRAM_FIELD, "args", p->args, sizeof p->args, false);
	fields_read_text_field(&l->f, PROGRAM_FIELD, "kernel", p->kernel, sizeof p->kernel, false);
	check_program_file(l, p->file);
	lua_pop(l->f.L, 1);
}

/* --- needs --- */
static void read_needed_arch(struct definition_load *l, const char *path)
{
	struct experiment *x = l->x;
	if (x->needs_count == NEEDS_MAX)
		fields_raise_error(&l->f, path, "too many targets; at most %d are allowed", NEEDS_MAX);
	char *arch = x->needs_arch[x->needs_count++];
	fields_read_text(&l->f, path, arch, sizeof x->needs_arch[0]);
	if (!target_is_named(arch))
		fields_raise_error(&l->f, path,
			"unknown target '%s'; write for example \"gfx1100\", or \"gfx11\" for all targets that start with it",
			arch);
}

static void read_needed_archs(struct definition_load *l)
{
	char at[FIELD_PATH];
	if (!fields_push_named(&l->f, "arch"))
		fields_raise_error(&l->f, "needs.arch", "missing; write for example needs = { arch = \"gfx1100\" }");
	if (!lua_istable(l->f.L, -1)) {
		read_needed_arch(l, "needs.arch");
	} else {
		int count = (int)lua_rawlen(l->f.L, -1);
		if (!count)
			fields_raise_error(&l->f, "needs.arch", "empty; name a target, for example \"gfx1100\"");
		for (int i = 1; i <= count; i++) {
			lua_rawgeti(l->f.L, -1, i);
			read_needed_arch(l, fields_index_path(at, "needs.arch", i));
			lua_pop(l->f.L, 1);
		}
	}
	lua_pop(l->f.L, 1);
}

/* "a gfx1100 or gfx12 device: why" */
static void read_device_needs(struct definition_load *l)
{
	static const char *const known[] = {"arch", "text", NULL};
	struct experiment *x = l->x;
	char why[60] = "";
	size_t n = 0;
	if (!fields_push_named(&l->f, "needs"))
		return;
	fields_check_type(&l->f, "needs", LUA_TTABLE, "{ arch = \"gfx1100\" }");
	fields_check_names(&l->f, "needs", known, 0);
	read_needed_archs(l);
	fields_read_text_field(&l->f, "needs", "text", why, sizeof why, false);
	lua_pop(l->f.L, 1);
	n = (size_t)snprintf(x->needs, sizeof x->needs, "a ");
	for (int i = 0; i < x->needs_count && n < sizeof x->needs; i++)
		n += (size_t)snprintf(x->needs + n, sizeof x->needs - n, "%s%s", i ? " or " : "", x->needs_arch[i]);
	if (n < sizeof x->needs)
		snprintf(x->needs + n, sizeof x->needs - n, " device%s%s", *why ? ": " : "", why);
}

void definition_load_kind(struct definition_load *l)
{
	if (fields_push_named(&l->f, "steps")) {
		fields_check_type(&l->f, "steps", LUA_TFUNCTION,
			"function(p, v) return { { copy = \"to_device\", buffer = \"in\" } } end");
		l->d->has_steps = true;
		lua_pop(l->f.L, 1);
	}
	read_kind(l);
	read_program(l);
	read_device_needs(l);
}
