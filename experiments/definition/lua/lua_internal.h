/* Lua's own headers, for experiments/lua_*.c only: the sandbox, and the reading and calling of definitions. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_INTERNAL_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>

#endif
