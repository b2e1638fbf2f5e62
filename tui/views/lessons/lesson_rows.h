/* A lesson's section as rows of text for a width, and where text and plot stand: shared by what draws and by what
 * scrolls. */
#ifndef TUI_VIEWS_LESSONS_LESSON_ROWS_H
#define TUI_VIEWS_LESSONS_LESSON_ROWS_H

#include "tui/toolkit/grid.h"
#include "tui/views/lessons/lessons_view.h"

struct text_row {
	int role, indent;
	bool chosen;
	char *text;
};
struct text_rows {
	struct text_row *list;
	int count;
};

/* Wraps at blanks; `lead` stands before the first row, the others are indented as far. */
void text_rows_add_wrapped(struct text_rows *r, int role, bool chosen, const char *lead, const char *text, int width);
void text_rows_add_line(struct text_rows *r, int role, int indent, const char *text); /* as it is */
void text_rows_free(struct text_rows *r);
/* The table that begins with this head (lesson_rows_table.c). */
void text_rows_add_table(const struct lesson *l, const struct lesson_block *head, int width, struct text_rows *out);

/* What the page's section says now: choices with the one chosen, steps with what was done, answers that were asked for.
 */
void text_rows_add_section(const struct app *a, const struct lesson *l, int width, struct text_rows *out);

struct lesson_layout {
	struct rect text, plot;
}; /* either may be empty */
struct lesson_layout lessons_view_layout(const struct app *a, int w, int h);

/* Rows that the section has beyond what is seen; 0 when all is. */
int lessons_view_scroll_max(const struct app *a);
/* Scrolls so far that the chosen row is seen. */
void lessons_view_scroll_to_choice(struct app *a);

#endif
