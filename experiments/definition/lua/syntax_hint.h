/* What to correct where Lua's own message names only the token at which it gave up. */
#ifndef EXPERIMENTS_DEFINITION_LUA_SYNTAX_HINT_H
#define EXPERIMENTS_DEFINITION_LUA_SYNTAX_HINT_H

#include <lua.h>
#include <stddef.h>

/* Adds a hint to the syntax error on top of the stack, if it is a common one. `text` is the file. */
void syntax_hint_append(lua_State *L, const char *text, size_t len);

#endif
