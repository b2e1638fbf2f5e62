/* Text that is safe to show. Files, workers, code objects and definitions contain text that other people wrote: escape
 * sequences in it could change the terminal's title or colors, move the cursor, or reverse the order of the words.
 *
 * Such text stays as it is in memory and in records, so that names still compare and JSON exports are exact (JSON
 * escapes these characters). It is made printable where it leaves the program, so that no caller can forget it:
 * everything on standard output and standard error and every export passes base/printable_output.h; the screen is made
 * of cells, which text_decode fills. */
#ifndef BASE_PRINTABLE_TEXT_H
#define BASE_PRINTABLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/* False for control characters (C0 except newline and tab, DEL, C1), for characters that change the direction of text
 * or have no width, for line and paragraph separators, and for code points that are not characters. */
bool code_point_is_printable(unsigned code);

/* Decodes one UTF-8 character. Returns its bytes; 0 if it needs more than `n` bytes, -1 if it is not UTF-8. */
int utf8_decode(const char *bytes, size_t n, unsigned *code);

/* Appends the text with '?' for every character that is not printable and for every byte that is not UTF-8; as `ls -q`
 * does, so that columns keep their width. Returns the bytes used: fewer than n if the text ends within a character. */
size_t printable_append(struct buf *out, const char *bytes, size_t n);

/* Replaces line breaks and tabs with spaces, so that text from other people cannot begin a line. Returns text.
 */
char *text_join_lines(char *text);
/* Prints the text as one line, and empties the buffer. */
void text_print_line(FILE *out, struct buf *line);

#endif
