/* A page of text rows that scrolls and can be searched: the help, the log. Rows are counted first, then drawn. */
#ifndef TUI_SHELL_TEXT_PAGE_H
#define TUI_SHELL_TEXT_PAGE_H

#include "tui/toolkit/grid.h"

struct text_page {
	struct area in;     /* of no height: rows are only counted */
	int skip;           /* rows scrolled off at the top */
	int count;          /* rows so far */
	const char *filter; /* only texts that contain it are added, or have it in their label; NULL, "": all */
};

/* Counts rows as they will be drawn in `in`. */
struct text_page text_page_counter(struct area in, const char *filter);
/* Adds a text over as many rows as needed, from column `at` on; `label` stands in front of the first row. */
void text_page_add(struct text_page *page, int label_role, const char *label, int at, int role, const char *text);
/* The frame, with the filter and the range of visible rows. */
void text_page_draw_frame(struct area at, const char *title, const struct text_page *page, int count);
int text_page_limit_scroll(int scroll, int count, int rows); /* so that the last page is full */

#endif
