/* Turns the cells of a grid into shapes and texts with RGB colors, for picture files. Lines, blocks and Braille dots
 * become shapes, because fonts differ in how these glyphs join; everything else stays text.
 *
 * Lengths are in picture units: a cell is CELL_WIDTH x CELL_HEIGHT, and PICTURE_MARGIN surrounds the grid. */
#ifndef TUI_TOOLKIT_CELL_PAINTER_H
#define TUI_TOOLKIT_CELL_PAINTER_H

#include <stdbool.h>

#include "tui/toolkit/grid.h"

enum { CELL_WIDTH = 8, CELL_HEIGHT = 16, CELL_BASELINE = 12, PICTURE_MARGIN = 10 };

/* A picture format implements these. Colors are 0xrrggbb. */
struct cell_painter {
	void (*fill)(struct cell_painter *p, struct rect r, unsigned rgb);
	void (*dot)(struct cell_painter *p, int x, int y, unsigned rgb); /* a Braille dot around that point */
	/* Text whose first cell begins at x and whose baseline is y. It takes `columns` cells, one per character. */
	void (*text)(struct cell_painter *p, int x, int y, const char *text, int columns, unsigned rgb, bool bold);
};

int picture_width(const struct grid *g);
int picture_height(const struct grid *g);
/* What the picture is filled with before its cells are painted: the background of ROLE_TEXT. */
unsigned picture_background(int colors);
/* Paints the cells, row by row: backgrounds first, then shapes and texts. `colors` as in screenshot_write. */
void paint_grid(const struct grid *g, int colors, struct cell_painter *p);

#endif
