/* Rows of text for a given width, with code in bold. */
#ifndef TUI_VIEWS_LESSONS_TEXT_ROWS_H
#define TUI_VIEWS_LESSONS_TEXT_ROWS_H

#include "experiments/course/lesson.h"
#include "tui/toolkit/grid.h"

struct text_row {
	int role, indent;
	bool chosen;
	char *text; /* without backticks */
	char *code; /* as long as the text: '`' where a byte is code, '_' where it is of a term; NULL if there is none
	             */
};
enum { TEXT_TERMS_MAX = 64 };
struct text_rows {
	struct text_row *list;
	int count;
	bool mark_terms;                       /* the first occurrence of each term of the glossary */
	int terms[TEXT_TERMS_MAX], term_count; /* their entries, in the order of the text */
};

/* Wraps at blanks; spans in `backticks` are code. `lead` stands in front of the first row; the other rows are indented
 * to match. */
void text_rows_add_wrapped(struct text_rows *r, int role, bool chosen, const char *lead, const char *text, int width);
void text_rows_add_line(struct text_rows *r, int role, int indent, const char *text); /* unchanged */
void text_rows_add_blank(struct text_rows *r); /* unless the last row is blank or there is none */
void text_rows_free(struct text_rows *r);
/* `lead` and the title, which ends with an ellipsis if both do not fit into `room` columns. */
void lesson_title_format(const char *lead, const char *title, int room, bool ascii, char *out, size_t size);
void text_row_draw(struct area at, int y, const struct text_row *row);
/* Adds the table that begins with this heading (lesson_rows_table.c). */
void text_rows_add_table(const struct lesson *l, const struct lesson_block *head, int width, struct text_rows *out);

#endif
