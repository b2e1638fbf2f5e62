/* Evaluates a metric or the verdict of a measured point: its readings become the table `m`. */
#include "experiments/definition/lua/lua_call.h"

#include <math.h>
#include <string.h>

#include "experiments/definition/lua/lua_sandbox.h"
#include "gpu/protocol/point_record.h"

/* --- readings: a missing one makes the metric invalid, an unknown one is an error --- */
static const char *const point_readings[] = {"seconds", "sclk", "mclk", "temp", "power", "counters", "code", "accepted",
	"wall_seconds", "difference", "launches", NULL};
static const char *const code_readings[] = {"vgprs", "sgprs", "lds_bytes", "scratch_bytes", "waves_per_simd",
	"waves_per_cu", "wave_size", "code_bytes", "instructions", "bytes", "valu", "salu", "smem", "vmem", "lds",
	"branch", "internal", "named", "loop", NULL};
#define UNKNOWN_READING "unknown reading" /* in the registry: a metric asked for one */
static const char *const difference_readings[] = {"unequal", "ulp", NULL};

static int count_reading_names(const char *const *names)
{
	int n = 0;
	while (names[n])
		n++;
	return n;
}

/* __index of m and m.code: upvalue 1 is the table's name, upvalue 2 the list of known readings. */
static int raise_missing_reading(lua_State *L)
{
	const char *const *names = lua_touserdata(L, lua_upvalueindex(2));
	const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], key))
			return sandbox_raise_missing(L);
	const char *near = find_nearest_name(key, names, count_reading_names(names));
	const char *of = lua_tostring(L, lua_upvalueindex(1));
	lua_pushboolean(L, true);
	lua_setfield(L, LUA_REGISTRYINDEX, UNKNOWN_READING);
	if (near)
		return luaL_error(L, "unknown reading '%s' in %s; did you mean '%s'?", key, of, near);
	lua_pushfstring(L, "unknown reading '%s'; %s has", key, of);
	for (int i = 0; names[i]; i++)
		lua_pushfstring(L, "%s %s", i ? "," : "", names[i]);
	lua_concat(L, 1 + count_reading_names(names));
	return luaL_error(L, "%s", lua_tostring(L, -1));
}

static void set_readings_index(lua_State *L, const char *of, const char *const *names)
{
	if (!lua_push_kept_metatable(L, names)) {
		lua_pushstring(L, of);
		lua_pushlightuserdata(L, (void *)names);
		lua_pushcclosure(L, raise_missing_reading, 2);
		lua_setfield(L, -2, "__index");
	}
	lua_setmetatable(L, -2);
}

static int push_zero_count(lua_State *L)
{
	lua_pushinteger(L, 0);
	return 1;
}

static const struct index_function no_buffer = {sandbox_raise_missing, "buffer"},
				   no_counter = {sandbox_raise_missing, "counter"},
				   no_instruction = {push_zero_count, "instruction"};

/* Pushes a table with the numbers of an object. */
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

/* Differences of each compared buffer; other buffers have none. */
static void push_difference(lua_State *L, const json_t *all)
{
	const char *name;
	json_t *one;
	lua_newtable(L);
	json_object_foreach((json_t *)all, name, one)
	{
		push_numbers(L, one);
		set_readings_index(L, "m.difference", difference_readings);
		lua_setfield(L, -2, name);
	}
	lua_set_index_function(L, &no_buffer);
}

/* Instruction counts of a kernel, and in `loop` those of its hot loop. */
static void push_code(lua_State *L, const json_t *code)
{
	const json_t *named = json_object_get(code, "named"), *loop = json_object_get(code, "loop");
	push_numbers(L, code);
	if (named) {
		push_numbers(L, named);
		lua_set_index_function(L, &no_instruction);
		lua_setfield(L, -2, "named");
	}
	if (loop) {
		push_code(L, loop);
		lua_setfield(L, -2, "loop");
	}
	set_readings_index(L, "m.code", code_readings);
}

static void set_reading_field(lua_State *L, const char *name, struct reading r, double factor)
{
	if (!r.valid)
		return;
	lua_pushnumber(L, r.value * factor);
	lua_setfield(L, -2, name);
}

static void push_measured(lua_State *L, const struct metric_input *m)
{
	struct clocks clocks = record_get_clocks(m->point);
	const json_t *code = point_get_code(m->point), *accepted = json_object_get(m->point, "accepted"),
		     *launches = json_object_get(m->point, "launches");
	lua_newtable(L);
	set_reading_field(L, "seconds", m->seconds, 1);
	set_reading_field(L, "wall_seconds", m->wall, 1);
	set_reading_field(L, "sclk", clocks.sclk_mhz, 1e6);
	set_reading_field(L, "mclk", clocks.mclk_mhz, 1e6);
	set_reading_field(L, "temp", clocks.temp_c, 1);
	set_reading_field(L, "power", clocks.power_w, 1);
	if (launches) {
		lua_pushinteger(L, json_integer_value(launches));
		lua_setfield(L, -2, "launches");
	}
	if (accepted) {
		lua_pushinteger(L, json_is_true(accepted));
		lua_setfield(L, -2, "accepted");
	}
	push_numbers(L, point_get_counters(m->point));
	lua_set_index_function(L, &no_counter);
	lua_setfield(L, -2, "counters");
	push_difference(L, json_object_get(m->point, "difference"));
	lua_setfield(L, -2, "difference");
	if (json_is_object(code)) {
		push_code(L, code);
		lua_setfield(L, -2, "code");
	}
	set_readings_index(L, "m", point_readings);
}

/* Parameters and values of the measured experiment. */
static void push_delegated_values(lua_State *L, const json_t *v)
{
	const char *name;
	json_t *value;
	push_numbers(L, v);
	json_object_foreach((json_t *)v, name, value) if (json_is_string(value))
	{
		lua_pushstring(L, json_string_value(value));
		lua_setfield(L, -2, name);
	}
	lua_set_index_function(L, &lua_no_value);
}

/* --- the call --- */
/* Calls the function on top with (m, p, v). */
static void call_with_readings(lua_State *L, const struct lua_invocation *c)
{
	push_measured(L, c->measured);
	lua_pushvalue(L, P);
	if (c->measured->v)
		push_delegated_values(L, c->measured->v);
	else
		lua_pushvalue(L, V);
	lua_call(L, 3, 1);
}

static int metric_body(lua_State *L)
{
	const struct lua_invocation *c = lua_touserdata(L, V + 1);
	char path[FIELD_PATH];
	lua_settop(L, V);
	luaL_checkstack(L, 60, NULL);
	lua_call_push_root(c, "metrics");
	lua_rawgeti(L, -1, c->metric + 1);
	lua_rawgeti(L, -1, 2);
	call_with_readings(L, c);
	if (lua_isnil(L, -1))
		return 0;
	if (lua_type(L, -1) != LUA_TNUMBER)
		fields_raise_error(&c->f, fields_index_path(path, "metrics", c->metric + 1),
			"expected a number, not a %s", luaL_typename(L, -1));
	double v = lua_tonumber(L, -1);
	if (!isfinite(v))
		fields_raise_error(&c->f, fields_index_path(path, "metrics", c->metric + 1),
			"returned %s (division by zero?)", isnan(v) ? "NaN" : "infinity");
	*c->reading = (struct reading){true, v};
	return 0;
}

struct metrics_call {
	struct lua_invocation call;
	const struct metric_input *inputs;
	int count;
	int first, end; /* the metrics to evaluate */
	struct reading (*out)[METRICS_MAX];
	struct err *e; /* of the first metric that fails, or NULL */
	bool ok;
};

static void eval_metric(lua_State *L, struct metrics_call *a)
{
	bool missing;
	lua_pushcfunction(L, metric_body);
	lua_call_push_copies(&a->call);
	lua_pushlightuserdata(L, &a->call);
	a->ok &= sandbox_call_inside(L, V + 1, &missing, a->ok ? a->e : NULL) || missing;
}

/* The values of the point are computed once for all of its metrics. */
static int metrics_body(lua_State *L)
{
	struct metrics_call *a = lua_touserdata(L, 1);
	lua_call_begin(L, &a->call);
	for (int k = 0; k < a->count && a->ok; k++)
		for (int i = a->first; i < a->end; i++) {
			a->call.metric = i;
			a->call.measured = &a->inputs[k];
			a->call.reading = &a->out[k][i];
			eval_metric(L, a);
		}
	return 0;
}

bool definition_eval_metrics(struct experiment *x, const double *values, const struct metric_input *inputs, int count,
	struct reading (*out)[METRICS_MAX], struct err *e)
{
	struct metrics_call a = {{.x = x, .values = values}, inputs, count, 0, x->metric_count, out, e, true};
	memset(out, 0, (size_t)count * sizeof *out);
	return sandbox_call(x->lua->box, metrics_body, &a, NULL, e) && a.ok;
}

bool definition_eval_metric(struct experiment *x, const double *values, int metric, const struct metric_input *m,
	struct reading *out, struct err *e)
{
	struct reading all[1][METRICS_MAX] = {{{0}}};
	struct metrics_call a = {{.x = x, .values = values}, m, 1, metric, metric + 1, all, e, true};
	bool ok = sandbox_call(x->lua->box, metrics_body, &a, NULL, e) && a.ok;
	*out = all[0][metric];
	return ok;
}

/* --- the names of readings, before anything is measured --- */
static json_t *made_code_readings(bool loop)
{
	json_t *o = json_object();
	for (int i = 0; code_readings[i]; i++)
		json_object_set_new(o, code_readings[i], json_integer(1));
	json_object_set_new(o, "named", json_object());
	json_object_del(o, "loop");
	if (loop)
		json_object_set_new(o, "loop", made_code_readings(false));
	return o;
}

static int clear_unknown_reading(lua_State *L)
{
	bool *was = lua_touserdata(L, 1);
	*was = lua_getfield(L, LUA_REGISTRYINDEX, UNKNOWN_READING) == LUA_TBOOLEAN;
	lua_pushnil(L);
	lua_setfield(L, LUA_REGISTRYINDEX, UNKNOWN_READING);
	return 0;
}

/* Other errors may come from the values, which are made up. */
bool definition_check_reading_names(struct experiment *x, const double *values, struct err *e)
{
	struct reading one = {true, 1}, out;
	struct err why = {.text = ""};
	bool unknown = false;
	json_t *code = made_code_readings(true);
	json_t *point = json_pack("{s:o, s:b}", "code", code, "accepted", 1);
	struct metric_input made = {one, one, point, NULL};
	for (int i = 0; i < x->metric_count && !unknown; i++)
		if (!definition_eval_metric(x, values, i, &made, &out, &why))
			sandbox_call(x->lua->box, clear_unknown_reading, &unknown, NULL, NULL);
	json_decref(point);
	return !unknown || err_set(e, why.status, "%s", why.text);
}

struct verdict_call {
	struct lua_invocation call;
	char *out;
	size_t size;
};

static int verdict_body(lua_State *L)
{
	struct verdict_call *a = lua_touserdata(L, 1);
	lua_call_begin(L, &a->call);
	lua_call_push_root(&a->call, "verdict");
	call_with_readings(L, &a->call);
	if (!lua_isnil(L, -1))
		fields_read_text(&a->call.f, "verdict", a->out, a->size);
	return 0;
}

bool definition_eval_verdict(
	struct experiment *x, const double *values, const struct metric_input *m, char *out, size_t size, struct err *e)
{
	struct verdict_call a = {{.x = x, .values = values, .measured = m}, out, size};
	bool missing;
	*out = 0;
	return sandbox_call(x->lua->box, verdict_body, &a, &missing, e) || missing;
}
