/* Fields of a definition read with all checks: each mistake ends the protected body with "file:line: field: what was
 * expected". */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_FIELDS_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_FIELDS_H

#include <stdbool.h>

#include "experiments/definition/lua/lua_internal.h"
#include "experiments/definition/source_lines.h"

struct lua_fields {
	lua_State *L;
	const char *chunk; /* "name.lua" */
	const struct source_lines *lines;
};

enum { FIELD_PATH = 96 };

_Noreturn void fields_raise_error(const struct lua_fields *f, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* "base.name" */
const char *fields_join_path(char out[FIELD_PATH], const char *base, const char *name);
/* "base[i]" */
const char *fields_index_path(char out[FIELD_PATH], const char *base, int i);

/* The table on top has no other keys than these and 1..positional. */
void fields_check_names(const struct lua_fields *f, const char *path, const char *const *names, int positional);
/* Pushes field `name` of the table on top: false, and nothing pushed, when it is nil. */
bool fields_push_named(const struct lua_fields *f, const char *name);
/* What the value on top must be. */
void fields_check_type(const struct lua_fields *f, const char *path, int type, const char *example);
/* Copies the text on top: at most size - 1 bytes, one line of printable UTF-8. */
void fields_read_text(const struct lua_fields *f, const char *path, char *out, size_t size);
/* The number on top, or a text with a unit. */
double fields_read_number(const struct lua_fields *f, const char *path, const char *unit);

/* The same for a field of the table on top; `fallback` when it is nil, a defect when `required`. */
bool fields_read_text_field(
	const struct lua_fields *f, const char *base, const char *name, char *out, size_t size, bool required);
double fields_read_number_field(
	const struct lua_fields *f, const char *base, const char *name, const char *unit, double fallback);

#endif
