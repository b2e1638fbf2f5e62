/* Evaluates `captured`: the captured launch that runs again, and the constants of the device that are changed for it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/definition/lua/lua_evaluate.h"

/* The table on top: { l1_bytes = 65536 }. Their names are checked by the worker, which knows the model. */
static void read_constants(const struct lua_invocation *c, const char *path)
{
	char at[FIELD_PATH], *out = c->out->constants;
	size_t used = 0, size = sizeof c->out->constants;
	lua_State *L = c->f.L;
	fields_check_type(&c->f, path, LUA_TTABLE, "{ l1_bytes = p.l1_bytes }");
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
		double value = fields_read_number(&c->f, fields_join_path(at, path, name), "");
		if (!is_c_identifier(name) || value != floor(value))
			fields_raise_error(&c->f, at, "expected the name of a constant and a whole number");
		used += (size_t)snprintf(out + used, size - used, "%s%s=%.0f", used ? "," : "", name, value);
		if (used >= size)
			fields_raise_error(&c->f, path, "too many constants");
		lua_pop(L, 1);
	}
}

void lua_eval_captured(const struct lua_invocation *c)
{
	static const char *const known[] = {"launch", "constants", "caches", NULL};
	char caches[16];
	if (!c->x->lua->captured)
		return;
	lua_call_push_root(c, "captured");
	lua_pushvalue(c->f.L, P);
	lua_call(c->f.L, 1, 1);
	fields_check_type(&c->f, "captured", LUA_TTABLE, "return { launch = \"1.launch\" }");
	fields_check_names(&c->f, "captured", known, 0);
	fields_read_text_field(&c->f, "captured", "launch", c->out->captured, sizeof c->out->captured, true);
	if (fields_read_text_field(&c->f, "captured", "caches", caches, sizeof caches, false)) {
		c->out->warm = !strcmp(caches, "warm");
		if (!c->out->warm && strcmp(caches, "captured"))
			fields_raise_error(&c->f, "captured.caches", "use \"captured\" or \"warm\"");
	}
	if (fields_push_named(&c->f, "constants")) {
		read_constants(c, "captured.constants");
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}
