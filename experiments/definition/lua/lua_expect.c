/* Calls the functions of `reference = { expect = ... }` for elements of the buffers: all of a small buffer, otherwise
 * the first, the last and others between them, the same in every run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/lua/lua_call.h"
#include "experiments/definition/lua/lua_evaluate.h"
#include "experiments/definition/lua/lua_sandbox.h"
#include "gpu/protocol/base64.h"

enum { BUDGET = 1000 * 1000 /* instructions for all elements of a point: about 10 ms */, ELEMENT_MAX = 16 };

struct expected_sample {
	size_t at;
	unsigned char value[ELEMENT_MAX];
};

struct expected_call {
	struct lua_invocation call;
	const struct evaluation *point;
	json_t *list;
	struct expected_sample samples[EXPECTED_MAX];
	size_t count;
};

/* --- inputs: a buffer before the launch --- */
/* Owned by Lua, because a definition may keep it. */
struct input_buffer {
	char name[32];
	const struct element_type *type;
	struct fill_rule fill;
	size_t count;
};

static void push_component(lua_State *L, const struct element_type *t, const char *component)
{
	if (t->kind == ELEMENT_FLOAT)
		lua_pushnumber(L, element_type_load(t, component));
	else
		lua_pushinteger(L, element_type_load_integer(t, component));
}

/* A number, or a list of a vector's components. */
static void push_element(lua_State *L, const struct element_type *t, const char *element)
{
	size_t parts = t->size / t->part;
	if (parts == 1) {
		push_component(L, t, element);
		return;
	}
	lua_createtable(L, (int)parts, 0);
	for (size_t i = 0; i < parts; i++) {
		push_component(L, t, element + i * t->part);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static int read_input_element(lua_State *L)
{
	const struct input_buffer *b = lua_touserdata(L, 1);
	char element[ELEMENT_MAX];
	int whole;
	lua_Integer i = lua_tointegerx(L, 2, &whole);
	if (!whole)
		return luaL_error(
			L, "inputs.%s[%s]: an element has a whole number, from 0", b->name, luaL_tolstring(L, 2, NULL));
	if (i < 0 || (size_t)i >= b->count)
		return luaL_error(
			L, "inputs.%s[%I]: the buffer has elements 0 to %I", b->name, i, (lua_Integer)b->count - 1);
	size_t parts = b->type->size / b->type->part;
	fill_store(b->type, &b->fill, element, (size_t)i * parts, parts);
	push_element(L, b->type, element);
	return 1;
}

static int count_input_elements(lua_State *L)
{
	const struct input_buffer *b = lua_touserdata(L, 1);
	lua_pushinteger(L, (lua_Integer)b->count);
	return 1;
}

static void push_input(const struct lua_invocation *c, const struct evaluation *point, int i)
{
	static const char key;
	lua_State *L = c->f.L;
	const struct buffer_def *def = &c->x->lua->buffers[i];
	struct input_buffer *b = lua_newuserdatauv(L, sizeof *b, 0);
	*b = (struct input_buffer){.type = def->type, .count = (size_t)point->count[i]};
	snprintf(b->name, sizeof b->name, "%s", def->id);
	definition_parse_fill(def, point, i, &b->fill, NULL); /* it was checked with the buffers */
	if (!lua_push_kept_metatable(L, &key)) {
		lua_pushcfunction(L, read_input_element);
		lua_setfield(L, -2, "__index");
		lua_pushcfunction(L, count_input_elements);
		lua_setfield(L, -2, "__len");
	}
	lua_setmetatable(L, -2);
}

static const struct index_function no_buffer = {lua_raise_no_field, "buffer"};

static void push_inputs(const struct lua_invocation *c, const struct evaluation *point)
{
	lua_State *L = c->f.L;
	lua_createtable(L, 0, c->x->lua->buffer_count);
	for (int i = 0; i < c->x->lua->buffer_count; i++) {
		push_input(c, point, i);
		lua_setfield(L, -2, c->x->lua->buffers[i].id);
	}
	lua_set_index_function(L, &no_buffer);
}

/* --- the result: an element of a buffer --- */
static void read_component(
	const struct lua_fields *f, const char *path, const struct element_type *t, size_t at, void *out)
{
	int whole;
	lua_State *L = f->L;
	if (lua_type(L, -1) != LUA_TNUMBER)
		fields_raise_error(
			f, path, "%s for element %zu; return a number for each element", luaL_typename(L, -1), at);
	double number = lua_tonumber(L, -1);
	if (!isfinite(number))
		fields_raise_error(
			f, path, "%s for element %zu; return a finite number", isnan(number) ? "NaN" : "infinity", at);
	if (t->kind == ELEMENT_FLOAT) {
		element_type_store_float(t, number, out);
		return;
	}
	lua_Integer integer = lua_tointegerx(L, -1, &whole);
	if (!whole)
		fields_raise_error(f, path,
			"%.17g for element %zu is not a whole number, but %s needs one; divide with //", number, at,
			t->name);
	element_type_store_integer(t, integer, out);
}

static void read_element(
	const struct lua_fields *f, const char *path, const struct element_type *t, size_t at, unsigned char *out)
{
	size_t parts = t->size / t->part;
	if (parts == 1) {
		read_component(f, path, t, at, out);
		return;
	}
	if (!lua_istable(f->L, -1) || lua_rawlen(f->L, -1) != parts)
		fields_raise_error(f, path, "%s needs a list of %zu numbers for element %zu", t->name, parts, at);
	for (size_t i = 0; i < parts; i++) {
		lua_rawgeti(f->L, -1, (lua_Integer)i + 1);
		read_component(f, path, t, at, out + i * t->part);
		lua_pop(f->L, 1);
	}
}

/* --- which elements --- */
/* SplitMix64's finalizer: elements at equal distances would all be at the same place of a workgroup. */
static uint64_t scatter(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* The buffer is divided into `parts` parts, with one element of each. */
static size_t choose_element(size_t count, size_t parts, size_t part)
{
	size_t from = (size_t)((unsigned __int128)count * part / parts);
	size_t to = (size_t)((unsigned __int128)count * (part + 1) / parts);
	if (!part)
		return 0;
	return part + 1 == parts ? count - 1 : from + scatter(part) % (to - from);
}

/* The parts in an order in which any beginning covers the buffer: the ends, then others by their reversed bits. */
static size_t order_part(size_t parts, size_t nth)
{
	if (parts < EXPECTED_MAX)
		return nth == 1 ? parts - 1 : nth > 1 ? nth - 1 : 0;
	size_t reversed = 0;
	if (nth < 2)
		return nth ? parts - 1 : 0;
	for (size_t bit = 1, to = EXPECTED_MAX / 2; to; bit *= 2, to /= 2)
		reversed |= (nth - 1) & bit ? to : 0;
	return reversed;
}

static int compare_samples(const void *a, const void *b)
{
	size_t x = ((const struct expected_sample *)a)->at, y = ((const struct expected_sample *)b)->at;
	return (x > y) - (x < y);
}

/* --- a buffer --- */
/* Stack: the functions below the inputs. Long functions are called for fewer elements. */
static void eval_elements(struct expected_call *x, const char *path, const struct element_type *t, size_t count)
{
	lua_State *L = x->call.f.L;
	size_t parts = count < EXPECTED_MAX ? count : EXPECTED_MAX;
	long left = sandbox_budget_left(L), most = 0, end = left - BUDGET / x->call.x->lua->buffer_count;
	for (x->count = 0; x->count < parts && (x->count < 2 || left - most > end); x->count++) {
		struct expected_sample *s = &x->samples[x->count];
		s->at = choose_element(count, parts, order_part(parts, x->count));
		lua_getfield(L, -2, strrchr(path, '.') + 1);
		lua_pushinteger(L, (lua_Integer)s->at);
		lua_pushvalue(L, -3);
		lua_pushvalue(L, P);
		lua_pushvalue(L, V);
		lua_call(L, 4, 1);
		read_element(&x->call.f, path, t, s->at, s->value);
		lua_pop(L, 1);
		long now = sandbox_budget_left(L);
		most = left - now > most ? left - now : most;
		left = now;
	}
	qsort(x->samples, x->count, sizeof *x->samples, compare_samples);
}

static void add_expected(struct expected_call *x, const char *name, const struct element_type *t)
{
	char *bytes = xmalloc(x->count * t->size), *text;
	json_t *at = json_array();
	for (size_t i = 0; i < x->count; i++) {
		json_array_append_new(at, json_integer((json_int_t)x->samples[i].at));
		memcpy(bytes + i * t->size, x->samples[i].value, t->size);
	}
	text = base64_encode(bytes, x->count * t->size);
	json_array_append_new(x->list, json_pack("{s:s, s:o, s:s}", "buffer", name, "at", at, "values", text));
	free(text);
	free(bytes);
}

static int expect_body(lua_State *L)
{
	struct expected_call *x = lua_touserdata(L, 1);
	char path[FIELD_PATH];
	lua_call_begin(L, &x->call);
	lua_call_push_root(&x->call, "reference");
	lua_getfield(L, -1, "expect");
	push_inputs(&x->call, x->point);
	for (int i = 0; i < x->call.x->lua->buffer_count; i++) {
		const struct buffer_def *b = &x->call.x->lua->buffers[i];
		bool there = lua_getfield(L, -2, b->id) != LUA_TNIL;
		lua_pop(L, 1);
		if (!there)
			continue;
		eval_elements(
			x, fields_join_path(path, "reference.expect", b->id), b->type, (size_t)x->point->count[i]);
		add_expected(x, b->id, b->type);
	}
	return 0;
}

json_t *definition_eval_expected(
	const struct experiment *x, const double *values, const struct evaluation *point, struct err *e)
{
	struct expected_call *call = xcalloc(1, sizeof *call);
	call->call = (struct lua_invocation){.x = (struct experiment *)x, .values = values};
	call->point = point;
	call->list = json_array();
	bool ok = sandbox_call(x->lua->box, expect_body, call, NULL, e);
	json_t *list = call->list;
	free(call);
	if (ok)
		return list;
	json_decref(list);
	return NULL;
}
