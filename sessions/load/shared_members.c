#include "sessions/load/shared_members.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/load/record_members.h"
#include "sessions/load/record_parse.h"

enum { CODE, KERNEL };
static const char *const shared_names[SHARED_MEMBERS] = {[CODE] = "code", [KERNEL] = "kernel"};

/* --- values --- */

/* As a key of the table. */
static char *copy_span(struct text_span s)
{
	size_t n = (size_t)(s.to - s.from);
	char *text = xmalloc(n + 1);
	memcpy(text, s.from, n);
	text[n] = 0;
	return text;
}

/* Adds the value, parsed while there are few, else as text, which takes a tenth of the memory. */
static json_t *add_shared_value(json_t **t, const char *key, struct text_span value)
{
	size_t n = (size_t)(value.to - value.from);
	if (!*t)
		*t = json_object();
	json_t *parsed = json_loadb(value.from, n, JSON_REJECT_DUPLICATES, NULL);
	if (parsed && json_object_size(*t) >= SHARED_VALUES_MAX) {
		json_decref(parsed);
		parsed = json_stringn(value.from, n);
	}
	if (!parsed || json_object_set_new(*t, key, parsed))
		return NULL;
	return parsed;
}

void shared_values_add_code(json_t **t, const char *line, size_t n)
{
	const char *at = line, *end = line + n;
	struct text_span hash = {NULL, NULL}, code = {NULL, NULL};
	struct record_member m;
	while (record_next_member(&at, end, &m)) {
		if (text_span_is(m.name, "hash"))
			hash = m.value;
		else if (text_span_is(m.name, "code"))
			code = m.value;
	}
	if (!hash.from || !code.from)
		return;
	char *key = copy_span(hash);
	if (!json_object_get(*t, key))
		add_shared_value(t, key, code);
	free(key);
}

/* The value that the text in a line stands for: an object for itself, the hash in a string for the code of an earlier
 * record. NULL: the text stays in the line, or no record had the hash. */
static json_t *find_shared_value(json_t **t, struct text_span text)
{
	char *key = copy_span(text);
	json_t *found = json_object_get(*t, key);
	if (!found && *text.from == '{' && json_object_size(*t) < SHARED_VALUES_MAX)
		found = add_shared_value(t, key, text);
	free(key);
	return found;
}

/* --- lines --- */

static int find_shared_name(struct text_span name)
{
	for (int k = 0; k < SHARED_MEMBERS; k++)
		if (text_span_is(name, shared_names[k]))
			return k;
	return -1;
}

/* Whether the hash of an earlier record stands in the line. */
static bool is_reference(int k, struct text_span value)
{
	return k == CODE && *value.from == '"';
}

/* Writes what stands in the line for the member. */
static void cut_member(json_t **t, int k, struct text_span value, struct cut_line *out, struct buf *text)
{
	json_t *shared = find_shared_value(t, value);
	if (json_is_string(shared)) {
		buf_add(text, json_string_value(shared), json_string_length(shared));
	} else if (shared) {
		out->values[k] = json_incref(shared);
		buf_puts(text, "0");
	} else if (is_reference(k, value)) {
		out->missing |= 1U << k;
		buf_puts(text, "0");
	} else {
		buf_add(text, value.from, (size_t)(value.to - value.from));
	}
}

struct cut_line line_cut(json_t **t, const char *line, size_t n)
{
	const char *at = line, *end = line + n, *kept = line;
	struct cut_line out = {0};
	struct buf text = {0};
	struct record_member m;
	while (record_next_member(&at, end, &m)) {
		int k = find_shared_name(m.name);
		if (k < 0 || out.values[k] || (*m.value.from != '{' && !is_reference(k, m.value)))
			continue;
		buf_add(&text, kept, (size_t)(m.value.from - kept));
		cut_member(t, k, m.value, &out, &text);
		kept = m.value.to;
	}
	buf_add(&text, kept, (size_t)(end - kept));
	out.text = xrealloc(text.data, text.len + 1);
	out.length = text.len;
	return out;
}

struct cut_line line_pack(const json_t *record)
{
	struct cut_line out = {0};
	json_t *rest = json_copy((json_t *)record);
	for (int k = 0; k < SHARED_MEMBERS; k++) {
		json_t *value = json_object_get(record, shared_names[k]);
		if (!json_is_object(value))
			continue;
		out.values[k] = json_incref(value);
		json_object_set_new(rest, shared_names[k], json_integer(0));
	}
	out.text = json_dumps(rest, JSON_COMPACT);
	out.length = strlen(out.text);
	json_decref(rest);
	return out;
}

json_t *cut_line_parse(const struct cut_line *c)
{
	json_t *record = record_parse(c->text, c->length, true);
	for (int k = 0; k < SHARED_MEMBERS; k++)
		if (c->values[k])
			json_object_set(record, shared_names[k], c->values[k]);
		else if (c->missing & 1U << k)
			json_object_del(record, shared_names[k]);
	return record;
}

struct cut_line cut_line_copy(const struct cut_line *c)
{
	struct cut_line copy = *c;
	copy.text = xmalloc(c->length + 1);
	memcpy(copy.text, c->text, c->length);
	for (int k = 0; k < SHARED_MEMBERS; k++)
		json_incref(copy.values[k]);
	return copy;
}

void cut_line_free(struct cut_line *c)
{
	for (int k = 0; k < SHARED_MEMBERS; k++)
		json_decref(c->values[k]);
	free(c->text);
	*c = (struct cut_line){0};
}
