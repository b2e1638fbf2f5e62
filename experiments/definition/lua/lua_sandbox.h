/* A Lua state in which a stranger's definition can do nothing but compute: no files, no modules, no code from text;
 * instructions, time and memory are bounded. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_SANDBOX_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_SANDBOX_H

#include <lua.h>
#include <stdbool.h>

#include "base/err.h"

struct sandbox;

/* `path` names the file in messages. NULL when there is no memory for a state. */
struct sandbox *sandbox_open(const char *path);
void sandbox_close(struct sandbox *s);

/* Loads the file's `text` and runs it; `keep` is called protected with its one result at index 1 and `ctx`, a light
 * userdata, at 2. */
bool sandbox_load(struct sandbox *s, const char *text, size_t len, lua_CFunction keep, void *ctx, struct err *e);
/* A global function with `ctx`, a light userdata, as its upvalue 1; NULL takes it away. */
void sandbox_set_function(struct sandbox *s, const char *name, lua_CFunction function, void *ctx);
/* Runs `body` protected, within the budget of one call; it gets `ctx` as a light userdata at index 1. `missing` (may be
 * NULL) tells that it ended because a reading was used that is not there: then false is returned and `e` is left alone.
 */
bool sandbox_call(struct sandbox *s, lua_CFunction body, void *ctx, bool *missing, struct err *e);

/* Inside a protected body: the file's name as Lua puts it in front of a message ("name.lua"). */
const char *sandbox_chunk(const struct sandbox *s);
/* Inside a protected body: ends it with `missing`. */
int sandbox_raise_missing(lua_State *L);

#endif
