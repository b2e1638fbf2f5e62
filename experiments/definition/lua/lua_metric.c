/* A metric of a measured point. */
#include "experiments/definition/lua/lua_call.h"

#include <math.h>
#include <string.h>

#include "experiments/definition/lua/lua_sandbox.h"

/* --- readings: one that is not there ends the metric, one that there never is is a mistake --- */
static const char *const point_readings[] = {
	"seconds", "sclk", "mclk", "temp", "power", "counters", "code", "accepted", "wall_seconds", "difference", NULL};
static const char *const code_readings[] = {"vgprs", "sgprs", "lds_bytes", "scratch_bytes", "waves_per_simd",
	"code_bytes", "instructions", "bytes", "valu", "salu", "smem", "vmem", "lds", "branch", "internal", "named",
	"loop", NULL};
static const char *const difference_readings[] = {"unequal", "ulp", NULL};

static int count_of(const char *const *names)
{
	int n = 0;
	while (names[n])
		n++;
	return n;
}

/* __index of m and m.code: upvalue 1 says what of, 2 is the list of names. */
static int no_such_reading(lua_State *L)
{
	const char *const *names = lua_touserdata(L, lua_upvalueindex(2));
	const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], key))
			return sandbox_raise_missing(L);
	const char *near = find_nearest_name(key, names, count_of(names));
	const char *of = lua_tostring(L, lua_upvalueindex(1));
	if (near)
		return luaL_error(L, "there is no reading '%s' in %s; did you mean '%s'?", key, of, near);
	lua_pushfstring(L, "there is no reading '%s'; %s has", key, of);
	for (int i = 0; names[i]; i++)
		lua_pushfstring(L, "%s %s", i ? "," : "", names[i]);
	lua_concat(L, 1 + count_of(names));
	return luaL_error(L, "%s", lua_tostring(L, -1));
}

static void readings_index(lua_State *L, const char *of, const char *const *names)
{
	lua_createtable(L, 0, 1);
	lua_pushstring(L, of);
	lua_pushlightuserdata(L, (void *)names);
	lua_pushcclosure(L, no_such_reading, 2);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
}

static int no_such_instruction(lua_State *L)
{
	lua_pushinteger(L, 0);
	return 1;
}

/* The numbers of an object as a table on top. */
static void push_numbers(lua_State *L, const json_t *from)
{
	const char *name;
	json_t *value;
	lua_newtable(L);
	json_object_foreach((json_t *)from, name, value) if (json_is_number(value))
	{
		lua_push_value(L, json_number_value(value));
		lua_setfield(L, -2, name);
	}
}

/* Of each buffer that was compared; the others' are not there. */
static void push_difference(lua_State *L, const json_t *all)
{
	const char *name;
	json_t *one;
	lua_newtable(L);
	json_object_foreach((json_t *)all, name, one)
	{
		push_numbers(L, one);
		readings_index(L, "m.difference", difference_readings);
		lua_setfield(L, -2, name);
	}
	lua_set_index_function(L, sandbox_raise_missing, "buffer");
}

/* A kernel's counts, and those of its loop within. */
static void push_code(lua_State *L, const json_t *code)
{
	const json_t *named = json_object_get(code, "named"), *loop = json_object_get(code, "loop");
	push_numbers(L, code);
	if (named) {
		push_numbers(L, named);
		lua_set_index_function(L, no_such_instruction, "instruction");
		lua_setfield(L, -2, "named");
	}
	if (loop) {
		push_code(L, loop);
		lua_setfield(L, -2, "loop");
	}
	readings_index(L, "m.code", code_readings);
}

static void set_reading(lua_State *L, const char *name, struct reading r, double factor)
{
	if (!r.valid)
		return;
	lua_pushnumber(L, r.value * factor);
	lua_setfield(L, -2, name);
}

static void push_measured(lua_State *L, const struct metric_input *m)
{
	struct clocks clocks = record_get_clocks(m->point);
	const json_t *code = json_object_get(m->point, "code"), *accepted = json_object_get(m->point, "accepted");
	lua_newtable(L);
	set_reading(L, "seconds", m->seconds, 1);
	set_reading(L, "wall_seconds", m->wall, 1);
	set_reading(L, "sclk", clocks.sclk_mhz, 1e6);
	set_reading(L, "mclk", clocks.mclk_mhz, 1e6);
	set_reading(L, "temp", clocks.temp_c, 1);
	set_reading(L, "power", clocks.power_w, 1);
	if (accepted) {
		lua_pushinteger(L, json_is_true(accepted));
		lua_setfield(L, -2, "accepted");
	}
	push_numbers(L, json_object_get(m->point, "counters"));
	lua_set_index_function(L, sandbox_raise_missing, "counter");
	lua_setfield(L, -2, "counters");
	push_difference(L, json_object_get(m->point, "difference"));
	lua_setfield(L, -2, "difference");
	if (json_is_object(code)) {
		push_code(L, code);
		lua_setfield(L, -2, "code");
	}
	readings_index(L, "m", point_readings);
}

/* What another experiment's functions compute with. */
static void push_other(lua_State *L, const json_t *v)
{
	const char *name;
	json_t *value;
	push_numbers(L, v);
	json_object_foreach((json_t *)v, name, value) if (json_is_string(value))
	{
		lua_pushstring(L, json_string_value(value));
		lua_setfield(L, -2, name);
	}
	lua_set_index_function(L, lua_raise_no_field, "value");
}

/* --- the call --- */
/* Calls the function on top with (m, p, v). */
static void call_measured(lua_State *L, const struct lua_invocation *c)
{
	push_measured(L, c->measured);
	lua_pushvalue(L, P);
	if (c->measured->v)
		push_other(L, c->measured->v);
	else
		lua_pushvalue(L, V);
	lua_call(L, 3, 1);
}

static int metric_body(lua_State *L)
{
	struct lua_invocation *c = lua_touserdata(L, 1);
	char path[FIELD_PATH];
	lua_call_begin(L, c);
	lua_call_push_root(c, "metrics");
	lua_rawgeti(L, -1, c->metric + 1);
	lua_rawgeti(L, -1, 2);
	call_measured(L, c);
	if (lua_isnil(L, -1))
		return 0;
	if (lua_type(L, -1) != LUA_TNUMBER)
		fields_raise_error(&c->f, fields_index_path(path, "metrics", c->metric + 1),
			"gives a %s, but a number is wanted", luaL_typename(L, -1));
	double v = lua_tonumber(L, -1);
	if (!isfinite(v))
		fields_raise_error(&c->f, fields_index_path(path, "metrics", c->metric + 1),
			"gives %s, which is no reading; it divides by 0", isnan(v) ? "no number" : "infinity");
	*c->reading = (struct reading){true, v};
	return 0;
}

bool definition_eval_metric(struct experiment *x, const double *values, int metric, const struct metric_input *m,
	struct reading *out, struct err *e)
{
	struct lua_invocation c = {.x = x, .values = values, .metric = metric, .measured = m, .reading = out};
	bool missing;
	*out = (struct reading){false, 0};
	return sandbox_call(x->lua->box, metric_body, &c, &missing, e) || missing;
}

struct asked_verdict {
	struct lua_invocation call;
	char *out;
	size_t size;
};

static int verdict_body(lua_State *L)
{
	struct asked_verdict *a = lua_touserdata(L, 1);
	lua_call_begin(L, &a->call);
	lua_call_push_root(&a->call, "verdict");
	call_measured(L, &a->call);
	if (!lua_isnil(L, -1))
		fields_read_text(&a->call.f, "verdict", a->out, a->size);
	return 0;
}

bool definition_eval_verdict(
	struct experiment *x, const double *values, const struct metric_input *m, char *out, size_t size, struct err *e)
{
	struct asked_verdict a = {{.x = x, .values = values, .measured = m}, out, size};
	bool missing;
	*out = 0;
	return sandbox_call(x->lua->box, verdict_body, &a, &missing, e) || missing;
}
