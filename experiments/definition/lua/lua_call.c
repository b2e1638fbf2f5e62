#include "experiments/definition/lua/lua_call.h"

#include <math.h>
#include <string.h>

#include "experiments/definition/lua/lua_sandbox.h"

enum { NEAREST_OF = 48 };

int lua_raise_no_field(lua_State *L)
{
	const char *names[NEAREST_OF], *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	int count = 0;
	lua_pushnil(L);
	while (count < NEAREST_OF && lua_next(L, 1)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING)
			names[count++] = lua_tostring(L, -1);
	}
	const char *near = find_nearest_name(key, names, count);
	return luaL_error(L, "unknown %s '%s'%s%s%s", lua_tostring(L, lua_upvalueindex(1)), key,
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool lua_push_kept_metatable(lua_State *L, const void *key)
{
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
		return true;
	lua_pop(L, 1);
	lua_createtable(L, 0, 1);
	lua_pushvalue(L, -1);
	lua_rawsetp(L, LUA_REGISTRYINDEX, key);
	return false;
}

void lua_set_index_function(lua_State *L, const struct index_function *f)
{
	if (!lua_push_kept_metatable(L, f)) {
		lua_pushstring(L, f->what);
		lua_pushcclosure(L, f->index, 1);
		lua_setfield(L, -2, "__index");
	}
	lua_setmetatable(L, -2);
}

void lua_push_value(lua_State *L, double v)
{
	if (v == floor(v) && fabs(v) < 0x1p53)
		lua_pushinteger(L, (lua_Integer)v);
	else
		lua_pushnumber(L, v);
}

static const struct index_function no_parameter = {lua_raise_no_field, "parameter"};
const struct index_function lua_no_value = {lua_raise_no_field, "value"};

static void push_params(const struct lua_invocation *c)
{
	lua_State *L = c->f.L;
	lua_createtable(L, 0, c->x->param_count);
	for (int i = 0; i < c->x->param_count; i++) {
		const struct param *p = &c->x->params[i];
		if (p->kind == PARAM_STEP_CHOICE)
			lua_pushstring(L, p->choices[(int)c->values[i]]);
		else
			lua_push_value(L, c->values[i]);
		lua_setfield(L, -2, p->id);
	}
	lua_set_index_function(L, &no_parameter);
}

static void push_values(const struct lua_invocation *c)
{
	lua_State *L = c->f.L;
	lua_pushvalue(L, ROOT);
	bool there = fields_push_named(&c->f, "values");
	if (there) {
		lua_pushvalue(L, P);
		lua_call(L, 1, 1);
		fields_check_type(&c->f, "values", LUA_TTABLE, "return { stride = p.stride // 4 }");
	} else {
		lua_newtable(L);
	}
	lua_remove(L, -2);
	lua_set_index_function(L, &lua_no_value);
}

void lua_call_begin(lua_State *L, struct lua_invocation *c)
{
	lua_settop(L, 0);
	luaL_checkstack(L, 60, NULL);
	c->f = (struct lua_fields){L, sandbox_chunk(c->x->lua->box), c->x->lua->lines};
	lua_rawgeti(L, LUA_REGISTRYINDEX, c->x->lua->root);
	push_params(c);
	push_values(c);
}

/* Tables inside of a value are not copied. */
static void push_values_copy(lua_State *L)
{
	lua_newtable(L);
	lua_pushnil(L);
	while (lua_next(L, V)) {
		lua_pushvalue(L, -2);
		lua_insert(L, -2);
		lua_rawset(L, -4);
	}
	lua_getmetatable(L, V);
	lua_setmetatable(L, -2);
}

void lua_call_push_copies(const struct lua_invocation *c)
{
	lua_pushvalue(c->f.L, ROOT);
	push_params(c);
	push_values_copy(c->f.L);
}

bool lua_call_push_field(const struct lua_invocation *c, const char *name)
{
	lua_State *L = c->f.L;
	if (!fields_push_named(&c->f, name))
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

bool lua_call_text(const struct lua_invocation *c, const char *base, const char *name, char *out, size_t size)
{
	char at[FIELD_PATH];
	if (!lua_call_push_field(c, name))
		return false;
	fields_read_text(&c->f, fields_join_path(at, base, name), out, size);
	lua_pop(c->f.L, 1);
	return true;
}

bool lua_call_number(const struct lua_invocation *c, const char *base, const char *name, double *out)
{
	char at[FIELD_PATH];
	if (!lua_call_push_field(c, name))
		return false;
	*out = fields_read_number(&c->f, fields_join_path(at, base, name), "");
	lua_pop(c->f.L, 1);
	return true;
}

void lua_call_push_root(const struct lua_invocation *c, const char *name)
{
	lua_getfield(c->f.L, ROOT, name);
}
