/* Large numbers that a whole class can read: digits of three by five blocks. */
#ifndef TUI_TOOLKIT_LARGE_DIGITS_H
#define TUI_TOOLKIT_LARGE_DIGITS_H

#include "tui/toolkit/grid.h"

enum { DIGIT_ROWS = 5, DIGIT_COLUMNS = 4 /* with the gap after it */ };

struct block_size {
	int w, h; /* in cells */
};

/* Draws digits, '.', '-' and '%'; other characters are blank. Returns the columns used. */
int draw_large_digits(struct area a, int x, int y, int role, bool ascii, struct block_size size, const char *text);
int large_digits_width(struct block_size size, const char *text);

#endif
