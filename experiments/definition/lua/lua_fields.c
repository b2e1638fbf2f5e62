#include "experiments/definition/lua/lua_fields.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

_Noreturn void fields_raise_error(const struct lua_fields *f, const char *path, const char *fmt, ...)
{
	char text[400], place[16] = "";
	int line = source_line_of(f->lines, path);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (line)
		snprintf(place, sizeof place, "%d:", line);
	lua_pushfstring(f->L, "%s:%s %s%s%s", f->chunk, place, path, *path ? ": " : "", text);
	lua_error(f->L);
	abort(); /* lua_error does not return */
}

const char *fields_join_path(char out[FIELD_PATH], const char *base, const char *name)
{
	snprintf(out, FIELD_PATH, "%s%s%s", base, *base ? "." : "", name);
	return out;
}

const char *fields_index_path(char out[FIELD_PATH], const char *base, int i)
{
	snprintf(out, FIELD_PATH, "%s[%d]", base, i);
	return out;
}

static int count_names(const char *const *names)
{
	int n = 0;
	while (names[n])
		n++;
	return n;
}

static void unknown_key(const struct lua_fields *f, const char *path, const char *key, const char *const *names)
{
	char at[FIELD_PATH], all[200] = "";
	const char *near = find_nearest_name(key, names, count_names(names));
	fields_join_path(at, path, key);
	if (near)
		fields_raise_error(f, at, "there is no such field; did you mean '%s'?", near);
	for (size_t used = 0; *names; names++) {
		int n = snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", *names);
		used = n < 0 || used + (size_t)n >= sizeof all ? sizeof all - 1 : used + (size_t)n;
	}
	fields_raise_error(f, at, "there is no such field; known are %s", *all ? all : "only values in order");
}

void fields_check_names(const struct lua_fields *f, const char *path, const char *const *names, int positional)
{
	lua_State *L = f->L;
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING) {
			if (name_list_index(lua_tostring(L, -1), names) < 0)
				unknown_key(f, path, lua_tostring(L, -1), names);
		} else if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > positional) {
			char at[FIELD_PATH];
			fields_index_path(at, path, (int)lua_tointeger(L, -1));
			fields_raise_error(f, at,
				positional ? "at most %d values without a name belong here"
					   : "a value without a name does not belong here",
				positional);
		}
	}
}

bool fields_push_named(const struct lua_fields *f, const char *name)
{
	lua_pushstring(f->L, name);
	if (lua_rawget(f->L, -2) != LUA_TNIL)
		return true;
	lua_pop(f->L, 1);
	return false;
}

void fields_check_type(const struct lua_fields *f, const char *path, int type, const char *example)
{
	if (lua_type(f->L, -1) != type)
		fields_raise_error(f, path, "is a %s, but a %s is wanted, for example %s", luaL_typename(f->L, -1),
			lua_typename(f->L, type), example);
}

/* What would move a terminal's cursor or colour has no place in a title. */
static bool printable(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c < ' ' || c == 127 || (c == 0xc2 && (unsigned char)s[i + 1] < 0xa0))
			return false;
	}
	return true;
}

/* Records are JSON, which holds nothing else. */
static bool is_utf8(const char *s, size_t len)
{
	json_t *o = json_stringn(s, len);
	json_decref(o);
	return o != NULL;
}

void fields_read_text(const struct lua_fields *f, const char *path, char *out, size_t size)
{
	size_t len;
	fields_check_type(f, path, LUA_TSTRING, "\"text\"");
	const char *text = lua_tolstring(f->L, -1, &len);
	if (len >= size)
		fields_raise_error(
			f, path, "is %zu characters long, more than the %zu there is room for", len, size - 1);
	if (!printable(text, len))
		fields_raise_error(
			f, path, "has a line break or another control character in it; one printable line is wanted");
	if (!is_utf8(text, len))
		fields_raise_error(f, path, "is no UTF-8 text; save the file in that encoding");
	memcpy(out, text, len + 1);
}

double fields_read_number(const struct lua_fields *f, const char *path, const char *unit)
{
	struct err why;
	double v;
	if (lua_type(f->L, -1) == LUA_TNUMBER) {
		v = lua_tonumber(f->L, -1);
		if (!isfinite(v))
			fields_raise_error(f, path, "is not a finite number");
		return v;
	}
	if (lua_type(f->L, -1) != LUA_TSTRING)
		fields_raise_error(f, path, "is a %s, but a number is wanted, for example 64 or \"64 KiB\"",
			luaL_typename(f->L, -1));
	if (!units_parse(lua_tostring(f->L, -1), unit, &v, &why))
		fields_raise_error(f, path, "%s", why.text);
	return v;
}

bool fields_read_text_field(
	const struct lua_fields *f, const char *base, const char *name, char *out, size_t size, bool required)
{
	char at[FIELD_PATH];
	fields_join_path(at, base, name);
	out[0] = 0;
	if (!fields_push_named(f, name)) {
		if (required)
			fields_raise_error(f, at, "is missing; a text is wanted");
		return false;
	}
	fields_read_text(f, at, out, size);
	lua_pop(f->L, 1);
	return true;
}

double fields_read_number_field(
	const struct lua_fields *f, const char *base, const char *name, const char *unit, double fallback)
{
	char at[FIELD_PATH];
	if (!fields_push_named(f, name))
		return fallback;
	double v = fields_read_number(f, fields_join_path(at, base, name), unit);
	lua_pop(f->L, 1);
	return v;
}
