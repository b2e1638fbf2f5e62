/* Calls into a definition, for a point's job or one of its metrics. Everything here runs inside a protected call. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_CALL_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_CALL_H

#include "experiments/definition/definition.h"
#include "experiments/definition/lua/lua_fields.h"

enum { ROOT = 1, P, V }; /* stack: the definition, the parameters, the values */

struct lua_invocation {
	struct experiment *x;
	const double *values;
	struct evaluation *out; /* result of evaluating a point */
	int metric;
	const struct metric_input *measured;
	struct reading *reading; /* result of a metric */
	struct lua_fields f;
};

/* Puts root, parameters and values at stack positions 1, 2 and 3. */
void lua_call_begin(lua_State *L, struct lua_invocation *c);
/* Pushes root, and parameters and values as they were at the beginning: for a function of its own (sandbox_call_inside)
 * that cannot change those of others. */
void lua_call_push_copies(const struct lua_invocation *c);
/* Pushes field `name` of the table on top, or the result if it is a function; false, with nothing pushed, if nil. */
bool lua_call_push_field(const struct lua_invocation *c, const char *name);
/* The same, read as a text or a number; `base` is the table's path. */
bool lua_call_text(const struct lua_invocation *c, const char *base, const char *name, char *out, size_t size);
bool lua_call_number(const struct lua_invocation *c, const char *base, const char *name, double *out);
/* Pushes a table of the root, which was checked when the file was loaded. */
void lua_call_push_root(const struct lua_invocation *c, const char *name);
/* An __index of tables that are made for each point; its upvalue 1 is `what`. Static: its address is its key. */
struct index_function {
	lua_CFunction index;
	const char *what;
};
/* Gives the table on top that __index. */
void lua_set_index_function(lua_State *L, const struct index_function *f);
/* Pushes the state's metatable for the key, which all tables share; false: it is new, and empty. Definitions cannot
 * reach a metatable. */
bool lua_push_kept_metatable(lua_State *L, const void *key);
/* An __index that raises an error for missing fields; `what` names the kind of field. */
int lua_raise_no_field(lua_State *L);
extern const struct index_function lua_no_value;
/* Pushes whole numbers as Lua integers, so that p.size // 4 is an integer too. */
void lua_push_value(lua_State *L, double v);

#endif
