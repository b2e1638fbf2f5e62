#include "experiments/definition/declaration.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool is_c_identifier(const char *s)
{
	if (!*s || isdigit((unsigned char)*s))
		return false;
	while (is_word_char(*s))
		s++;
	return !*s;
}

/* Only words, blanks and at most one star; element_type_parse would ignore other characters. */
static bool has_declaration_chars(const char *text)
{
	int stars = 0;
	for (const char *s = text; *s; s++) {
		stars += *s == '*';
		if (!is_word_char(*s) && *s != '*' && *s != ' ' && *s != '\t')
			return false;
	}
	return stars <= 1;
}

static size_t trimmed_length(const char *text, size_t len)
{
	while (len && !is_word_char(text[len - 1]) && text[len - 1] != '*')
		len--;
	return len;
}

/* The name is the last word, the type is everything before it. */
static bool split_declaration(const char *text, char *type, size_t size, char *name, size_t name_size)
{
	size_t end = trimmed_length(text, strlen(text)), from = end;
	while (from && is_word_char(text[from - 1]))
		from--;
	size_t len = trimmed_length(text, from);
	if (from == end || !len || len >= size || end - from >= name_size || isdigit((unsigned char)text[from]))
		return false;
	memcpy(type, text, len);
	type[len] = 0;
	memcpy(name, text + from, end - from);
	name[end - from] = 0;
	return true;
}

/* For "int" or "unsigned int", a type without a name. */
static bool is_type_name(const char *name)
{
	bool pointer;
	return element_type_parse(name, &pointer, NULL) != NULL;
}

bool declaration_parse(const char *text, struct declaration *d, struct err *e)
{
	char type[64];
	*d = (struct declaration){0};
	if (!has_declaration_chars(text) || !split_declaration(text, type, sizeof type, d->name, sizeof d->name) ||
		is_type_name(d->name))
		return err_set(e, ST_REQUEST,
			"not a declaration: '%.60s'; write for example \"const int *buf\" or \"int stride\"", text);
	d->of = element_type_parse(type, &d->pointer, e);
	if (!d->of)
		return false;
	if (!d->pointer && (d->of->part != d->of->size || !strcmp(d->of->name, "void")))
		return err_set(
			e, ST_REQUEST, "a %s cannot be passed by value; pass a buffer or single numbers", d->of->name);
	bool is_const = strstr(type, "const") && d->pointer;
	snprintf(d->type, sizeof d->type, "%s%s%s", is_const ? "const " : "", d->of->name, d->pointer ? " *" : "");
	return true;
}

bool declaration_fits_value(const struct declaration *d, int64_t value)
{
	unsigned bits = 8 * (unsigned)d->of->size;
	if (d->of->kind == ELEMENT_FLOAT)
		return true;
	if (d->of->kind == ELEMENT_UNSIGNED)
		return value >= 0 && (bits == 64 || value < (int64_t)1 << bits);
	return bits == 64 || (value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1));
}
