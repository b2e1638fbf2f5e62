/* A part of the manual, written once and printed as plain text for `wavedeck help TOPIC` or as roff for man(1). */
#ifndef CLI_MANUAL_PAGE_H
#define CLI_MANUAL_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct manual_page {
	FILE *out;
	bool roff;
};

void manual_page_heading(const struct manual_page *p, const char *title);
void manual_page_paragraph(const struct manual_page *p, const char *text); /* a paragraph */
void manual_page_item(const struct manual_page *p, const char *name,
	const char *text);                                             /* a row of a list: "theme=NAME", what it is */
void manual_page_lines(const struct manual_page *p, const char *text); /* as they stand */

#endif
