/* Evaluates how a point is sampled and verified: counters, launches per sample, work, tolerances. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "experiments/definition/lua/lua_evaluate.h"

enum { LAUNCHES_MAX = 100000 };

static bool is_counter_name(const char *name)
{
	while (isalnum((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

static void eval_counters(const struct lua_invocation *c)
{
	static const char *const none[] = {NULL};
	struct evaluation *o = c->out;
	char at[FIELD_PATH];
	lua_State *L = c->f.L;
	if (!lua_call_push_field(c, "counters"))
		return;
	fields_check_type(&c->f, "counters", LUA_TTABLE, "{ \"SQ_INSTS_VALU\" }");
	fields_check_names(&c->f, "counters", none, DEF_COUNTERS);
	for (int i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
		fields_read_text(&c->f, fields_index_path(at, "counters", i), o->counters[o->counter_count],
			sizeof o->counters[0]);
		if (!*o->counters[o->counter_count] || !is_counter_name(o->counters[o->counter_count]))
			fields_raise_error(&c->f, at, "invalid counter name '%s'; write for example \"SQ_INSTS_VALU\"",
				o->counters[o->counter_count]);
		o->counter_count++;
		lua_pop(L, 1);
	}
	lua_pop(L, 2); /* the nil and the list */
}

static void eval_launch_count(const struct lua_invocation *c)
{
	double *n = &c->out->launches;
	*n = 1;
	lua_call_number(c, "", "launches", n);
	if (*n < 1 || *n > LAUNCHES_MAX || *n != floor(*n))
		fields_raise_error(&c->f, "launches",
			"invalid number of launches per sample: %.17g; use a whole number from 1 to %d", *n,
			LAUNCHES_MAX);
}

static void eval_work_amount(const struct lua_invocation *c)
{
	double *n = &c->out->work;
	*n = 0;
	if (lua_call_number(c, "", "work", n) && !(*n > 0))
		fields_raise_error(&c->f, "work", "invalid amount %.17g; use a number above 0, such as p.reads", *n);
}

/* `tolerance` of the table on top: a number for both relative and absolute tolerance, or a table with each kind. */
static bool eval_tolerance(const struct lua_invocation *c, const char *base, struct compare_tolerance *out)
{
	static const char *const known[] = {"relative", "absolute", "ulp", NULL};
	char at[FIELD_PATH];
	fields_join_path(at, base, "tolerance");
	if (!lua_call_push_field(c, "tolerance"))
		return false;
	if (lua_istable(c->f.L, -1)) {
		fields_check_names(&c->f, at, known, 0);
		out->relative = fields_read_number_field(&c->f, at, "relative", "", 0);
		out->absolute = fields_read_number_field(&c->f, at, "absolute", "", 0);
		out->ulp = fields_read_number_field(&c->f, at, "ulp", "", 0);
	} else {
		out->relative = out->absolute = fields_read_number(&c->f, at, "");
	}
	if (out->relative < 0 || out->absolute < 0 || out->ulp < 0)
		fields_raise_error(&c->f, at, "negative; use 0 or more");
	lua_pop(c->f.L, 1);
	return true;
}

static void eval_tolerances(const struct lua_invocation *c)
{
	const struct lua_definition *d = c->x->lua;
	struct compare_tolerance all = {0};
	char path[FIELD_PATH];
	eval_tolerance(c, "", &all);
	for (int i = 0; i < d->buffer_count; i++) {
		c->out->tolerance[i] = all;
		lua_getfield(c->f.L, -1, "buffers");
		lua_getfield(c->f.L, -1, d->buffers[i].id);
		struct compare_tolerance own = {0};
		if (eval_tolerance(c, fields_join_path(path, "buffers", d->buffers[i].id), &own))
			c->out->tolerance[i] = own;
		lua_pop(c->f.L, 2);
	}
}

void lua_eval_sampling(const struct lua_invocation *c)
{
	lua_pushvalue(c->f.L, ROOT);
	eval_counters(c);
	eval_launch_count(c);
	eval_work_amount(c);
	eval_tolerances(c);
	lua_pop(c->f.L, 1);
}
