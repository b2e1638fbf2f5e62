/* A page of a lesson as rows of text, and the rectangles of text and plot. Used for drawing and for scrolling. */
#ifndef TUI_VIEWS_LESSONS_LESSON_ROWS_H
#define TUI_VIEWS_LESSONS_LESSON_ROWS_H

#include "tui/views/lessons/lessons_view.h"
#include "tui/views/lessons/text_rows.h"

/* The page as it is now: choices with the selected one, marked after the answer; requested solutions. */
void text_rows_add_page(const struct app *a, const struct lesson *l, int width, struct text_rows *out);

/* On what the answer of the current step rests. */
void text_rows_add_sources(const struct app *a, const struct lesson *l, int width, struct text_rows *out);

/* The terms of the glossary on the page, separated by commas; "" without any. The caller frees it. */
char *lesson_page_terms(const struct app *a, const struct lesson *l);

struct lesson_layout {
	struct rect text, plot;
}; /* either may be empty */
struct lesson_layout lessons_view_layout(const struct app *a, int w, int h);

/* Rows of the page that do not fit; 0 when all fit. */
int lessons_view_scroll_max(const struct app *a);
/* Scrolls to make the selected rows visible. */
void lessons_view_scroll_to_choice(struct app *a);

#endif
