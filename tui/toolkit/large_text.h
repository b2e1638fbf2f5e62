/* Text that a whole class can read, in proportional letters of six rows of pixels, three rows of cells: wide ones of
 * half-cell blocks, or narrow ones of quarter-cell blocks, which need half the columns. */
#ifndef TUI_TOOLKIT_LARGE_TEXT_H
#define TUI_TOOLKIT_LARGE_TEXT_H

#include "tui/toolkit/grid.h"

enum { LARGE_TEXT_ROWS = 3 };
enum large_letters { LETTERS_WIDE, LETTERS_NARROW };

/* Rows of cells that the text takes when it wraps at `width` columns. */
int large_text_height(enum large_letters size, const char *text, int width);
int large_text_width(enum large_letters size, const char *text); /* columns of one line */
/* Draws it, wrapped at the area's width, from row y on; characters outside of ASCII become '?'. Needs block glyphs: not
 * for an ASCII grid. The Linux console has no quarters. Returns the rows used. */
int draw_large_text(enum large_letters size, struct area at, int y, int role, const char *text);

#endif
