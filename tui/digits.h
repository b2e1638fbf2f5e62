/* Large read-outs for a room: digits and a few letters five rows high, in blocks or in ASCII. */
#ifndef TUI_DIGITS_H
#define TUI_DIGITS_H

#include "tui/grid.h"

enum { DIGIT_ROWS = 5, DIGIT_COLUMNS = 4 /* with the gap behind it */ };

/* Draws digits, '.', '-', '%', ' '; other characters as blanks. Returns the columns used. */
int digits_draw(struct area a, int x, int y, int role, bool ascii, const char *text);
int digits_width(const char *text);

#endif
