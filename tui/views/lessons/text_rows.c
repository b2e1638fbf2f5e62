#include "tui/views/lessons/text_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/course/glossary.h"
#include "tui/toolkit/theme.h"

static void add_text_row(
	struct text_rows *r, int role, bool chosen, int indent, const char *text, const char *code, size_t n)
{
	bool any = code && strspn(code, " ") < n;
	r->list = xrealloc(r->list, (size_t)(r->count + 1) * sizeof *r->list);
	r->list[r->count++] = (struct text_row){
		role, indent, chosen, xasprintf("%.*s", (int)n, text), any ? xasprintf("%.*s", (int)n, code) : NULL};
}

/* Removes backticks; `code` marks the bytes between them. */
static void split_code_spans(const char *text, struct buf *plain, struct buf *code)
{
	bool inside = false;
	for (; *text; text++) {
		if (*text == '`') {
			inside = !inside;
			continue;
		}
		buf_add(plain, text, 1);
		buf_puts(code, inside ? "`" : " ");
	}
	buf_add(plain, "", 0);
	buf_add(code, "", 0);
}

/* --- terms of the glossary --- */
static bool add_row_term(struct text_rows *r, int entry)
{
	for (int i = 0; i < r->term_count; i++)
		if (r->terms[i] == entry)
			return false;
	if (r->term_count == TEXT_TERMS_MAX)
		return false;
	r->terms[r->term_count++] = entry;
	return true;
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || (c & 0x80);
}

/* Marks in `code` the terms that were not met before. */
static void mark_terms(struct text_rows *r, const char *text, char *code)
{
	for (size_t i = 0, n; text[i]; i += n ? n : 1) {
		n = 0;
		if ((i && is_word_byte(text[i - 1])) || code[i] != ' ')
			continue;
		int entry = glossary_match_start(text + i, &n);
		if (n && add_row_term(r, entry))
			memset(code + i, '_', n);
	}
}

void text_rows_add_wrapped(struct text_rows *r, int role, bool chosen, const char *lead, const char *text, int width)
{
	int indent = text_width(lead), room = width - indent > 8 ? width - indent : 8;
	size_t lead_bytes = strlen(lead);
	struct buf plain = {0}, code = {0};
	split_code_spans(text, &plain, &code);
	if (r->mark_terms)
		mark_terms(r, plain.data, code.data);
	const char *from = plain.data, *marks = code.data;
	bool first = true;
	do {
		size_t n = text_fit_bytes(from, room), blanks = strspn(from + n, " ");
		char *both = first && *lead ? xasprintf("%s%.*s", lead, (int)n, from) : NULL,
		     *both_code = both ? xasprintf("%*s%.*s", (int)lead_bytes, "", (int)n, marks) : NULL;
		if (both)
			add_text_row(r, role, chosen, 0, both, both_code, lead_bytes + n);
		else
			add_text_row(r, role, chosen, indent, from, marks, n);
		free(both);
		free(both_code);
		first = false;
		from += n + blanks;
		marks += n + blanks;
	} while (*from);
	buf_free(&plain);
	buf_free(&code);
}

void text_rows_add_line(struct text_rows *r, int role, int indent, const char *text)
{
	add_text_row(r, role, false, indent, text, NULL, strlen(text));
}

void text_rows_add_blank(struct text_rows *r)
{
	if (r->count && *r->list[r->count - 1].text)
		add_text_row(r, ROLE_TEXT, false, 0, "", NULL, 0);
}

void text_rows_free(struct text_rows *r)
{
	for (int i = 0; i < r->count; i++) {
		free(r->list[i].text);
		free(r->list[i].code);
	}
	free(r->list);
	*r = (struct text_rows){0};
}

void lesson_title_format(const char *lead, const char *title, int room, bool ascii, char *out, size_t size)
{
	int left = room - text_width(lead);
	char text[200];
	snprintf(out, size, "%s%s", lead, text_shorten(title, left > 6 ? left : 6, ascii, text, sizeof text));
}

static void mark_code(struct area at, int y, const struct text_row *row)
{
	int column = row->indent;
	for (const char *text = row->text; *text;) {
		char mark = row->code[text - row->text];
		text_decode(&text);
		if (mark != ' ')
			area_add_attr(at, column, y, 1, mark == '`' ? ATTR_BOLD : ATTR_UNDERLINE);
		column++;
	}
}

void text_row_draw(struct area at, int y, const struct text_row *row)
{
	area_draw_fitted(at, row->indent, y, at.r.w - row->indent, row->role, row->text);
	if (row->code)
		mark_code(at, y, row);
}
