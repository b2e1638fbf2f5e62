/* Code shared by the definitions of a folder: shared("tiles") returns the table of tiles.shared.lua in the same folder.
 * Shared files are not experiments. They run in the definition's sandbox, within its budget, only while it loads. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_SHARED_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_SHARED_H

#include <lua.h>

/* The sandbox function `shared`; upvalue 1 is the struct experiment as a light userdata. Files that it reads become
 * part of the definition's hash. */
int lua_shared_function(lua_State *L);

#endif
