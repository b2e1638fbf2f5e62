#include "sessions/load/record_members.h"

#include <string.h>

/* From an opening quotation mark to behind the closing one; NULL if there is none. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\';
	return at < end ? at + 1 : NULL;
}

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* To the comma or the bracket behind a value; NULL if it does not end. */
static const char *skip_value(const char *at, const char *end)
{
	int depth = 0;
	while (at && at < end) {
		if (*at == '"') {
			at = skip_string(at, end);
			continue;
		}
		if (!depth && (*at == ',' || *at == '}'))
			return at;
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	}
	return NULL;
}

bool record_next_member(const char **at, const char *end, struct record_member *out)
{
	const char *name = skip_space(*at, end);
	name = name < end && (*name == '{' || *name == ',') ? skip_space(name + 1, end) : end;
	const char *behind = name < end && *name == '"' ? skip_string(name, end) : NULL,
		   *colon = behind ? skip_space(behind, end) : end;
	if (colon >= end || *colon != ':')
		return false;
	const char *value = skip_space(colon + 1, end), *close = skip_value(value, end);
	if (!close)
		return false;
	*out = (struct record_member){{name + 1, behind - 1}, {value, close}};
	*at = close;
	return true;
}

bool record_find_member(struct text_span line, const char *name, struct text_span *value)
{
	struct record_member m;
	for (const char *at = line.from; record_next_member(&at, line.to, &m);)
		if (text_span_is(m.name, name)) {
			*value = m.value;
			return true;
		}
	return false;
}

bool text_span_is(struct text_span s, const char *text)
{
	size_t n = strlen(text);
	return (size_t)(s.to - s.from) == n && !memcmp(s.from, text, n);
}
