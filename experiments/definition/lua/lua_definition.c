/* Reads a definition's table when it is loaded, and checks everything that does not depend on a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/lua/lua_load.h"
#include "experiments/definition/lua/lua_sandbox.h"
#include "experiments/definition/lua/lua_shared.h"
#include "plot/chart.h"

/* --- launch, metrics and the rest --- */
static void check_launch_fields(struct definition_load *l)
{
	static const char *const known[] = {"grid", "block", "lds", NULL};
	char at[FIELD_PATH];
	bool there = fields_push_named(&l->f, "launch");
	if (!there && (l->x->work != WORK_LAUNCH || l->d->has_steps))
		return;
	if (!there)
		fields_raise_error(&l->f, "launch", "missing; write for example launch = { grid = 64, block = 256 }");
	fields_check_type(&l->f, "launch", LUA_TTABLE, "{ grid = 64, block = 256 }");
	fields_check_names(&l->f, "launch", known, 0);
	for (int i = 0; known[i]; i++)
		if (fields_push_named(&l->f, known[i])) {
			if (!lua_isfunction(l->f.L, -1) && (!lua_istable(l->f.L, -1) || i == 2))
				fields_read_number(&l->f, fields_join_path(at, "launch", known[i]), "");
			lua_pop(l->f.L, 1);
		} else if (i == 1 || (i == 0 && l->x->work != WORK_COMPILE)) {
			fields_raise_error(&l->f, fields_join_path(at, "launch", known[i]),
				"missing; use a number, { x, y, z } or function(p)");
		}
	lua_pop(l->f.L, 1);
}

static int read_metric_axis(struct definition_load *l, const char *path)
{
	static const char *const names[] = {"left", "right", "x", "none"};
	static const int axes[] = {AXIS_LEFT, AXIS_RIGHT, METRIC_X, -1};
	char text[40], at[FIELD_PATH];
	if (!fields_read_text_field(&l->f, path, "axis", text, sizeof text, false))
		return AXIS_LEFT;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(text, names[i]))
			return axes[i];
	fields_raise_error(&l->f, fields_join_path(at, path, "axis"),
		"unknown axis '%s'; use \"left\", \"right\", \"x\" or \"none\"", text);
}

static bool read_flag_field(struct definition_load *l, const char *path, const char *name)
{
	char at[FIELD_PATH];
	if (!fields_push_named(&l->f, name))
		return false;
	fields_check_type(&l->f, fields_join_path(at, path, name), LUA_TBOOLEAN, "true");
	bool on = lua_toboolean(l->f.L, -1);
	lua_pop(l->f.L, 1);
	return on;
}

static void read_metric_fields(struct definition_load *l, const char *path)
{
	static const char *const known[] = {"unit", "axis", "help", "line", "log", NULL};
	char at[FIELD_PATH];
	int x = experiment_find_x_metric(l->x);
	struct metric *m = &l->x->metrics[l->x->metric_count++];
	fields_check_names(&l->f, path, known, 2);
	definition_load_id(l, path, m->id, sizeof m->id);
	fields_read_text_field(&l->f, path, "unit", m->unit, sizeof m->unit, false);
	fields_read_text_field(&l->f, path, "help", m->help, sizeof m->help, false);
	m->axis = read_metric_axis(l, path);
	m->line = read_flag_field(l, path, "line");
	m->log = read_flag_field(l, path, "log");
	if (m->axis == METRIC_X && x >= 0)
		fields_raise_error(&l->f, fields_join_path(at, path, "axis"),
			"only one metric can be on the x axis; %s already is", l->x->metrics[x].id);
	lua_rawgeti(l->f.L, -1, 2);
	fields_check_type(
		&l->f, fields_index_path(at, path, 2), LUA_TFUNCTION, "function(m, p, v) return m.seconds end");
	lua_pop(l->f.L, 1);
}

static void read_metric_list(struct definition_load *l)
{
	char path[FIELD_PATH];
	int count = definition_push_list(l, "metrics", METRICS_MAX);
	if (count < 1)
		fields_raise_error(&l->f, "metrics",
			"missing or empty; write for example { { \"time\", unit = \"s\", function(m) return m.seconds end } }");
	for (int i = 1; i <= count; i++) {
		definition_push_element(l, "metrics", i, path);
		read_metric_fields(l, path);
		lua_pop(l->f.L, 1);
	}
	lua_pop(l->f.L, 1);
}

static void read_sample_limits(struct definition_load *l)
{
	static const char *const known[] = {"min", "max", "seconds", "target", NULL};
	struct lua_definition *d = l->d;
	if (!fields_push_named(&l->f, "samples"))
		return;
	fields_check_type(&l->f, "samples", LUA_TTABLE, "{ min = 5, max = 30 }");
	fields_check_names(&l->f, "samples", known, 0);
	double least = fields_read_number_field(&l->f, "samples", "min", "", d->samples_min);
	double most = fields_read_number_field(&l->f, "samples", "max", "", fmax(d->samples_max, least));
	if (least < 1 || least > 100000 || least != floor(least))
		fields_raise_error(&l->f, "samples.min", "use a whole number from 1 to 100000");
	if (most < least || most > 100000 || most != floor(most))
		fields_raise_error(&l->f, "samples.max", "use a whole number from min to 100000");
	d->samples_min = (int)least;
	d->samples_max = (int)most;
	d->seconds = fields_read_number_field(&l->f, "samples", "seconds", "s", d->seconds);
	d->target = fields_read_number_field(&l->f, "samples", "target", "", d->target);
	if (d->seconds <= 0 || d->target < 0)
		fields_raise_error(&l->f, "samples", "seconds must be above 0, and target at least 0");
	lua_pop(l->f.L, 1);
}

/* Fields whose values are checked for each point: here only their types. */
static void check_field_types(struct definition_load *l)
{
	static const struct {
		const char *name;
		int type;
		bool or_function;
		const char *example;
	} kinds[] = {
		{"values", LUA_TFUNCTION, false, "function(p) return { stride = p.stride // 4 } end"},
		{"bounds", LUA_TFUNCTION, false, "function(p, v) return { buf = v.stride * v.reads } end"},
		{"contract", LUA_TTABLE, true, "{ hot_loop = { { \"global_load_dword\", count = 1 } } }"},
		{"reset", LUA_TBOOLEAN, false, "true"},
		{"verdict", LUA_TFUNCTION, false, "function(m, p, v) return \"memory-bound\" end"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!fields_push_named(&l->f, kinds[i].name))
			continue;
		if (!kinds[i].or_function || !lua_isfunction(l->f.L, -1))
			fields_check_type(&l->f, kinds[i].name, kinds[i].type, kinds[i].example);
		if (!strcmp(kinds[i].name, "reset"))
			l->d->reset = lua_toboolean(l->f.L, -1);
		if (!strcmp(kinds[i].name, "verdict"))
			l->d->has_verdict = true;
		lua_pop(l->f.L, 1);
	}
}

static void read_text_fields(struct definition_load *l)
{
	struct experiment *x = l->x;
	fields_read_text_field(&l->f, "", "title", x->title, sizeof x->title, true);
	fields_read_text_field(&l->f, "", "question", x->question, sizeof x->question, false);
	fields_read_text_field(&l->f, "", "source", x->source, sizeof x->source, false);
	fields_read_text_field(&l->f, "", "lesson", x->lesson, sizeof x->lesson, false);
}

/* Stack: the file's result at 1, the struct definition_load at 2. */
static int read_definition_table(lua_State *L)
{
	static const char *const known[] = {"title", "question", "source", "kernel", "variants", "params", "buffers",
		"args", "values", "launch", "metrics", "contract", "reference", "tolerance", "samples", "bounds",
		"reset", "lesson", "counters", "launches", "needs", "formula", "compile_only", "measures", "captured",
		"program", "presets", "steps", "host", "verdict", "work", NULL};
	struct definition_load *l = lua_touserdata(L, 2);
	lua_settop(L, 1);
	luaL_checkstack(L, 40, NULL);
	l->f = (struct lua_fields){L, sandbox_chunk(l->d->box), l->d->lines = source_lines_scan(l->text, l->len)};
	if (!lua_istable(L, 1))
		fields_raise_error(&l->f, "", "the file returns %s%s; it must return a table: return { title = ... }",
			lua_isnil(L, 1) ? "nothing" : "a ", lua_isnil(L, 1) ? "" : luaL_typename(L, 1));
	fields_check_names(&l->f, "", known, 0);
	read_sample_limits(l);
	read_text_fields(l);
	definition_load_kind(l);
	definition_load_kernel(l);
	definition_load_params(l);
	definition_load_variants(l);
	definition_load_buffers(l);
	definition_load_args(l);
	definition_load_reference(l);
	check_launch_fields(l);
	read_metric_list(l);
	definition_load_presets(l);
	check_field_types(l);
	l->d->root = luaL_ref(L, LUA_REGISTRYINDEX);
	return 0;
}

/* Default sampling: at least 5 samples, for quartiles; at most 30 or 2 s; stop at a standard error of 0.5 %. */
bool definition_read(struct experiment *x, const char *text, size_t len, struct err *e)
{
	struct lua_definition *d = x->lua = xcalloc(1, sizeof *d);
	*d = (struct lua_definition){.variant = -1,
		.samples_min = 5,
		.samples_max = 30,
		.seconds = 2,
		.target = 0.005,
		.hash = definition_update_hash(DEFINITION_HASH, text, len)};
	d->box = sandbox_open(x->path);
	if (!d->box)
		return err_set(e, ST_FAILED, "%s: out of memory for Lua", x->path);
	struct definition_load l = {.x = x, .d = d, .text = text, .len = len};
	sandbox_set_function(d->box, "shared", lua_shared_function, x);
	bool ok = sandbox_load(d->box, text, len, read_definition_table, &l, e);
	sandbox_set_function(d->box, "shared", NULL, NULL); /* points must not read files */
	return ok;
}

void definition_free(struct lua_definition *d)
{
	if (!d)
		return;
	sandbox_close(d->box);
	source_lines_free(d->lines);
	free(d->works);
	if (d->program)
		free(d->program->text);
	free(d->program);
	free(d);
}
