/* What a definition says its hot loop, or the whole kernel, must contain. */
#include "experiments/definition/lua/lua_evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A place that instructions are counted in, by its field's name, which the worker knows, too; `path` is the field's. */
struct place {
	const char *name, *path;
};

static struct contract_line *new_line(
	const struct lua_invocation *c, const char *path, const struct place *where, const char *isa)
{
	if (c->out->contract_count == DEF_CONTRACT)
		fields_raise_error(&c->f, path, "there are more than %d lines", DEF_CONTRACT);
	struct contract_line *line = &c->out->contract[c->out->contract_count++];
	snprintf(line->isa, sizeof line->isa, "%s", isa);
	line->where = where->name;
	line->count = -1;
	return line;
}

/* One line on top: { "global_load_dword", count = 1 } or { loads = "global_load_dword", count = 1 }. */
static void read_contract_line(
	const struct lua_invocation *c, const char *path, const struct place *where, const char *isa)
{
	static const char *const known[] = {"loads", "stores", "instruction", "count", NULL};
	char at[FIELD_PATH];
	struct contract_line *line = new_line(c, path, where, isa);
	fields_check_type(&c->f, path, LUA_TTABLE, "{ \"global_load_dword\", count = 1 }");
	fields_check_names(&c->f, path, known, 1);
	lua_rawgeti(c->f.L, -1, 1);
	for (int i = 0; i < 3 && lua_isnil(c->f.L, -1); i++) {
		lua_pop(c->f.L, 1);
		lua_getfield(c->f.L, -1, known[i]);
	}
	if (lua_isnil(c->f.L, -1))
		fields_raise_error(&c->f, path, "names no instruction; write { \"global_load_dword\", count = 1 }");
	fields_read_text(&c->f, path, line->instruction, sizeof line->instruction);
	lua_pop(c->f.L, 1);
	double count = fields_read_number_field(&c->f, path, "count", "", -1);
	if (count < -1 || count > 100000 || count != floor(count))
		fields_raise_error(&c->f, fields_join_path(at, path, "count"), "a whole number from 0 is wanted");
	line->count = (int)count;
}

/* A table is one line when its first element is no table, and a list of lines otherwise. */
static void read_place(const struct lua_invocation *c, const struct place *where, const char *isa)
{
	char at[FIELD_PATH];
	lua_State *L = c->f.L;
	fields_check_type(&c->f, where->path, LUA_TTABLE, "{ { \"global_load_dword\", count = 1 } }");
	int count = (int)lua_rawlen(L, -1);
	bool list = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
	lua_pop(L, 1);
	if (!list) {
		read_contract_line(c, where->path, where, isa);
		return;
	}
	for (int i = 1; i <= count; i++) {
		lua_rawgeti(L, -1, i);
		read_contract_line(c, fields_index_path(at, where->path, i), where, isa);
		lua_pop(L, 1);
	}
}

void lua_eval_contract(const struct lua_invocation *c)
{
	static const char *const known[] = {"hot_loop", "kernel", "isa", NULL};
	static const struct place places[] = {{"hot_loop", "contract.hot_loop"}, {"kernel", "contract.kernel"}};
	char isa[16];
	c->out->contract_count = 0;
	lua_pushvalue(c->f.L, ROOT);
	if (lua_call_push_field(c, "contract")) {
		fields_check_type(&c->f, "contract", LUA_TTABLE, "{ hot_loop = { ... } }");
		fields_check_names(&c->f, "contract", known, 0);
		if (!fields_read_text_field(&c->f, "contract", "isa", isa, sizeof isa, false))
			snprintf(isa, sizeof isa, "gfx9");
		for (size_t i = 0; i < sizeof places / sizeof *places; i++)
			if (lua_call_push_field(c, places[i].name)) {
				read_place(c, &places[i], isa);
				lua_pop(c->f.L, 1);
			}
		lua_pop(c->f.L, 1);
	}
	lua_pop(c->f.L, 1);
}
