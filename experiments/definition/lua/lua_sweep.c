/* Evaluates a default sweep that is a function of the parameters' defaults. */
#include <math.h>

#include "experiments/definition/lua/lua_call.h"
#include "experiments/definition/lua/lua_load.h"
#include "experiments/definition/lua/lua_sandbox.h"

struct sweep_call {
	struct lua_invocation call;
	double *list;
	int count;
};

/* Pushes the table of the swept parameter: parameters come first, in the order of the list. */
static void push_swept_param(const struct lua_invocation *c, char path[FIELD_PATH])
{
	char at[FIELD_PATH];
	lua_call_push_root(c, "params");
	lua_rawgeti(c->f.L, -1, c->x->x + 1);
	fields_join_path(path, fields_index_path(at, "params", c->x->x + 1), "sweep");
}

static int sweep_body(lua_State *L)
{
	struct sweep_call *s = lua_touserdata(L, 1);
	const struct param *p = &s->call.x->params[s->call.x->x];
	char path[FIELD_PATH], at[FIELD_PATH];
	lua_call_begin(L, &s->call);
	push_swept_param(&s->call, path);
	if (!lua_call_push_field(&s->call, "sweep"))
		fields_raise_error(&s->call.f, path, "returned nil; return a list of values");
	fields_check_type(&s->call.f, path, LUA_TTABLE, "return { 1, p.cus, 2 * p.cus }");
	s->count = (int)lua_rawlen(L, -1);
	if (s->count < 2 || s->count > SWEEP_LIST_MAX)
		fields_raise_error(&s->call.f, path, "returned %d values; return 2 to %d", s->count, SWEEP_LIST_MAX);
	for (int i = 0; i < s->count; i++) {
		lua_rawgeti(L, -1, i + 1);
		s->list[i] = definition_read_value(&s->call.f, fields_index_path(at, path, i + 1), p);
		if (p->whole && s->list[i] != floor(s->list[i]))
			fields_raise_error(&s->call.f, at, "not a whole number; divide with //");
		lua_pop(L, 1);
	}
	return 0;
}

bool definition_eval_sweep(
	struct experiment *x, const double *values, double list[SWEEP_LIST_MAX], int *count, struct err *e)
{
	struct sweep_call s = {{.x = x, .values = values}, list, 0};
	bool ok = sandbox_call(x->lua->box, sweep_body, &s, NULL, e);
	*count = s.count;
	return ok;
}
