/* A part of the manual, written once and printed as plain text for `wavedeck help TOPIC` or as roff for man(1). */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct page {
	FILE *out;
	bool roff;
};

void page_heading(const struct page *p, const char *title);
void page_text(const struct page *p, const char *text); /* a paragraph */
void page_item(
	const struct page *p, const char *name, const char *text); /* a row of a list: "theme=NAME", what it is */
void page_lines(const struct page *p, const char *text);           /* as they stand */

#endif
