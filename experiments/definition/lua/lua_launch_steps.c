/* Evaluates `steps`: copies, launches and waits on streams. */
#include <math.h>
#include <string.h>

#include "experiments/definition/lua/lua_evaluate.h"
#include "experiments/definition/lua/lua_load.h"
#include "gpu/protocol/job_record.h"

static void set_json_number(json_t *o, const char *key, double v)
{
	json_object_set_new(o, key, json_exact_number(v));
}

/* A whole number in a field of the table on top. */
static double read_whole_number(
	const struct lua_invocation *c, const char *path, const char *name, double fallback, double most)
{
	char at[FIELD_PATH];
	double v = fields_read_number_field(&c->f, path, name, "", fallback);
	if (v < 0 || v > most || v != floor(v))
		fields_raise_error(&c->f, fields_join_path(at, path, name),
			"invalid value %.17g; use a whole number from 0 to %.0f", v, most);
	return v;
}

static int read_buffer_name(const struct lua_invocation *c, const char *path)
{
	char at[FIELD_PATH], name[40];
	fields_read_text_field(&c->f, path, "buffer", name, sizeof name, true);
	return definition_find_buffer(&c->f, c->x->lua, fields_join_path(at, path, "buffer"), name);
}

static void read_copy_step(const struct lua_invocation *c, const char *path, json_t *out)
{
	char at[FIELD_PATH], direction[16];
	int i = read_buffer_name(c, path);
	double size = c->out->count[i] * (double)c->x->lua->buffers[i].type->size;
	fields_read_text_field(&c->f, path, "copy", direction, sizeof direction, true);
	if (strcmp(direction, "to_device") && strcmp(direction, "to_host"))
		fields_raise_error(&c->f, fields_join_path(at, path, "copy"),
			"unknown direction '%s'; use \"to_device\" or \"to_host\"", direction);
	double offset = read_whole_number(c, path, "offset", 0, 0x1p52),
	       bytes = read_whole_number(c, path, "bytes", size - offset, 0x1p52);
	if (bytes < 1 || offset + bytes > size)
		fields_raise_error(&c->f, path, "copies bytes %.0f to %.0f of '%s', which has %.0f bytes", offset,
			offset + bytes, c->x->lua->buffers[i].id, size);
	json_object_set_new(out, "copy", json_string(direction));
	json_object_set_new(out, "buffer", json_string(c->x->lua->buffers[i].id));
	set_json_number(out, "offset", offset);
	set_json_number(out, "bytes", bytes);
}

static void read_arg_override(const struct lua_invocation *c, const char *at, int arg, json_t *list)
{
	const struct declaration *d = &c->x->lua->args[arg].decl;
	double v = fields_read_number(&c->f, at, "");
	bool integer = d->of->kind != ELEMENT_FLOAT;
	if (integer && (v != floor(v) || !declaration_fits_value(d, (int64_t)v)))
		fields_raise_error(&c->f, at, "%.17g does not fit '%s %s'", v, d->type, d->name);
	json_t *one = json_pack("{s:i}", "arg", arg);
	if (integer)
		json_object_set_new(one, "value", json_integer((json_int_t)v));
	else
		json_object_set_new(one, "value", json_real(v));
	json_array_append_new(list, one);
}

/* Scalar arguments with a different value in this launch. */
static void read_arg_overrides(const struct lua_invocation *c, const char *path, json_t *out)
{
	const struct lua_definition *d = c->x->lua;
	const char *names[DEF_ARGS + 1] = {NULL};
	char values[FIELD_PATH], at[FIELD_PATH];
	int count = 0;
	if (!fields_push_named(&c->f, "values"))
		return;
	json_t *list = json_array();
	json_object_set_new(out, "values", list);
	fields_join_path(values, path, "values");
	fields_check_type(&c->f, values, LUA_TTABLE, "{ offset = 1024 }");
	for (int i = 0; i < d->arg_count; i++)
		if (d->args[i].buffer < 0)
			names[count++] = d->args[i].decl.name;
	fields_check_names(&c->f, values, names, 0);
	for (int i = 0; i < d->arg_count; i++)
		if (d->args[i].buffer < 0 && fields_push_named(&c->f, d->args[i].decl.name)) {
			read_arg_override(c, fields_join_path(at, values, d->args[i].decl.name), i, list);
			lua_pop(c->f.L, 1);
		}
	lua_pop(c->f.L, 1);
}

static void read_step_shape(
	const struct lua_invocation *c, const char *path, const char *name, const double fallback[3], json_t *out)
{
	double shape[3];
	json_t *list = json_array();
	json_object_set_new(out, name, list);
	memcpy(shape, fallback, sizeof shape);
	if (fields_push_named(&c->f, name)) {
		char at[FIELD_PATH];
		lua_read_shape(c, fields_join_path(at, path, name), shape);
		lua_pop(c->f.L, 1);
	}
	for (int i = 0; i < 3; i++)
		json_array_append_new(list, json_integer((json_int_t)shape[i]));
}

static void read_call_step(const struct lua_invocation *c, const char *path, json_t *out)
{
	char at[FIELD_PATH], name[64];
	struct err e;
	enum library_call call;
	struct arg_type types[DEF_ARGS];
	const struct lua_definition *d = c->x->lua;
	fields_read_text_field(&c->f, path, "call", name, sizeof name, true);
	for (int i = 0; i < d->arg_count; i++)
		types[i] = (struct arg_type){d->args[i].decl.of, d->args[i].buffer >= 0};
	if (!library_call_find(name, &call, &e) || !library_call_check(call, types, d->arg_count, &e))
		fields_raise_error(&c->f, fields_join_path(at, path, "call"), "%s", e.text);
	json_object_set_new(out, "call", json_string(name));
}

static void read_launch_step(const struct lua_invocation *c, const char *path, json_t *out)
{
	static const char *const known[] = {"copy", "buffer", "bytes", "offset", "stream", "launch", "grid", "block",
		"values", "call", "wait", NULL};
	fields_check_type(&c->f, path, LUA_TTABLE, "{ copy = \"to_device\", buffer = \"in\", stream = 0 }");
	fields_check_names(&c->f, path, known, 0);
	lua_getfield(c->f.L, -1, "copy");
	lua_getfield(c->f.L, -2, "launch");
	lua_getfield(c->f.L, -3, "wait");
	lua_getfield(c->f.L, -4, "call");
	bool copies = !lua_isnil(c->f.L, -4), launches = lua_toboolean(c->f.L, -3), waits = !lua_isnil(c->f.L, -2),
	     calls = !lua_isnil(c->f.L, -1);
	lua_pop(c->f.L, 4);
	if (copies + launches + waits + calls != 1)
		fields_raise_error(&c->f, path,
			"needs exactly one of copy = \"to_device\" or \"to_host\", launch = true, call = \"FUNCTION\", wait = STREAM");
	set_json_number(out, "stream", read_whole_number(c, path, "stream", 0, STREAMS_MAX - 1));
	if (copies)
		read_copy_step(c, path, out);
	if (waits)
		set_json_number(out, "wait", read_whole_number(c, path, "wait", 0, STREAMS_MAX - 1));
	if (calls)
		read_call_step(c, path, out);
	if (!launches)
		return;
	if (!*c->out->file)
		fields_raise_error(&c->f, path, "launches, but the definition has no kernel");
	json_object_set_new(out, "launch", json_true());
	read_step_shape(c, path, "grid", c->out->grid, out);
	read_step_shape(c, path, "block", c->out->block, out);
	read_arg_overrides(c, path, out);
}

static void read_host_memory(const struct lua_invocation *c)
{
	struct evaluation *o = c->out;
	memcpy(o->host, "pinned", sizeof "pinned");
	lua_call_text(c, "", "host", o->host, sizeof o->host);
	if (strcmp(o->host, "pinned") && strcmp(o->host, "pageable"))
		fields_raise_error(
			&c->f, "host", "unknown kind of memory '%s'; use \"pinned\" or \"pageable\"", o->host);
}

void lua_eval_steps(const struct lua_invocation *c)
{
	static const char *const none[] = {NULL};
	char path[FIELD_PATH];
	lua_State *L = c->f.L;
	lua_pushvalue(L, ROOT);
	if (lua_call_push_field(c, "steps")) {
		fields_check_type(&c->f, "steps", LUA_TTABLE, "return { { copy = \"to_device\", buffer = \"in\" } }");
		fields_check_names(&c->f, "steps", none, STEPS_MAX);
		int count = (int)lua_rawlen(L, -1);
		if (!count)
			fields_raise_error(&c->f, "steps", "empty; give at least one step");
		c->out->steps = json_array();
		for (int i = 1; i <= count; i++) {
			json_t *one = json_object();
			json_array_append_new(c->out->steps, one);
			lua_rawgeti(L, -1, i);
			read_launch_step(c, fields_index_path(path, "steps", i), one);
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
		read_host_memory(c);
	}
	lua_pop(L, 1);
}
