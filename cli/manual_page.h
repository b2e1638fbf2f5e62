/* A part of the manual, written once and printed either as plain text (`wavedeck help TOPIC`) or as roff (man). */
#ifndef CLI_MANUAL_PAGE_H
#define CLI_MANUAL_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct manual_page {
	FILE *out;
	bool roff;
};

void manual_page_heading(const struct manual_page *p, const char *title);
void manual_page_paragraph(const struct manual_page *p, const char *text);
/* One row of a list: a name and its description. */
void manual_page_item(const struct manual_page *p, const char *name, const char *text);
/* Preformatted lines. */
void manual_page_lines(const struct manual_page *p, const char *text);

#endif
