/* Reads and checks fields of a definition. Each error ends the protected call with "file:line: field: what is wrong".
 */
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

/* Checks that the table on top has no keys except these and 1..positional. */
void fields_check_names(const struct lua_fields *f, const char *path, const char *const *names, int positional);
/* Pushes field `name` of the table on top; false, with nothing pushed, if it is nil. */
bool fields_push_named(const struct lua_fields *f, const char *name);
/* Checks the type of the value on top; `example` is a valid value. */
void fields_check_type(const struct lua_fields *f, const char *path, int type, const char *example);
/* Copies the text on top: one line of printable UTF-8 of at most size - 1 bytes. */
void fields_read_text(const struct lua_fields *f, const char *path, char *out, size_t size);
/* The number on top, or the value of a text with a unit. */
double fields_read_number(const struct lua_fields *f, const char *path, const char *unit);

/* The same for a field of the table on top. A nil field gives `fallback`, or an error if `required`. */
bool fields_read_text_field(
	const struct lua_fields *f, const char *base, const char *name, char *out, size_t size, bool required);
double fields_read_number_field(
	const struct lua_fields *f, const char *base, const char *name, const char *unit, double fallback);

#endif
