/* The cell grid that all views draw into: each cell has one UTF-8 glyph, a role (theme.h) and attributes. Terminal,
 * text dump and screenshot show it. All drawing is clipped to the grid and to the area. */
#ifndef TUI_TOOLKIT_GRID_H
#define TUI_TOOLKIT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text_width.h"

struct rect {
	int x, y, w, h;
}; /* w or h 0: absent */

enum { ATTR_REVERSE = 1, ATTR_BOLD = 2, ATTR_UNDERLINE = 4 };

struct cell {
	char utf8[5];
	uint8_t role, attr;
};

/* What the mouse does on a part of the screen: names of actions for a click and for the wheel (NULL: none), and their
 * argument. With `part`, a click appends the position of the pointer along the width, 0..1, as another word. */
struct mouse_region {
	struct rect r;
	const char *click, *up, *down;
	char argument[120];
	bool part;
};

struct grid {
	int w, h;
	bool ascii;                /* other characters become ASCII ones */
	struct cell *cells;        /* row-major, owned */
	struct mouse_region *hits; /* owned; the last one is on top */
	int hit_count;
};

void grid_resize(struct grid *g, int w, int h); /* clears it; a size below 1 becomes 1 */
void grid_clear(struct grid *g);
void grid_free(struct grid *g);
/* All rows, each with a newline and without trailing spaces; the caller frees it. */
char *grid_dump_text(const struct grid *g);
/* The same with the letter of each cell's role (theme.h) instead of its glyph; ^ for a cell in reverse. */
char *grid_dump_roles(const struct grid *g);

/* A part of the grid. Coordinates of drawing functions are relative to its upper left corner. */
struct area {
	struct grid *g;
	struct rect r;
};

struct area area_of_grid(struct grid *g, struct rect r);
struct area area_inner(struct area a);                           /* without the outer row and column on each side */
struct area area_sub(struct area a, int x, int y, int w, int h); /* clipped to `a` */
/* Draws text from column x of row y. Text that leaves the area ends there with an ellipsis: nothing is cut unseen. It
 * is the only way to draw text; area_draw_glyph draws what is no text. Control characters become spaces; characters
 * that are not one column wide become
 * '?'. Returns the width of the text, including what was clipped. */
int area_draw_text(struct area a, int x, int y, int role, const char *text);
int area_printf(struct area a, int x, int y, int role, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Draws at most `w` columns. */
void area_draw_fitted(struct area a, int x, int y, int w, int role, const char *text);
/* The text as area_draw_fitted would draw it, for texts that are composed first. */
char *text_shorten(const char *text, int columns, bool ascii, char *out, size_t size);
void area_draw_right(struct area a, int right, int y, int role, const char *text); /* ends before column `right` */
void area_draw_glyph(struct area a, int x, int y, int role, const char *utf8);
void area_add_attr(struct area a, int x, int y, int w, unsigned attr); /* keeps the other attributes */
void area_clear(struct area a);
/* Sets what the mouse does on a part of the area; fills in hit.r. Elsewhere the wheel works as arrow keys. */
void area_add_hit(struct area a, int x, int y, int w, int h, struct mouse_region hit);
/* Draws a frame with titles in its upper edge; a focused one has heavy lines. */
void area_draw_frame(struct area a, bool focused, const char *left, const char *right);

#endif
