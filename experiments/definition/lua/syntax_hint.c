#include "experiments/definition/lua/syntax_hint.h"

#include <stdbool.h>
#include <string.h>

/* Skips blanks and comments of one line. */
static bool begins_with_brace(const char *text, size_t len)
{
	const char *end = text + len;
	while (text < end && (strchr(" \t\r\n", *text) || (end - text > 1 && !strncmp(text, "--", 2))))
		if (*text++ == '-')
			while (text < end && *text != '\n')
				text++;
	return text < end && *text == '{';
}

static const char *find_hint(const char *message, bool brace)
{
	static const struct {
		const char *expected, *near, *hint;
	} hints[] = {
		/* clang-format off */
		{"'}' expected", "near <eof>", "a } is missing"},
		{"'}' expected", "near",       "a comma may be missing before it"},
		{"')' expected", "near <eof>", "a ) is missing"},
		{"'end' expected", "near",     "a function ends with: end"},
		/* clang-format on */
	};
	if (brace && strstr(message, "unexpected symbol near '{'"))
		return "an experiment begins with: return {";
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
		if (strstr(message, hints[i].expected) && strstr(message, hints[i].near))
			return hints[i].hint;
	return NULL;
}

void syntax_hint_append(lua_State *L, const char *text, size_t len)
{
	const char *message = lua_tostring(L, -1),
		   *hint = message ? find_hint(message, begins_with_brace(text, len)) : NULL;
	if (!hint)
		return;
	lua_pushfstring(L, "%s; %s", message, hint);
	lua_replace(L, -2);
}
