/* A Lua state for untrusted definitions: they can only compute. No files, modules or code from text; instructions,
 * CPU time and memory are limited. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_SANDBOX_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_SANDBOX_H

#include <lua.h>
#include <stdbool.h>

#include "base/err.h"

struct sandbox;

/* `path` names the file in messages. NULL if out of memory. */
struct sandbox *sandbox_open(const char *path);
void sandbox_close(struct sandbox *s);

/* Compiles and runs `text`, then calls `keep` protected, with the result at index 1 and `ctx`, a light userdata, at 2.
 */
bool sandbox_load(struct sandbox *s, const char *text, size_t len, lua_CFunction keep, void *ctx, struct err *e);
/* Sets a global function with `ctx`, a light userdata, as its upvalue 1; NULL removes it. */
void sandbox_set_function(struct sandbox *s, const char *name, lua_CFunction function, void *ctx);
/* Runs `body` protected, within the budget of one call, with `ctx` as a light userdata at index 1. `missing` (may be
 * NULL) is set if a missing reading ended it; then the result is false and `e` is unchanged. */
bool sandbox_call(struct sandbox *s, lua_CFunction body, void *ctx, bool *missing, struct err *e);
/* The same inside a protected body, which goes on after an error: for the function on the stack below its arguments,
 * which are removed. It has a budget of its own. */
bool sandbox_call_inside(lua_State *L, int arguments, bool *missing, struct err *e);

/* CPU time of slow calls counts against a limit for the whole sweep; this sets it back. */
void sandbox_begin_sweep(struct sandbox *s);
/* Ends calls of all definitions once `is_due` returns true, which is asked every few instructions. NULL: never.
 * The error has the status ST_INTERRUPTED. */
void sandbox_stop_when(bool (*is_due)(void *ctx), void *ctx);

/* Inside a protected body: instructions until the budget of the call is used. */
long sandbox_budget_left(lua_State *L);

/* The file's name as Lua puts it in front of messages: "name.lua". */
const char *sandbox_chunk(const struct sandbox *s);
/* Inside a protected body: ends it because a reading is missing. */
int sandbox_raise_missing(lua_State *L);

#endif
