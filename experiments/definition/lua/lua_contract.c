/* Evaluates `contract`: the expected instructions of the hot loop, or of the whole kernel. */
#include "experiments/definition/lua/lua_evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A part of the code whose instructions are counted; the worker uses the same names. */
struct contract_scope {
	const char *name, *path;
};

static struct contract_line *add_contract_line(
	const struct lua_invocation *c, const char *path, const struct contract_scope *scope, const char *isa)
{
	if (c->out->contract_count == DEF_CONTRACT)
		fields_raise_error(&c->f, path, "too many lines; at most %d are allowed", DEF_CONTRACT);
	struct contract_line *line = &c->out->contract[c->out->contract_count++];
	snprintf(line->isa, sizeof line->isa, "%s", isa);
	line->where = scope->name;
	line->count = -1;
	return line;
}

/* One line on top: { "global_load_dword", count = 1 } or { loads = "global_load_dword", count = 1 }. */
static void read_contract_line(
	const struct lua_invocation *c, const char *path, const struct contract_scope *scope, const char *isa)
{
	static const char *const known[] = {"loads", "stores", "instruction", "count", NULL};
	char at[FIELD_PATH];
	struct contract_line *line = add_contract_line(c, path, scope, isa);
	fields_check_type(&c->f, path, LUA_TTABLE, "{ \"global_load_dword\", count = 1 }");
	fields_check_names(&c->f, path, known, 1);
	lua_rawgeti(c->f.L, -1, 1);
	for (int i = 0; i < 3 && lua_isnil(c->f.L, -1); i++) {
		lua_pop(c->f.L, 1);
		lua_getfield(c->f.L, -1, known[i]);
	}
	if (lua_isnil(c->f.L, -1))
		fields_raise_error(&c->f, path, "missing instruction; write { \"global_load_dword\", count = 1 }");
	fields_read_text(&c->f, path, line->instruction, sizeof line->instruction);
	lua_pop(c->f.L, 1);
	double count = fields_read_number_field(&c->f, path, "count", "", -1);
	if (count < -1 || count > 100000 || count != floor(count))
		fields_raise_error(&c->f, fields_join_path(at, path, "count"), "use a whole number of at least 0");
	line->count = (int)count;
}

/* The table is a single line if its first element is not a table, otherwise a list of lines. */
static void eval_contract_scope(const struct lua_invocation *c, const struct contract_scope *scope, const char *isa)
{
	char at[FIELD_PATH];
	lua_State *L = c->f.L;
	fields_check_type(&c->f, scope->path, LUA_TTABLE, "{ { \"global_load_dword\", count = 1 } }");
	int count = (int)lua_rawlen(L, -1);
	bool list = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
	lua_pop(L, 1);
	if (!list) {
		read_contract_line(c, scope->path, scope, isa);
		return;
	}
	for (int i = 1; i <= count; i++) {
		lua_rawgeti(L, -1, i);
		read_contract_line(c, fields_index_path(at, scope->path, i), scope, isa);
		lua_pop(L, 1);
	}
}

/* The table on top: { hot_loop = ..., kernel = ..., isa = "gfx9" }. */
static void eval_contract_of_isa(const struct lua_invocation *c, const char *path)
{
	static const char *const known[] = {"hot_loop", "kernel", "isa", NULL};
	static const struct contract_scope scopes[] = {
		{"hot_loop", "contract.hot_loop"}, {"kernel", "contract.kernel"}};
	char isa[16];
	fields_check_type(&c->f, path, LUA_TTABLE, "{ hot_loop = { ... } }");
	fields_check_names(&c->f, path, known, 0);
	if (!fields_read_text_field(&c->f, path, "isa", isa, sizeof isa, false))
		snprintf(isa, sizeof isa, "gfx9");
	for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
		if (lua_call_push_field(c, scopes[i].name)) {
			eval_contract_scope(c, &scopes[i], isa);
			lua_pop(c->f.L, 1);
		}
}

void lua_eval_contract(const struct lua_invocation *c)
{
	char at[FIELD_PATH];
	lua_State *L = c->f.L;
	c->out->contract_count = 0;
	lua_pushvalue(L, ROOT);
	if (lua_call_push_field(c, "contract")) {
		fields_check_type(&c->f, "contract", LUA_TTABLE, "{ hot_loop = { ... } }");
		int count = (int)lua_rawlen(L, -1); /* of a list, with a table for each instruction set */
		if (!count)
			eval_contract_of_isa(c, "contract");
		for (int i = 1; i <= count; i++) {
			lua_rawgeti(L, -1, i);
			eval_contract_of_isa(c, fields_index_path(at, "contract", i));
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}
