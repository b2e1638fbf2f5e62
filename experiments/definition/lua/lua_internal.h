/* Lua's headers, only for the files of this folder. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_INTERNAL_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>

#endif
