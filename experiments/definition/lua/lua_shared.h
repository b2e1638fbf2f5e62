/* What several definitions of a folder have in common: shared("tiles") is the table that tiles.shared.lua beside them
 * returns. Files of that name are no experiments. They run in the definition's own sandbox, within its budget, while it
 * is loaded and never later. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_SHARED_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_SHARED_H

#include <lua.h>

/* The function of the sandbox; upvalue 1 is the struct experiment as a light userdata. What it reads goes into the
 * definition's hash. */
int lua_shared_function(lua_State *L);

#endif
