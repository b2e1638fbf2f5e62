/* A page of text rows that scrolls: the help and the log. Rows are counted first, then drawn. */
#ifndef TUI_SHELL_TEXT_PAGE_H
#define TUI_SHELL_TEXT_PAGE_H

#include "tui/toolkit/grid.h"

struct text_page {
	struct area in; /* of no height: rows are only counted */
	int skip;       /* rows scrolled off at the top */
	int count;      /* rows so far */
};

struct text_page text_page_counter(struct area in);
/* Adds a text over as many rows as needed, from column `at` on; `label` stands in front of the first row. */
void text_page_add(struct text_page *page, int label_role, const char *label, int at, int role, const char *text);
/* The frame, with the range of visible rows. */
void text_page_draw_frame(struct area at, const char *title, const struct text_page *page, int count);

#endif
