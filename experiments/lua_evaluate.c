/* What the functions of a definition say for one point: values, counts, launch shape, contract, metrics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/definition.h"
#include "experiments/lua_fields.h"
#include "experiments/lua_sandbox.h"

enum { ROOT = 1, P, V }; /* stack: the definition, the parameters, the values */

struct call {
	struct experiment *x;
	const double *values;
	struct evaluation *out;     /* of a point */
	int metric;
	const struct measured *measured;
	struct reading *reading;    /* of a metric */
	struct fields f;
};

/* --- tables whose missing fields are mistakes ---------------------------------------------------------------------------- */
enum { NEAREST_OF = 48 };

/* __index of p, v and m: upvalue 1 says what they hold. */
static int no_such_field(lua_State *L)
{
	const char *names[NEAREST_OF], *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	int count = 0;
	lua_pushnil(L);
	while (count < NEAREST_OF && lua_next(L, 1)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING)
			names[count++] = lua_tostring(L, -1);
	}
	const char *near = nearest_name(key, names, count);
	return luaL_error(L, "there is no %s '%s'%s%s%s", lua_tostring(L, lua_upvalueindex(1)), key, near ? "; did you mean '" : "",
	                  near ? near : "", near ? "'?" : "");
}

static int no_such_reading(lua_State *L)
{
	static const char *const readings[] = { "seconds", "sclk", "mclk", "temp", "power" };
	const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
		if (!strcmp(readings[i], key))
			return sandbox_raise_missing(L);
	return luaL_error(L, "there is no reading '%s'; m has seconds, sclk and mclk in Hz, temp, power and counters", key);
}

static void set_index(lua_State *L, lua_CFunction index, const char *what)
{
	lua_createtable(L, 0, 1);
	lua_pushstring(L, what);
	lua_pushcclosure(L, index, 1);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
}

/* Whole numbers as Lua integers, so that p.size // 4 stays one. */
static void push_number(lua_State *L, double v)
{
	if (v == floor(v) && fabs(v) < 0x1p53)
		lua_pushinteger(L, (lua_Integer)v);
	else
		lua_pushnumber(L, v);
}

static void push_params(const struct call *c)
{
	lua_State *L = c->f.L;
	lua_createtable(L, 0, c->x->param_count);
	for (int i = 0; i < c->x->param_count; i++) {
		const struct param *p = &c->x->params[i];
		if (p->kind == STEP_CHOICE)
			lua_pushstring(L, p->choices[(int)c->values[i]]);
		else
			push_number(L, c->values[i]);
		lua_setfield(L, -2, p->id);
	}
	set_index(L, no_such_field, "parameter");
}

static void push_values(const struct call *c)
{
	lua_State *L = c->f.L;
	lua_pushvalue(L, ROOT);
	bool there = fields_push(&c->f, "values");
	if (there) {
		lua_pushvalue(L, P);
		lua_call(L, 1, 1);
		fields_want(&c->f, "values", LUA_TTABLE, "return { stride = p.stride // 4 }");
	} else {
		lua_newtable(L);
	}
	lua_remove(L, -2);
	set_index(L, no_such_field, "value");
}

/* Root, parameters and values at 1, 2, 3. */
static void open_call(lua_State *L, struct call *c)
{
	lua_settop(L, 0);
	luaL_checkstack(L, 60, NULL);
	c->f = (struct fields){ L, sandbox_chunk(c->x->lua->box), c->x->lua->lines };
	lua_rawgeti(L, LUA_REGISTRYINDEX, c->x->lua->root);
	push_params(c);
	push_values(c);
}

/* Pushes field `name` of the table on top, or what the function there returns; false, and nothing pushed, when that is nil. */
static bool resolve(const struct call *c, const char *name)
{
	lua_State *L = c->f.L;
	if (!fields_push(&c->f, name))
		return false;
	if (lua_isfunction(L, -1)) {
		lua_pushvalue(L, P);
		lua_pushvalue(L, V);
		lua_call(L, 2, 1);
	}
	if (!lua_isnil(L, -1))
		return true;
	lua_pop(L, 1);
	return false;
}

static bool resolve_text(const struct call *c, const char *base, const char *name, char *out, size_t size)
{
	char at[FIELD_PATH];
	if (!resolve(c, name))
		return false;
	fields_text(&c->f, fields_path(at, base, name), out, size);
	lua_pop(c->f.L, 1);
	return true;
}

static bool resolve_number(const struct call *c, const char *base, const char *name, double *out)
{
	char at[FIELD_PATH];
	if (!resolve(c, name))
		return false;
	*out = fields_number(&c->f, fields_path(at, base, name), "");
	lua_pop(c->f.L, 1);
	return true;
}

/* Pushes a table of the root that was seen when the file was loaded. */
static void root_table(const struct call *c, const char *name)
{
	lua_getfield(c->f.L, ROOT, name);
}

/* --- kernel -------------------------------------------------------------------------------------------------------------- */
static void read_kernel_table(const struct call *c, const char *path)
{
	struct evaluation *o = c->out;
	resolve_text(c, path, "file", o->file, sizeof o->file);
	resolve_text(c, path, "entry", o->entry, sizeof o->entry);
	resolve_text(c, path, "defines", o->defines, sizeof o->defines);
}

static void read_kernel(const struct call *c)
{
	char path[FIELD_PATH] = "kernel";
	root_table(c, "kernel");
	read_kernel_table(c, "kernel");
	if (c->x->lua->variant >= 0) {
		int i = (int)c->values[c->x->lua->variant] + 1;
		root_table(c, "variants");
		lua_rawgeti(c->f.L, -1, i);
		read_kernel_table(c, fields_element(path, "variants", i));
		lua_pop(c->f.L, 2);
	}
	lua_pop(c->f.L, 1);
	if (!*c->out->file)
		fields_defect(&c->f, path, "no kernel file is named; write file = \"chase.hip\"");
	if (!*c->out->entry)
		fields_defect(&c->f, path, "no entry is named; write entry = \"the kernel's name\"");
}

/* --- buffers and arguments ----------------------------------------------------------------------------------------------- */
static void read_fill(const struct call *c, const char *path, struct fill_value *out)
{
	char at[FIELD_PATH];
	*out = (struct fill_value){ FILL_NUMBER, 0 };
	if (!resolve(c, "fill"))
		return;
	const char *text = lua_type(c->f.L, -1) == LUA_TSTRING ? lua_tostring(c->f.L, -1) : "";
	fields_path(at, path, "fill");
	if (!strcmp(text, "index"))
		out->kind = FILL_INDEX;
	else if (!strcmp(text, "random"))
		out->kind = FILL_RANDOM;
	else
		out->number = fields_number(&c->f, at, "");
	lua_pop(c->f.L, 1);
}

static void read_buffers(const struct call *c)
{
	char path[FIELD_PATH], at[FIELD_PATH];
	const struct lua_definition *d = c->x->lua;
	if (!d->buffer_count)
		return;
	root_table(c, "buffers");
	for (int i = 0; i < d->buffer_count; i++) {
		fields_path(path, "buffers", d->buffers[i].id);
		lua_getfield(c->f.L, -1, d->buffers[i].id);
		if (!resolve_number(c, path, "count", &c->out->count[i]))
			fields_defect(&c->f, fields_path(at, path, "count"), "is nil for these parameters");
		read_fill(c, path, &c->out->fill[i]);
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}

/* The value of a scalar argument from `values`, else the parameter of that name. */
static void push_scalar(const struct call *c, const char *path, const char *name)
{
	lua_State *L = c->f.L;
	for (int from = V; from >= P; from--) {
		lua_pushstring(L, name);
		if (lua_rawget(L, from) != LUA_TNIL)
			return;
		lua_pop(L, 1);
	}
	fields_defect(&c->f, path, "nothing gives '%s' a value; return it from values or give a parameter that id", name);
}

static void read_scalar(const struct call *c, const char *path, const struct declaration *d, struct arg_value *out)
{
	char at[FIELD_PATH], number[40];
	lua_State *L = c->f.L;
	int whole = 0;
	push_scalar(c, path, d->name);
	fields_path(at, "values", d->name);
	if (lua_type(L, -1) != LUA_TNUMBER)
		fields_defect(&c->f, at, "is a %s, but a number is wanted", luaL_typename(L, -1));
	out->d = lua_tonumber(L, -1);
	out->i = lua_tointegerx(L, -1, &whole);
	out->integer = d->of->kind != KIND_FLOAT;
	snprintf(number, sizeof number, "%.17g", out->d);
	if (!isfinite(out->d))
		fields_defect(&c->f, at, "is not a finite number");
	if (out->integer && !whole)
		fields_defect(&c->f, at, "is %s, but '%s %s' takes whole numbers; divide with //", number, d->type, d->name);
	if (out->integer && !declaration_holds(d, out->i))
		fields_defect(&c->f, at, "%s does not fit '%s %s'", number, d->type, d->name);
	lua_pop(L, 1);
}

static void read_args(const struct call *c)
{
	char path[FIELD_PATH];
	const struct lua_definition *d = c->x->lua;
	for (int i = 0; i < d->arg_count; i++)
		if (d->args[i].buffer < 0)
			read_scalar(c, fields_element(path, "args", i + 1), &d->args[i].decl, &c->out->args[i]);
}

static void read_bounds(const struct call *c)
{
	const struct lua_definition *d = c->x->lua;
	const char *names[DEF_BUFFERS + 1] = { NULL };
	for (int i = 0; i < d->buffer_count; i++)
		names[i] = d->buffers[i].id;
	lua_pushvalue(c->f.L, ROOT);
	if (resolve(c, "bounds")) {
		fields_want(&c->f, "bounds", LUA_TTABLE, "return { buf = v.stride * v.reads }");
		fields_known(&c->f, "bounds", names, 0);
		for (int i = 0; i < d->buffer_count; i++)
			c->out->bounded[i] = resolve_number(c, "bounds", names[i], &c->out->highest[i]);
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}

/* --- launch -------------------------------------------------------------------------------------------------------------- */
static void read_shape(const struct call *c, const char *name, double out[3])
{
	char at[FIELD_PATH], one[FIELD_PATH];
	lua_State *L = c->f.L;
	fields_path(at, "launch", name);
	out[0] = out[1] = out[2] = 1;
	if (!resolve(c, name))
		fields_defect(&c->f, at, "is nil for these parameters");
	if (lua_istable(L, -1)) {
		static const char *const none[] = { NULL };
		fields_known(&c->f, at, none, 3);
		for (int i = 1; i <= 3 && lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
			out[i - 1] = fields_number(&c->f, fields_element(one, at, i), "");
			lua_pop(L, 1);
		}
		lua_settop(L, V + 2); /* the launch table and this one */
	} else {
		out[0] = fields_number(&c->f, at, "");
	}
	lua_pop(L, 1);
}

static void read_launch(const struct call *c)
{
	root_table(c, "launch");
	read_shape(c, "grid", c->out->grid);
	read_shape(c, "block", c->out->block);
	c->out->lds = 0;
	resolve_number(c, "launch", "lds", &c->out->lds);
	lua_pop(c->f.L, 1);
}

/* --- contract ------------------------------------------------------------------------------------------------------------ */
static struct contract_line *new_line(const struct call *c, const char *path, const char *isa)
{
	if (c->out->contract_count == DEF_CONTRACT)
		fields_defect(&c->f, path, "there are more than %d lines", DEF_CONTRACT);
	struct contract_line *line = &c->out->contract[c->out->contract_count++];
	snprintf(line->isa, sizeof line->isa, "%s", isa);
	line->count = -1;
	return line;
}

/* One line on top: { "global_load_dword", count = 1 } or { loads = "global_load_dword", count = 1 }. */
static void read_contract_line(const struct call *c, const char *path, const char *isa)
{
	static const char *const known[] = { "loads", "stores", "instruction", "count", NULL };
	char at[FIELD_PATH];
	struct contract_line *line = new_line(c, path, isa);
	fields_want(&c->f, path, LUA_TTABLE, "{ \"global_load_dword\", count = 1 }");
	fields_known(&c->f, path, known, 1);
	lua_rawgeti(c->f.L, -1, 1);
	for (int i = 0; i < 3 && lua_isnil(c->f.L, -1); i++) {
		lua_pop(c->f.L, 1);
		lua_getfield(c->f.L, -1, known[i]);
	}
	if (lua_isnil(c->f.L, -1))
		fields_defect(&c->f, path, "names no instruction; write { \"global_load_dword\", count = 1 }");
	fields_text(&c->f, path, line->instruction, sizeof line->instruction);
	lua_pop(c->f.L, 1);
	double count = fields_number_in(&c->f, path, "count", "", -1);
	if (count < -1 || count > 100000 || count != floor(count))
		fields_defect(&c->f, fields_path(at, path, "count"), "a whole number from 0 is wanted");
	line->count = (int)count;
}

/* A table is one line when its first element is no table, and a list of lines otherwise. */
static void read_hot_loop(const struct call *c, const char *isa)
{
	char at[FIELD_PATH];
	lua_State *L = c->f.L;
	fields_want(&c->f, "contract.hot_loop", LUA_TTABLE, "{ { \"global_load_dword\", count = 1 } }");
	int count = (int)lua_rawlen(L, -1);
	bool list = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
	lua_pop(L, 1);
	if (!list) {
		read_contract_line(c, "contract.hot_loop", isa);
		return;
	}
	for (int i = 1; i <= count; i++) {
		lua_rawgeti(L, -1, i);
		read_contract_line(c, fields_element(at, "contract.hot_loop", i), isa);
		lua_pop(L, 1);
	}
}

static void read_contract(const struct call *c)
{
	static const char *const known[] = { "hot_loop", "isa", NULL };
	char isa[16];
	c->out->contract_count = 0;
	lua_pushvalue(c->f.L, ROOT);
	if (resolve(c, "contract")) {
		fields_want(&c->f, "contract", LUA_TTABLE, "{ hot_loop = { ... } }");
		fields_known(&c->f, "contract", known, 0);
		if (!fields_text_in(&c->f, "contract", "isa", isa, sizeof isa, false))
			snprintf(isa, sizeof isa, "gfx9");
		if (resolve(c, "hot_loop")) {
			read_hot_loop(c, isa);
			lua_pop(c->f.L, 1);
		}
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}

/* --- a point ------------------------------------------------------------------------------------------------------------- */
static int evaluate_body(lua_State *L)
{
	struct call *c = lua_touserdata(L, 1);
	open_call(L, c);
	read_kernel(c);
	read_buffers(c);
	read_args(c);
	read_launch(c);
	read_bounds(c);
	read_contract(c);
	lua_pushvalue(L, ROOT);
	resolve_text(c, "", "reference", c->out->reference, sizeof c->out->reference);
	return 0;
}

bool definition_evaluate(struct experiment *x, const double *values, struct evaluation *out, struct err *e)
{
	struct call c = { .x = x, .values = values, .out = out };
	memset(out, 0, sizeof *out);
	return sandbox_call(x->lua->box, evaluate_body, &c, NULL, e);
}

/* --- a metric ------------------------------------------------------------------------------------------------------------ */
static void set_reading(lua_State *L, const char *name, struct reading r, double factor)
{
	if (!r.valid)
		return;
	lua_pushnumber(L, r.value * factor);
	lua_setfield(L, -2, name);
}

static void push_measured(lua_State *L, const struct measured *m)
{
	lua_newtable(L);
	if (m->seconds > 0) { /* a device that keeps no time says 0 */
		lua_pushnumber(L, m->seconds);
		lua_setfield(L, -2, "seconds");
	}
	set_reading(L, "sclk", m->clocks.sclk_mhz, 1e6);
	set_reading(L, "mclk", m->clocks.mclk_mhz, 1e6);
	set_reading(L, "temp", m->clocks.temp_c, 1);
	set_reading(L, "power", m->clocks.power_w, 1);
	lua_newtable(L);
	for (int i = 0; i < m->counter_count; i++) {
		push_number(L, m->counters[i].value);
		lua_setfield(L, -2, m->counters[i].name);
	}
	set_index(L, sandbox_raise_missing, "counter");
	lua_setfield(L, -2, "counters");
	set_index(L, no_such_reading, "reading");
}

static int metric_body(lua_State *L)
{
	struct call *c = lua_touserdata(L, 1);
	char path[FIELD_PATH];
	open_call(L, c);
	root_table(c, "metrics");
	lua_rawgeti(L, -1, c->metric + 1);
	lua_rawgeti(L, -1, 2);
	push_measured(L, c->measured);
	lua_pushvalue(L, P);
	lua_pushvalue(L, V);
	lua_call(L, 3, 1);
	if (lua_isnil(L, -1))
		return 0;
	if (lua_type(L, -1) != LUA_TNUMBER)
		fields_defect(&c->f, fields_element(path, "metrics", c->metric + 1), "gives a %s, but a number is wanted", luaL_typename(L, -1));
	double v = lua_tonumber(L, -1);
	if (!isfinite(v))
		fields_defect(&c->f, fields_element(path, "metrics", c->metric + 1), "gives %s, which is no reading; it divides by 0",
		              isnan(v) ? "no number" : "infinity");
	*c->reading = (struct reading){ true, v };
	return 0;
}

bool definition_metric(struct experiment *x, const double *values, int metric, const struct measured *m, struct reading *out, struct err *e)
{
	struct call c = { .x = x, .values = values, .metric = metric, .measured = m, .reading = out };
	bool missing;
	*out = (struct reading){ false, 0 };
	return sandbox_call(x->lua->box, metric_body, &c, &missing, e) || missing;
}
