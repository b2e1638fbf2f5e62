/* Large read-outs for a room: digits of three by five blocks, in block characters or in ASCII. */
#ifndef TUI_TOOLKIT_LARGE_DIGITS_H
#define TUI_TOOLKIT_LARGE_DIGITS_H

#include "tui/toolkit/grid.h"

enum { DIGIT_ROWS = 5, DIGIT_COLUMNS = 4 /* with the gap behind it */ };

struct block_size {
	int w, h;
}; /* cells of one block */

/* Draws digits, '.', '-', '%', ' '; other characters as blanks. Returns the columns used. */
int draw_large_digits(struct area a, int x, int y, int role, bool ascii, struct block_size size, const char *text);
int large_digits_width(struct block_size size, const char *text);

#endif
