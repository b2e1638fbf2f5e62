/* A lesson's section as rows of text for a given width, and the rectangles of text and plot. Used for drawing and
 * for scrolling. */
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

/* Wraps at blanks. `lead` stands in front of the first row; the other rows are indented to match. */
void text_rows_add_wrapped(struct text_rows *r, int role, bool chosen, const char *lead, const char *text, int width);
void text_rows_add_line(struct text_rows *r, int role, int indent, const char *text); /* unchanged */
void text_rows_free(struct text_rows *r);
/* Adds the table that begins with this heading (lesson_rows_table.c). */
void text_rows_add_table(const struct lesson *l, const struct lesson_block *head, int width, struct text_rows *out);

/* The section as it is now: choices with the selected one, steps with the finished ones, requested answers. */
void text_rows_add_section(const struct app *a, const struct lesson *l, int width, struct text_rows *out);

struct lesson_layout {
	struct rect text, plot;
}; /* either may be empty */
struct lesson_layout lessons_view_layout(const struct app *a, int w, int h);

/* Rows of the section that do not fit; 0 when all fit. */
int lessons_view_scroll_max(const struct app *a);
/* Scrolls to make the selected row visible. */
void lessons_view_scroll_to_choice(struct app *a);

#endif
