/* A metric of a measured point. */
#include "experiments/lua_call.h"

#include <math.h>
#include <string.h>

#include "experiments/lua_sandbox.h"

static int no_such_reading(lua_State *L)
{
	static const char *const readings[] = { "seconds", "sclk", "mclk", "temp", "power" };
	const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
		if (!strcmp(readings[i], key))
			return sandbox_raise_missing(L);
	return luaL_error(L, "there is no reading '%s'; m has seconds, sclk and mclk in Hz, temp, power and counters", key);
}

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
	lua_pushnumber(L, m->seconds);
	lua_setfield(L, -2, "seconds");
	set_reading(L, "sclk", m->clocks.sclk_mhz, 1e6);
	set_reading(L, "mclk", m->clocks.mclk_mhz, 1e6);
	set_reading(L, "temp", m->clocks.temp_c, 1);
	set_reading(L, "power", m->clocks.power_w, 1);
	lua_newtable(L);
	for (int i = 0; i < m->counter_count; i++) {
		call_push_number(L, m->counters[i].value);
		lua_setfield(L, -2, m->counters[i].name);
	}
	call_index(L, sandbox_raise_missing, "counter");
	lua_setfield(L, -2, "counters");
	call_index(L, no_such_reading, "reading");
}

static int metric_body(lua_State *L)
{
	struct call *c = lua_touserdata(L, 1);
	char path[FIELD_PATH];
	call_open(L, c);
	call_root(c, "metrics");
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
