#include "experiments/definition/lua/lua_shared.h"

#include <lauxlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/definition.h"

static const char *const name_letters =
	"abcdefghijklmnopqrstuvwxyz0123456789-_"; /* no dots or slashes, so the file is in the folder */

/* "FOLDER/NAME.shared.lua" in the definition's folder. The caller frees it. */
static char *shared_file_path(const char *definition, const char *name)
{
	const char *slash = strrchr(definition, '/');
	return xasprintf("%.*s%s" SHARED_SUFFIX, slash ? (int)(slash + 1 - definition) : 0, definition, name);
}

/* Pushes the compiled file, or a message. Holds no memory when a Lua error could skip the rest. */
static bool load_shared_file(lua_State *L, struct experiment *x, const char *name)
{
	struct err e;
	struct buf text = {0};
	char *path = shared_file_path(x->path, name), chunk[80];
	bool ok = definition_read_file(path, &text, &e);
	free(path);
	snprintf(chunk, sizeof chunk, "@%.50s" SHARED_SUFFIX, name);
	if (ok)
		ok = luaL_loadbufferx(L, text.data ? text.data : "", text.len, chunk, "t") == LUA_OK;
	else
		lua_pushstring(L, e.text);
	x->lua->hash = definition_update_hash(x->lua->hash, text.data ? text.data : "", text.len);
	buf_free(&text);
	return ok;
}

int lua_shared_function(lua_State *L)
{
	struct experiment *x = lua_touserdata(L, lua_upvalueindex(1));
	const char *name = luaL_checkstring(L, 1);
	if (!*name || strlen(name) > 50 || strspn(name, name_letters) != strlen(name))
		return luaL_error(L,
			"shared(\"%s\"): invalid name; use lower-case letters, digits, - and _: shared(\"tiles\") reads tiles" SHARED_SUFFIX,
			name);
	if (!load_shared_file(L, x, name))
		return lua_error(L);
	lua_call(L, 0, 1);
	if (!lua_istable(L, -1))
		return luaL_error(L, "%s" SHARED_SUFFIX " returns %s; it must return a table", name,
			lua_isnil(L, -1) ? "nothing" : luaL_typename(L, -1));
	return 1;
}
