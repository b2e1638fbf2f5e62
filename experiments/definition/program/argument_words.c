#include "experiments/definition/program/argument_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* --- words --- */
/* The text of a quoted part, from behind its quote; *at moves behind the closing one. False: there is none. */
static bool read_quoted(const char **at, char quote, struct buf *word)
{
	const char *c = *at;
	for (; *c && *c != quote; c++) {
		if (*c == '\\' && quote == '"' && (c[1] == '"' || c[1] == '\\'))
			c++;
		buf_add(word, c, 1);
	}
	*at = c + (*c != 0);
	return *c;
}

static bool read_word(const char **at, struct buf *word)
{
	bool ok = true;
	buf_puts(word, "");
	while (ok && **at && !isspace((unsigned char)**at)) {
		char c = *(*at)++;
		if (c == '\'' || c == '"') {
			ok = read_quoted(at, c, word);
			continue;
		}
		if (c == '\\' && **at)
			c = *(*at)++;
		buf_add(word, &c, 1);
	}
	return ok;
}

static void append_word(struct argument_words *w, char *word)
{
	w->list = xrealloc(w->list, (size_t)(w->count + 2) * sizeof *w->list);
	w->list[w->count++] = word;
	w->list[w->count] = NULL;
}

bool argument_words_split(const char *text, struct argument_words *out, struct err *e)
{
	*out = (struct argument_words){.list = xcalloc(1, sizeof *out->list)};
	for (const char *at = text + strspn(text, " \t\n"); *at; at += strspn(at, " \t\n")) {
		struct buf word = {0};
		bool ok = read_word(&at, &word);
		append_word(out, word.data);
		if (ok)
			continue;
		argument_words_free(out);
		return err_set(e, ST_REQUEST, "a quote is not closed in the arguments: %.200s", text);
	}
	return true;
}

void argument_words_free(struct argument_words *w)
{
	for (int i = 0; i < w->count; i++)
		free(w->list[i]);
	free(w->list);
	*w = (struct argument_words){0};
}

/* --- placeholders --- */
static size_t name_length(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return isdigit((unsigned char)*text) ? 0 : n;
}

const char *placeholder_find(const char *text, char name[PLACEHOLDER_NAME], const char **end)
{
	for (const char *at = text; (at = strchr(at, '{')); at++) {
		size_t n = name_length(at + 1);
		if (!n || n >= PLACEHOLDER_NAME || at[n + 1] != '}')
			continue;
		memcpy(name, at + 1, n);
		name[n] = 0;
		*end = at + n + 2;
		return at;
	}
	return NULL;
}

char *placeholders_fill(const char *word, const char *(*value)(void *ctx, const char *name), void *ctx)
{
	char name[PLACEHOLDER_NAME];
	const char *end;
	struct buf out = {0};
	buf_puts(&out, "");
	for (const char *at; (at = placeholder_find(word, name, &end)); word = end) {
		const char *text = value(ctx, name);
		buf_add(&out, word, (size_t)((text ? at : end) - word));
		buf_puts(&out, text ? text : "");
	}
	buf_puts(&out, word);
	return out.data;
}
