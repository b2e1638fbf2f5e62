/* UTF-8 text in columns: decoding, width, and where to break a line. Every code point counts as one column. */
#ifndef BASE_TEXT_WIDTH_H
#define BASE_TEXT_WIDTH_H

#include <stddef.h>
#include <stdio.h>

/* Returns the code point at *text and moves *text past it. Returns '?' for a byte that is not UTF-8 and
 * for a character that is not printable (base/printable_text.h); a newline or tab is returned as it is. */
unsigned text_decode(const char **text);
/* The columns that the text takes. */
int text_width(const char *text);
/* Bytes of the text that fit into `columns`, cut at a space if there is one; at least one character. */
size_t text_fit_bytes(const char *text, int columns);
/* Prints the text, wrapped at blanks: the first line begins with `first`, the others with `rest`. */
void text_print_wrapped(FILE *out, const char *first, const char *rest, const char *text, int width);

#endif
