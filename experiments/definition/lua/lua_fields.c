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
	char text[400], line_text[16] = "";
	int line = source_line_of(f->lines, path);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (line)
		snprintf(line_text, sizeof line_text, "%d:", line);
	lua_pushfstring(f->L, "%s:%s %s%s%s", f->chunk, line_text, path, *path ? ": " : "", text);
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

static void raise_unknown_field(const struct lua_fields *f, const char *path, const char *key, const char *const *names)
{
	char at[FIELD_PATH], all[200] = "";
	const char *near = find_nearest_name(key, names, count_names(names));
	fields_join_path(at, path, key);
	if (near)
		fields_raise_error(f, at, "unknown field; did you mean '%s'?", near);
	for (size_t used = 0; *names; names++) {
		int n = snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", *names);
		used = n < 0 || used + (size_t)n >= sizeof all ? sizeof all - 1 : used + (size_t)n;
	}
	fields_raise_error(f, at, "unknown field; known fields: %s", *all ? all : "none, only values without a name");
}

void fields_check_names(const struct lua_fields *f, const char *path, const char *const *names, int positional)
{
	lua_State *L = f->L;
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING) {
			if (name_list_index(lua_tostring(L, -1), names) < 0)
				raise_unknown_field(f, path, lua_tostring(L, -1), names);
		} else if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > positional) {
			char at[FIELD_PATH];
			fields_index_path(at, path, (int)lua_tointeger(L, -1));
			fields_raise_error(f, at,
				positional ? "too many values without a name; at most %d are allowed"
					   : "values without a name are not allowed here",
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
		fields_raise_error(f, path, "expected a %s, not a %s; for example %s", lua_typename(f->L, type),
			luaL_typename(f->L, -1), example);
}

/* Control characters could change the terminal's cursor or colors. */
static bool is_one_printable_line(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c < ' ' || c == 127 || (c == 0xc2 && (unsigned char)s[i + 1] < 0xa0))
			return false;
	}
	return true;
}

/* Records are JSON, which requires UTF-8. */
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
		fields_raise_error(f, path, "too long: %zu characters; at most %zu are allowed", len, size - 1);
	if (!is_one_printable_line(text, len))
		fields_raise_error(f, path, "contains a line break or control character; use one printable line");
	if (!is_utf8(text, len))
		fields_raise_error(f, path, "not valid UTF-8; save the file in that encoding");
	memcpy(out, text, len + 1);
}

double fields_read_number(const struct lua_fields *f, const char *path, const char *unit)
{
	struct err why;
	double v;
	if (lua_type(f->L, -1) == LUA_TNUMBER) {
		v = lua_tonumber(f->L, -1);
		if (!isfinite(v))
			fields_raise_error(f, path, "not a finite number");
		return v;
	}
	if (lua_type(f->L, -1) != LUA_TSTRING)
		fields_raise_error(
			f, path, "expected a number, not a %s; for example 64 or \"64 KiB\"", luaL_typename(f->L, -1));
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
			fields_raise_error(f, at, "missing; a text is required");
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
