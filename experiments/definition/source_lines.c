#include "experiments/definition/source_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct field_line {
	char *path;
	int line;
};
struct source_lines {
	struct field_line *list;
	int count, space;
};

/* --- tokens --- */
enum token { T_END, T_NAME, T_STRING, T_OTHER /* one character, in `symbol` */ };

struct scanner {
	const char *at, *end;
	int line; /* of the next character */
	enum token kind;
	char symbol;
	char text[64]; /* of a name or a short string */
	int token_line;
	struct source_lines *out;
};

static char peek_char(const struct scanner *s, int ahead)
{
	return s->at + ahead < s->end ? s->at[ahead] : 0;
}

static void skip_char(struct scanner *s)
{
	if (s->at < s->end && *s->at++ == '\n')
		s->line++;
}

/* The level of a long bracket at the current position ("[[" is 0, "[=[" is 1), or -1. */
static int long_bracket(const struct scanner *s)
{
	int level = 0;
	if (peek_char(s, 0) != '[')
		return -1;
	while (peek_char(s, 1 + level) == '=')
		level++;
	return peek_char(s, 1 + level) == '[' ? level : -1;
}

static bool is_long_close(const struct scanner *s, int level)
{
	if (peek_char(s, 0) != ']' || peek_char(s, level + 1) != ']')
		return false;
	for (int i = 1; i <= level; i++)
		if (peek_char(s, i) != '=')
			return false;
	return true;
}

static void skip_long(struct scanner *s, int level)
{
	while (s->at < s->end && !is_long_close(s, level))
		skip_char(s);
	for (int i = 0; i < level + 2; i++)
		skip_char(s);
}

static void skip_blank(struct scanner *s)
{
	while (s->at < s->end) {
		if (isspace((unsigned char)*s->at)) {
			skip_char(s);
		} else if (peek_char(s, 0) == '-' && peek_char(s, 1) == '-') {
			s->at += 2;
			int level = long_bracket(s);
			if (level >= 0)
				skip_long(s, level);
			else
				while (s->at < s->end && *s->at != '\n')
					s->at++;
		} else {
			return;
		}
	}
}

static void scan_quoted(struct scanner *s)
{
	char quote = *s->at++;
	size_t n = 0;
	while (s->at < s->end && *s->at != quote) {
		if (*s->at == '\\')
			skip_char(s);
		else if (n + 1 < sizeof s->text)
			s->text[n++] = *s->at;
		skip_char(s);
	}
	skip_char(s);
	s->text[n] = 0;
}

static void scan_name(struct scanner *s)
{
	size_t n = 0;
	while (s->at < s->end && (isalnum((unsigned char)*s->at) || *s->at == '_')) {
		if (n + 1 < sizeof s->text)
			s->text[n++] = *s->at;
		s->at++;
	}
	s->text[n] = 0;
}

static void next_token(struct scanner *s)
{
	skip_blank(s);
	s->token_line = s->line;
	s->symbol = 0;
	s->text[0] = 0;
	if (s->at >= s->end) {
		s->kind = T_END;
	} else if (isalpha((unsigned char)*s->at) || *s->at == '_') {
		s->kind = T_NAME;
		scan_name(s);
	} else if (*s->at == '"' || *s->at == '\'') {
		s->kind = T_STRING;
		scan_quoted(s);
	} else if (long_bracket(s) >= 0) {
		s->kind = T_STRING;
		skip_long(s, long_bracket(s));
	} else if (isdigit((unsigned char)*s->at)) {
		s->kind = T_OTHER;
		scan_name(s); /* digits, hexadecimal letters and exponents; a sign or point is a separate token */
		s->text[0] = 0;
	} else {
		s->kind = T_OTHER;
		s->symbol = *s->at;
		skip_char(s);
	}
}

static bool is_symbol(const struct scanner *s, char c)
{
	return s->kind == T_OTHER && s->symbol == c;
}

/* Keywords of blocks closed by `end` or `until`; `while` and `for` count through their `do`. */
static int block_depth_change(const struct scanner *s)
{
	static const char *const open[] = {"function", "if", "do", "repeat"}, *const close[] = {"end", "until"};
	if (s->kind != T_NAME)
		return 0;
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (!strcmp(s->text, open[i]))
			return 1;
	for (size_t i = 0; i < sizeof close / sizeof *close; i++)
		if (!strcmp(s->text, close[i]))
			return -1;
	return 0;
}

static int bracket_depth_change(const struct scanner *s)
{
	if (s->kind != T_OTHER || !s->symbol)
		return 0;
	return strchr("([{", s->symbol) ? 1 : strchr(")]}", s->symbol) ? -1 : 0;
}

/* --- the table constructor --- */
static void record_field(struct source_lines *o, const char *path, int line)
{
	if (o->count == o->space) {
		o->space = o->space ? 2 * o->space : 64;
		o->list = xrealloc(o->list, (size_t)o->space * sizeof *o->list);
	}
	o->list[o->count++] = (struct field_line){xstrdup(path), line};
}

static void scan_table(struct scanner *s, const char *path);

/* From the first token of a value to the comma, semicolon or brace after it. */
static void scan_value(struct scanner *s, const char *path)
{
	int depth = 0;
	if (is_symbol(s, '{'))
		scan_table(s, path);
	for (; s->kind != T_END; next_token(s)) {
		if (!depth && s->kind == T_OTHER && s->symbol && strchr(",;}", s->symbol))
			return;
		depth += block_depth_change(s) + bracket_depth_change(s);
	}
}

/* For `name =` or `["name"] =`, moves to the value. Otherwise leaves the scanner as it was: a positional field. */
static bool scan_key(struct scanner *s, char *key, size_t size)
{
	struct scanner back = *s;
	bool bracketed = is_symbol(s, '[');
	if (bracketed)
		next_token(s);
	bool name = s->kind == (bracketed ? T_STRING : T_NAME);
	snprintf(key, size, "%s", s->text);
	next_token(s);
	if (bracketed && name && is_symbol(s, ']'))
		next_token(s);
	if (name && is_symbol(s, '=') && peek_char(s, 0) != '=') {
		next_token(s);
		return true;
	}
	*s = back;
	return false;
}

static void scan_table(struct scanner *s, const char *path)
{
	int position = 0;
	next_token(s);
	while (s->kind != T_END && !is_symbol(s, '}')) {
		char key[64];
		int line = s->token_line;
		char *field = scan_key(s, key, sizeof key) ? xasprintf("%s%s%s", path, *path ? "." : "", key)
							   : xasprintf("%s[%d]", path, ++position);
		record_field(s->out, field, line);
		scan_value(s, field);
		free(field);
		if (s->kind == T_OTHER && s->symbol && strchr(",;", s->symbol))
			next_token(s);
	}
	next_token(s);
}

struct source_lines *source_lines_scan(const char *text, size_t len)
{
	struct source_lines *out = xcalloc(1, sizeof *out);
	struct scanner s = {.at = text, .end = text + len, .line = 1, .out = out};
	int depth = 0;
	for (next_token(&s); s.kind != T_END;) {
		bool returns = !depth && s.kind == T_NAME && !strcmp(s.text, "return");
		if (returns) {
			record_field(out, "", s.token_line);
			next_token(&s);
			if (is_symbol(&s, '{'))
				scan_table(&s, "");
			return out;
		}
		depth += block_depth_change(&s) + bracket_depth_change(&s);
		next_token(&s);
	}
	return out;
}

void source_lines_free(struct source_lines *s)
{
	if (!s)
		return;
	for (int i = 0; i < s->count; i++)
		free(s->list[i].path);
	free(s->list);
	free(s);
}

int source_rank_of(const struct source_lines *s, const char *path)
{
	for (int i = 0; i < s->count; i++)
		if (!strcmp(s->list[i].path, path))
			return i;
	return -1;
}

/* Removes the last ".max" or "[2]". */
static void cut_last(char *path)
{
	char *dot = strrchr(path, '.'), *bracket = strrchr(path, '[');
	char *cut = dot > bracket ? dot : bracket;
	*(cut ? cut : path) = 0;
}

int source_line_of(const struct source_lines *s, const char *path)
{
	char *shorter = xstrdup(path);
	int rank = source_rank_of(s, shorter);
	while (rank < 0 && *shorter) {
		cut_last(shorter);
		rank = source_rank_of(s, shorter);
	}
	free(shorter);
	return rank < 0 ? 0 : s->list[rank].line;
}
