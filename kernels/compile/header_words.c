#include "kernels/compile/header_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"

enum { HEADER_MAX = 64 << 20 };

/* --- comments --- */
/* Behind a literal in quotes, which ends on its line. */
static char *skip_quoted(char *s)
{
	char quote = *s++;
	while (*s && *s != '\n' && *s != quote)
		s += *s == '\\' && s[1] ? 2 : 1;
	return *s == quote ? s + 1 : s;
}

static char *blank_until(char *s, const char *end)
{
	while (s < end)
		*s++ = ' ';
	return s;
}

/* A comment that goes on behind a backslash counts as code. */
static void blank_comments(char *s)
{
	while (*s) {
		if (*s == '"' || *s == '\'') {
			s = skip_quoted(s);
		} else if (!strncmp(s, "//", 2)) {
			s = blank_until(s, s + strcspn(s, "\n"));
		} else if (!strncmp(s, "/*", 2)) {
			const char *end = strstr(s + 2, "*/");
			s = blank_until(s, end ? end + 2 : s + strlen(s));
		} else {
			s++;
		}
	}
}

/* --- words --- */
static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool text_has_word(const char *text, const char *word, size_t length)
{
	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
			return true;
	return false;
}

/* Most files do not have the word, so their comments do not matter. */
static bool file_has_word(const char *path, const char *word)
{
	struct buf b = {0};
	const char *why;
	bool has = !input_file_read(path, HEADER_MAX, &b, &why);
	buf_add(&b, "", 1);
	if (!has && text_has_word(b.data, word, strlen(word))) {
		blank_comments(b.data);
		has = text_has_word(b.data, word, strlen(word));
	}
	buf_free(&b);
	return has;
}

bool headers_have_word(const struct kernel_inputs *headers, const char *word)
{
	char *name = xasprintf("%.*s", (int)strcspn(word, "="), word);
	bool has = false;
	for (int i = 0; !has && i < headers->count; i++)
		has = file_has_word(headers->list[i].path, name);
	free(name);
	return has;
}
