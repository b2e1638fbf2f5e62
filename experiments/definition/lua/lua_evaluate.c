#include "experiments/definition/lua/lua_evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/definition/lua/lua_sandbox.h"

/* --- kernel --- */
static void eval_kernel_fields(const struct lua_invocation *c, const char *path)
{
	struct evaluation *o = c->out;
	lua_call_text(c, path, "file", o->file, sizeof o->file);
	lua_call_text(c, path, "entry", o->entry, sizeof o->entry);
	lua_call_text(c, path, "defines", o->defines, sizeof o->defines);
	lua_call_text(c, path, "source", o->source, sizeof o->source);
}

static void eval_kernel(const struct lua_invocation *c)
{
	char path[FIELD_PATH] = "kernel";
	lua_call_push_root(c, "kernel");
	if (lua_isnil(c->f.L, -1)) { /* only copies */
		lua_pop(c->f.L, 1);
		return;
	}
	eval_kernel_fields(c, "kernel");
	if (c->x->lua->variant >= 0) {
		int i = (int)c->values[c->x->lua->variant] + 1;
		lua_call_push_root(c, "variants");
		lua_rawgeti(c->f.L, -1, i);
		eval_kernel_fields(c, fields_index_path(path, "variants", i));
		lua_pop(c->f.L, 2);
	}
	lua_pop(c->f.L, 1);
	if (!*c->out->file && !*c->out->entry && c->x->lua->has_steps)
		return;
	if (!*c->out->file)
		fields_raise_error(&c->f, path, "missing kernel file; write for example file = \"chase.hip\"");
	if (!*c->out->entry)
		fields_raise_error(&c->f, path, "missing entry; write entry = \"NAME_OF_THE_KERNEL\"");
}

/* --- buffers and arguments --- */
/* The table on top: { chase = 128 }, { chase = function(p) ... } or the same with addresses */
static void eval_chase(const struct lua_invocation *c, const char *path, struct fill_value *out)
{
	static const char *const known[] = {"chase", NULL}, *const addresses[] = {"addresses", NULL};
	char at[FIELD_PATH];
	bool with_addresses = lua_getfield(c->f.L, -1, "addresses") != LUA_TNIL;
	lua_pop(c->f.L, 1);
	fields_check_names(&c->f, path, with_addresses ? addresses : known, 0);
	out->kind = with_addresses ? FILL_ADDRESSES : FILL_CHASE;
	if (!lua_call_number(c, path, with_addresses ? "addresses" : "chase", &out->number))
		fields_raise_error(&c->f, fields_join_path(at, path, "chase"), "missing; give the bytes of a line");
}

static void eval_fill(const struct lua_invocation *c, const char *path, struct fill_value *out)
{
	char at[FIELD_PATH];
	*out = (struct fill_value){FILL_NUMBER, 0};
	if (!lua_call_push_field(c, "fill"))
		return;
	const char *text = lua_type(c->f.L, -1) == LUA_TSTRING ? lua_tostring(c->f.L, -1) : "";
	fields_join_path(at, path, "fill");
	if (!strcmp(text, "index"))
		out->kind = FILL_INDEX;
	else if (!strcmp(text, "random"))
		out->kind = FILL_RANDOM;
	else if (lua_istable(c->f.L, -1))
		eval_chase(c, at, out);
	else
		out->number = fields_read_number(&c->f, at, "");
	lua_pop(c->f.L, 1);
}

static void eval_buffers(const struct lua_invocation *c)
{
	char path[FIELD_PATH], at[FIELD_PATH];
	const struct lua_definition *d = c->x->lua;
	if (!d->buffer_count)
		return;
	lua_call_push_root(c, "buffers");
	for (int i = 0; i < d->buffer_count; i++) {
		fields_join_path(path, "buffers", d->buffers[i].id);
		lua_getfield(c->f.L, -1, d->buffers[i].id);
		if (!lua_call_number(c, path, "count", &c->out->count[i]))
			fields_raise_error(&c->f, fields_join_path(at, path, "count"),
				"nil for these parameters; a number is required");
		eval_fill(c, path, &c->out->fill[i]);
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}

/* The value of a scalar argument from `values`, else the parameter of that name. */
static void push_scalar(const struct lua_invocation *c, const char *path, const char *name)
{
	lua_State *L = c->f.L;
	for (int from = V; from >= P; from--) {
		lua_pushstring(L, name);
		if (lua_rawget(L, from) != LUA_TNIL)
			return;
		lua_pop(L, 1);
	}
	fields_raise_error(
		&c->f, path, "no value for '%s'; return it from values, or define a parameter with this id", name);
}

static void eval_scalar(
	const struct lua_invocation *c, const char *path, const struct declaration *d, struct arg_value *out)
{
	char at[FIELD_PATH], number[40];
	lua_State *L = c->f.L;
	int whole = 0;
	push_scalar(c, path, d->name);
	fields_join_path(at, "values", d->name);
	if (lua_type(L, -1) != LUA_TNUMBER)
		fields_raise_error(&c->f, at, "expected a number, not a %s", luaL_typename(L, -1));
	out->d = lua_tonumber(L, -1);
	out->i = lua_tointegerx(L, -1, &whole);
	out->integer = d->of->kind != ELEMENT_FLOAT;
	snprintf(number, sizeof number, "%.17g", out->d);
	if (!isfinite(out->d))
		fields_raise_error(&c->f, at, "not a finite number");
	if (out->integer && !whole)
		fields_raise_error(&c->f, at, "%s is not a whole number, but '%s %s' needs one; divide with //", number,
			d->type, d->name);
	if (out->integer && !declaration_fits_value(d, out->i))
		fields_raise_error(&c->f, at, "%s does not fit '%s %s'", number, d->type, d->name);
	lua_pop(L, 1);
}

static void eval_args(const struct lua_invocation *c)
{
	char path[FIELD_PATH];
	const struct lua_definition *d = c->x->lua;
	for (int i = 0; i < d->arg_count; i++)
		if (d->args[i].buffer < 0)
			eval_scalar(c, fields_index_path(path, "args", i + 1), &d->args[i].decl, &c->out->args[i]);
}

static void eval_bounds(const struct lua_invocation *c)
{
	const struct lua_definition *d = c->x->lua;
	const char *names[DEF_BUFFERS + 1] = {NULL};
	for (int i = 0; i < d->buffer_count; i++)
		names[i] = d->buffers[i].id;
	lua_pushvalue(c->f.L, ROOT);
	if (lua_call_push_field(c, "bounds")) {
		fields_check_type(&c->f, "bounds", LUA_TTABLE, "return { buf = v.stride * v.reads }");
		fields_check_names(&c->f, "bounds", names, 0);
		for (int i = 0; i < d->buffer_count; i++)
			c->out->bounded[i] = lua_call_number(c, "bounds", names[i], &c->out->highest[i]);
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}

/* --- launch --- */
void lua_read_shape(const struct lua_invocation *c, const char *at, double out[3])
{
	static const char *const none[] = {NULL};
	char one[FIELD_PATH];
	lua_State *L = c->f.L;
	out[0] = out[1] = out[2] = 1;
	if (!lua_istable(L, -1)) {
		out[0] = fields_read_number(&c->f, at, "");
		return;
	}
	fields_check_names(&c->f, at, none, 3);
	int count = (int)lua_rawlen(L, -1);
	for (int i = 1; i <= 3 && i <= count; i++) {
		lua_rawgeti(L, -1, i);
		out[i - 1] = fields_read_number(&c->f, fields_index_path(one, at, i), "");
		lua_pop(L, 1);
	}
}

static void eval_launch_shape(const struct lua_invocation *c, const char *name, double out[3])
{
	char at[FIELD_PATH];
	fields_join_path(at, "launch", name);
	if (!lua_call_push_field(c, name))
		fields_raise_error(&c->f, at, "nil for these parameters; a number is required");
	lua_read_shape(c, at, out);
	lua_pop(c->f.L, 1);
}

static void eval_launch(const struct lua_invocation *c)
{
	static const double one[3] = {1, 1, 1};
	memcpy(c->out->grid, one, sizeof one);
	memcpy(c->out->block, one, sizeof one);
	lua_call_push_root(c, "launch");
	if (lua_isnil(c->f.L, -1)) { /* compile only, or steps with their own shapes */
		lua_pop(c->f.L, 1);
		return;
	}
	if (c->x->work != WORK_COMPILE)
		eval_launch_shape(c, "grid", c->out->grid);
	eval_launch_shape(c, "block", c->out->block);
	c->out->lds = 0;
	lua_call_number(c, "launch", "lds", &c->out->lds);
	lua_pop(c->f.L, 1);
}

/* --- a point --- */
static int evaluate_body(lua_State *L)
{
	struct lua_invocation *c = lua_touserdata(L, 1);
	lua_call_begin(L, c);
	if (c->x->work == WORK_FORMULA)
		return 0;
	if (c->x->work == WORK_DELEGATED || c->x->work == WORK_PROGRAM) { /* what is measured defines the rest */
		lua_eval_sampling(c);
		return 0;
	}
	eval_kernel(c);
	lua_eval_contract(c);
	eval_launch(c);
	if (c->x->work == WORK_COMPILE)
		return 0;
	lua_eval_captured(c);
	eval_buffers(c);
	eval_args(c);
	eval_bounds(c);
	lua_eval_sampling(c);
	lua_eval_steps(c);
	lua_eval_reference(c);
	return 0;
}

bool definition_evaluate(struct experiment *x, const double *values, struct evaluation *out, struct err *e)
{
	struct lua_invocation c = {.x = x, .values = values, .out = out};
	memset(out, 0, sizeof *out);
	return sandbox_call(x->lua->box, evaluate_body, &c, NULL, e);
}

void experiment_begin_sweep(struct experiment *x)
{
	if (x->lua)
		sandbox_begin_sweep(x->lua->box);
}

void experiment_stop_functions_when(bool (*is_due)(void *ctx), void *ctx)
{
	sandbox_stop_when(is_due, ctx);
}
