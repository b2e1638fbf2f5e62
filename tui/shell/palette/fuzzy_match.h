/* Fuzzy matching: finds a text by some of its letters, in their order. */
#ifndef TUI_SHELL_PALETTE_FUZZY_MATCH_H
#define TUI_SHELL_PALETTE_FUZZY_MATCH_H

#include <stdbool.h>

enum { FUZZY_MARKS_MAX = 96 };

/* How well the letters of `pattern` match `text`, in order, ignoring case and blanks; 0: not at all. A letter scores
 * higher at the start of a word and right after the previous one. Sets marks[byte of text] for each matched letter;
 * marks may be NULL. An empty pattern matches every text. */
int fuzzy_match_score(const char *pattern, const char *text, bool marks[FUZZY_MARKS_MAX]);

#endif
