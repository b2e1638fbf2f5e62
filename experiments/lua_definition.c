/* A definition's table read: kernel, variants, buffers, arguments, launch, metrics. Everything that does not depend on a point is checked here. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/lua_load.h"
#include "experiments/lua_sandbox.h"
#include "plot/chart.h"

/* --- kernel and variants ------------------------------------------------------------------------------------------------- */
static const char *const kernel_keys[] = { "file", "entry", "defines", NULL };

/* file, entry and defines of the table on top: text or function. True when both file and entry are there or in the kernel table. */
static void check_kernel_fields(struct load *l, const char *path)
{
	char at[FIELD_PATH];
	for (int i = 0; kernel_keys[i]; i++)
		if (fields_push(&l->f, kernel_keys[i])) {
			if (!lua_isfunction(l->f.L, -1))
				fields_want(&l->f, fields_path(at, path, kernel_keys[i]), LUA_TSTRING, "\"chase.hip\"");
			lua_pop(l->f.L, 1);
		}
}

static void check_kernel(struct load *l)
{
	if (!fields_push(&l->f, "kernel"))
		fields_defect(&l->f, "kernel", "is missing; write for example kernel = { file = \"chase.hip\", entry = \"chase_stride\" }");
	fields_want(&l->f, "kernel", LUA_TTABLE, "{ file = \"chase.hip\", entry = \"chase_stride\" }");
	fields_known(&l->f, "kernel", kernel_keys, 0);
	check_kernel_fields(l, "kernel");
	lua_pop(l->f.L, 1);
}

static void add_variant(struct load *l, struct param *p, const char *path, const char *name)
{
	if (p->choice_count == CHOICES_MAX)
		fields_defect(&l->f, path, "there are more than %d variants", CHOICES_MAX);
	if (strlen(name) >= sizeof p->choices[0] || !*name || strpbrk(name, ", =\""))
		fields_defect(&l->f, path, "'%.60s' is no name for a variant; up to 31 letters, digits and - make one", name);
	for (int i = 0; i < p->choice_count; i++)
		if (!strcmp(p->choices[i], name))
			fields_defect(&l->f, path, "'%s' is there twice", name);
	snprintf(p->choices[p->choice_count++], sizeof p->choices[0], "%.31s", name);
}

/* A list of { "name", file = ... }. */
static void read_variant_list(struct load *l, struct param *p, int count)
{
	char path[FIELD_PATH], name[64];
	for (int i = 1; i <= count; i++) {
		load_element(l, "variants", i, path);
		fields_known(&l->f, path, kernel_keys, 1);
		lua_rawgeti(l->f.L, -1, 1);
		if (lua_isnil(l->f.L, -1))
			fields_defect(&l->f, path, "lacks its name; write it first, for example { \"compiled\" }");
		fields_text(&l->f, path, name, sizeof name);
		lua_pop(l->f.L, 1);
		add_variant(l, p, path, name);
		check_kernel_fields(l, path);
		lua_pop(l->f.L, 1);
	}
}

/* A map has no order of its own: that of the text counts. Turns it into the list that the rest of the program reads. */
static void order_variant_map(struct load *l)
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
				fields_defect(&l->f, "variants", "mixes names and a list; write { { \"published\", ... }, { \"compiled\", ... } }");
			int rank = source_rank(l->f.lines, fields_path(path, "variants", lua_tostring(L, -1)));
			if (rank < 0)
				fields_defect(&l->f, "variants", "has no order; write a list: { { \"published\", ... }, { \"compiled\", ... } }");
			if (rank > last && rank < best) {
				best = rank;
				snprintf(name, sizeof name, "%s", lua_tostring(L, -1));
			}
		}
		if (best == INT_MAX)
			break;
		last = best;
		lua_getfield(L, -2, name);
		fields_want(&l->f, fields_path(path, "variants", name), LUA_TTABLE, "{ file = \"chase.s\" }");
		lua_pushstring(L, name);
		lua_rawseti(L, -2, 1);
		lua_rawseti(L, -2, ++count);
	}
	lua_replace(L, -2);
	lua_pushvalue(L, -1);
	lua_setfield(L, -3, "variants");
}

static void read_variants(struct load *l)
{
	if (!fields_push(&l->f, "variants"))
		return;
	fields_want(&l->f, "variants", LUA_TTABLE, "{ { \"published\", file = \"chase.s\" }, { \"compiled\" } }");
	if (!lua_rawlen(l->f.L, -1))
		order_variant_map(l);
	int count = (int)lua_rawlen(l->f.L, -1);
	if (!count)
		fields_defect(&l->f, "variants", "is empty; leave it out or name the variants");
	if (experiment_param(l->x, "variant") >= 0)
		fields_defect(&l->f, "params", "there is a parameter 'variant' already, and variants make one");
	struct param *p = load_new_param(l, "variants");
	l->d->variant = l->x->param_count - 1;
	snprintf(p->id, sizeof p->id, "variant");
	snprintf(p->help, sizeof p->help, "which form of the kernel is launched");
	read_variant_list(l, p, count);
	p->kind = STEP_CHOICE;
	p->step = 1;
	p->high = p->sweep_high = p->choice_count - 1;
	p->whole = true;
	lua_pop(l->f.L, 1);
}

/* --- buffers and arguments ----------------------------------------------------------------------------------------------- */
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
		fields_defect(&l->f, at, "'%.40s' is no filling; a number, \"index\", \"random\" or function(p) is wanted", text);
	if (!text && !lua_isfunction(l->f.L, -1))
		fields_number(&l->f, at, "");
	lua_pop(l->f.L, 1);
}

static void read_buffer(struct load *l, const char *name)
{
	static const char *const known[] = { "type", "count", "fill", NULL };
	char path[FIELD_PATH], at[FIELD_PATH], type[40];
	struct err why;
	bool pointer;
	fields_path(path, "buffers", name);
	if (l->d->buffer_count == DEF_BUFFERS)
		fields_defect(&l->f, path, "there are more than %d buffers", DEF_BUFFERS);
	struct buffer_def *b = &l->d->buffers[l->d->buffer_count++];
	fields_want(&l->f, path, LUA_TTABLE, "{ type = \"int\", count = 1 }");
	fields_known(&l->f, path, known, 0);
	if (!load_is_identifier(name) || strlen(name) >= sizeof b->id)
		fields_defect(&l->f, path, "is no name of an argument; up to 31 letters, digits and _ make one");
	snprintf(b->id, sizeof b->id, "%s", name);
	fields_text_in(&l->f, path, "type", type, sizeof type, true);
	b->type = ctype_parse(type, &pointer, &why);
	if (!b->type)
		fields_defect(&l->f, fields_path(at, path, "type"), "%s", why.text);
	if (pointer)
		fields_defect(&l->f, fields_path(at, path, "type"), "is a pointer; the type of one element is wanted, for example \"int\"");
	number_or_function(l, path, "count", true);
	check_fill(l, path);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct buffer_def *)a)->id, ((const struct buffer_def *)b)->id);
}

static void read_buffers(struct load *l)
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
	qsort(l->d->buffers, (size_t)l->d->buffer_count, sizeof *l->d->buffers, by_id); /* the same record whatever the table's order */
}

static int find_buffer(struct load *l, const char *path, const char *name)
{
	const char *names[DEF_BUFFERS];
	for (int i = 0; i < l->d->buffer_count; i++) {
		names[i] = l->d->buffers[i].id;
		if (!strcmp(names[i], name))
			return i;
	}
	const char *near = nearest_name(name, names, l->d->buffer_count);
	fields_defect(&l->f, path, "there is no buffer '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void read_args(struct load *l)
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
		a->buffer = a->decl.pointer ? find_buffer(l, path, a->decl.name) : -1;
	}
	lua_pop(l->f.L, 1);
}

/* --- launch, metrics and the rest ---------------------------------------------------------------------------------------- */
static void check_launch(struct load *l)
{
	static const char *const known[] = { "grid", "block", "lds", NULL };
	char at[FIELD_PATH];
	if (!fields_push(&l->f, "launch"))
		fields_defect(&l->f, "launch", "is missing; write for example launch = { grid = 64, block = 256 }");
	fields_want(&l->f, "launch", LUA_TTABLE, "{ grid = 64, block = 256 }");
	fields_known(&l->f, "launch", known, 0);
	for (int i = 0; known[i]; i++)
		if (fields_push(&l->f, known[i])) {
			if (!lua_isfunction(l->f.L, -1) && (!lua_istable(l->f.L, -1) || i == 2))
				fields_number(&l->f, fields_path(at, "launch", known[i]), "");
			lua_pop(l->f.L, 1);
		} else if (i < 2) {
			fields_defect(&l->f, fields_path(at, "launch", known[i]), "is missing; a number, { x, y, z } or function(p) is wanted");
		}
	lua_pop(l->f.L, 1);
}

static int read_axis(struct load *l, const char *path)
{
	static const char *const names[] = { "left", "right", "none" };
	static const int axes[] = { AXIS_LEFT, AXIS_RIGHT, -1 };
	char text[40], at[FIELD_PATH];
	if (!fields_text_in(&l->f, path, "axis", text, sizeof text, false))
		return AXIS_LEFT;
	for (int i = 0; i < 3; i++)
		if (!strcmp(text, names[i]))
			return axes[i];
	fields_defect(&l->f, fields_path(at, path, "axis"), "'%s' is no axis; \"left\", \"right\" or \"none\" is wanted", text);
}

static void read_metric(struct load *l, const char *path)
{
	static const char *const known[] = { "unit", "axis", "help", NULL };
	char at[FIELD_PATH];
	struct metric *m = &l->x->metrics[l->x->metric_count++];
	fields_known(&l->f, path, known, 2);
	load_id(l, path, m->id, sizeof m->id);
	fields_text_in(&l->f, path, "unit", m->unit, sizeof m->unit, false);
	fields_text_in(&l->f, path, "help", m->help, sizeof m->help, false);
	m->axis = read_axis(l, path);
	lua_rawgeti(l->f.L, -1, 2);
	fields_want(&l->f, fields_element(at, path, 2), LUA_TFUNCTION, "function(m, p, v) return m.seconds end");
	lua_pop(l->f.L, 1);
}

static void read_metrics(struct load *l)
{
	char path[FIELD_PATH];
	int count = load_list(l, "metrics", METRICS_MAX);
	if (count < 1)
		fields_defect(&l->f, "metrics", "is missing or empty; write for example { { \"time\", unit = \"s\", function(m) return m.seconds end } }");
	for (int i = 1; i <= count; i++) {
		load_element(l, "metrics", i, path);
		read_metric(l, path);
		lua_pop(l->f.L, 1);
	}
	lua_pop(l->f.L, 1);
}

static void read_samples(struct load *l)
{
	static const char *const known[] = { "min", "max", "seconds", "target", NULL };
	struct lua_definition *d = l->d;
	if (!fields_push(&l->f, "samples"))
		return;
	fields_want(&l->f, "samples", LUA_TTABLE, "{ min = 5, max = 30 }");
	fields_known(&l->f, "samples", known, 0);
	double least = fields_number_in(&l->f, "samples", "min", "", d->samples_min);
	double most = fields_number_in(&l->f, "samples", "max", "", fmax(d->samples_max, least));
	if (least < 1 || least > 100000 || least != floor(least))
		fields_defect(&l->f, "samples.min", "a whole number from 1 to 100000 is wanted");
	if (most < least || most > 100000 || most != floor(most))
		fields_defect(&l->f, "samples.max", "a whole number from min to 100000 is wanted");
	d->samples_min = (int)least;
	d->samples_max = (int)most;
	d->seconds = fields_number_in(&l->f, "samples", "seconds", "s", d->seconds);
	d->target = fields_number_in(&l->f, "samples", "target", "", d->target);
	if (d->seconds <= 0 || d->target < 0)
		fields_defect(&l->f, "samples", "seconds above 0 and a target from 0 are wanted");
	lua_pop(l->f.L, 1);
}

/* Fields whose value is judged for a point: here only their type. */
static void check_kinds(struct load *l)
{
	static const struct { const char *name; int type; bool or_function; const char *example; } kinds[] = {
		{ "values", LUA_TFUNCTION, false, "function(p) return { stride = p.stride // 4 } end" },
		{ "bounds", LUA_TFUNCTION, false, "function(p, v) return { buf = v.stride * v.reads } end" },
		{ "contract", LUA_TTABLE, true, "{ hot_loop = { { \"global_load_dword\", count = 1 } } }" },
		{ "reference", LUA_TSTRING, true, "\"chase_stride\"" },
		{ "reset", LUA_TBOOLEAN, false, "true" },
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!fields_push(&l->f, kinds[i].name))
			continue;
		if (!kinds[i].or_function || !lua_isfunction(l->f.L, -1))
			fields_want(&l->f, kinds[i].name, kinds[i].type, kinds[i].example);
		if (!strcmp(kinds[i].name, "reset"))
			l->d->reset = lua_toboolean(l->f.L, -1);
		if (!strcmp(kinds[i].name, "reference"))
			l->x->verified = true;
		lua_pop(l->f.L, 1);
	}
	l->d->tolerance = fields_number_in(&l->f, "", "tolerance", "", 0);
	if (l->d->tolerance < 0)
		fields_defect(&l->f, "tolerance", "is negative");
}

static void read_texts(struct load *l)
{
	struct experiment *x = l->x;
	fields_text_in(&l->f, "", "title", x->title, sizeof x->title, true);
	fields_text_in(&l->f, "", "question", x->question, sizeof x->question, false);
	fields_text_in(&l->f, "", "source", x->source, sizeof x->source, false);
	fields_text_in(&l->f, "", "lesson", x->lesson, sizeof x->lesson, false);
}

/* With what the file returned at 1 and the struct load at 2. */
static int read_definition(lua_State *L)
{
	static const char *const known[] = { "title", "question", "source", "kernel", "variants", "params", "buffers", "args", "values", "launch",
		"metrics", "contract", "reference", "tolerance", "samples", "bounds", "reset", "lesson", NULL };
	struct load *l = lua_touserdata(L, 2);
	lua_settop(L, 1);
	luaL_checkstack(L, 40, NULL);
	l->f = (struct fields){ L, sandbox_chunk(l->d->box), l->d->lines = source_lines_scan(l->text, l->len) };
	if (!lua_istable(L, 1))
		fields_defect(&l->f, "", "returns %s; a table with the experiment is wanted: return { title = ... }",
		              lua_isnil(L, 1) ? "nothing" : luaL_typename(L, 1));
	fields_known(&l->f, "", known, 0);
	read_samples(l);
	read_texts(l);
	check_kernel(l);
	load_params(l);
	read_variants(l);
	read_buffers(l);
	read_args(l);
	check_launch(l);
	read_metrics(l);
	check_kinds(l);
	l->d->root = luaL_ref(L, LUA_REGISTRYINDEX);
	return 0;
}

/* Defaults: enough samples for quartiles, at most what a person waits for, and the precision that good tools stop at (0.5 %). */
bool definition_read(struct experiment *x, const char *text, size_t len, struct err *e)
{
	struct lua_definition *d = x->lua = xcalloc(1, sizeof *d);
	*d = (struct lua_definition){ .variant = -1, .samples_min = 5, .samples_max = 30, .seconds = 2, .target = 0.005 };
	d->box = sandbox_open(x->path);
	if (!d->box)
		return err_set(e, ST_FAILED, "%s: no memory for Lua", x->path);
	struct load l = { .x = x, .d = d, .text = text, .len = len };
	return sandbox_load(d->box, text, len, read_definition, &l, e);
}

void definition_free(struct lua_definition *d)
{
	if (!d)
		return;
	sandbox_close(d->box);
	source_lines_free(d->lines);
	free(d);
}
