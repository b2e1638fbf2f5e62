/* Evaluates `measures`: the experiment whose point is measured, and the parameters to set. */
#include <string.h>

#include "experiments/definition/lua/lua_call.h"
#include "experiments/definition/lua/lua_sandbox.h"

struct delegation_call {
	struct lua_invocation call;
	struct delegation *out;
	json_t *values;
};

static json_t *read_scalar_json(lua_State *L, int at)
{
	if (lua_type(L, at) == LUA_TSTRING)
		return json_string(lua_tostring(L, at));
	if (lua_type(L, at) != LUA_TNUMBER)
		return NULL;
	return json_exact_number(lua_tonumber(L, at));
}

/* Adds the numbers and texts of the table on top to `out`. */
static void read_scalar_fields(lua_State *L, json_t *out)
{
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		json_t *value = lua_type(L, -2) == LUA_TSTRING ? read_scalar_json(L, -1) : NULL;
		if (value)
			json_object_set_new(out, lua_tostring(L, -2), value);
		lua_pop(L, 1);
	}
}

static int measures_body(lua_State *L)
{
	struct delegation_call *a = lua_touserdata(L, 1);
	const struct lua_fields *f = &a->call.f;
	lua_call_begin(L, &a->call);
	lua_call_push_root(&a->call, "measures");
	lua_pushvalue(L, P);
	lua_call(L, 1, 2);
	if (!lua_isnil(L, -1)) {
		fields_check_type(f, "measures", LUA_TTABLE, "return \"fma-waves\", { waves = 4 }");
		read_scalar_fields(L, a->out->params);
	}
	lua_pop(L, 1);
	fields_check_type(f, "measures", LUA_TSTRING, "return \"fma-waves\", { waves = 4 }");
	fields_read_text(f, "measures", a->out->id, sizeof a->out->id);
	return 0;
}

bool definition_eval_delegation(struct experiment *x, const double *values, struct delegation *out, struct err *e)
{
	struct delegation_call a = {.call = {.x = x, .values = values}, .out = out};
	*out = (struct delegation){.params = json_object()};
	if (sandbox_call(x->lua->box, measures_body, &a, NULL, e))
		return true;
	json_decref(out->params);
	out->params = NULL;
	return false;
}

static int values_body(lua_State *L)
{
	struct delegation_call *a = lua_touserdata(L, 1);
	lua_call_begin(L, &a->call);
	lua_settop(L, V);
	lua_pushvalue(L, P);
	read_scalar_fields(L, a->values);
	lua_pop(L, 1);
	read_scalar_fields(L, a->values); /* values override parameters, as for arguments */
	return 0;
}

json_t *definition_eval_values(struct experiment *x, const double *values, struct err *e)
{
	struct delegation_call a = {.call = {.x = x, .values = values}, .values = json_object()};
	if (sandbox_call(x->lua->box, values_body, &a, NULL, e))
		return a.values;
	json_decref(a.values);
	return NULL;
}
