/* Text that a whole class can read: letters of 4 x 6 half-cell blocks, four columns and three rows each. */
#ifndef TUI_TOOLKIT_LARGE_TEXT_H
#define TUI_TOOLKIT_LARGE_TEXT_H

#include "tui/toolkit/grid.h"

enum { LARGE_TEXT_COLUMNS = 4, LARGE_TEXT_ROWS = 3 };

/* Rows of cells that the text takes when it wraps at `width` columns. */
int large_text_height(const char *text, int width);
/* Draws it, wrapped at the area's width, from row y on; characters outside of ASCII become '?'. Needs block glyphs: not
 * for an ASCII grid. Returns the rows used. */
int draw_large_text(struct area at, int y, int role, const char *text);

#endif
