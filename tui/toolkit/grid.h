/* The screen's own cell grid: one UTF-8 glyph, a colour role and attributes a cell. Views draw here and nowhere else; a
 * terminal is one back end of it, a text dump another. Everything clips. */
#ifndef TUI_TOOLKIT_GRID_H
#define TUI_TOOLKIT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text_width.h"

struct rect {
	int x, y, w, h;
}; /* w or h 0: not there */

enum { ATTR_REVERSE = 1, ATTR_BOLD = 2, ATTR_UNDERLINE = 4 };

struct cell {
	char utf8[5];
	uint8_t role, attr;
};

/* What the mouse means on a part of the screen: names of actions (keymap.h), NULL for none, and their argument. With
 * `part` how far along the width the pointer stands, 0..1, follows as another word of a click's argument. */
struct mouse_region {
	struct rect r;
	const char *click, *up, *down;
	char argument[120];
	bool part;
};

struct grid {
	int w, h;
	bool ascii;                /* nothing beyond ASCII gets in: glyphs are spelled another way */
	struct cell *cells;        /* row-major, owned */
	struct mouse_region *hits; /* owned; what was drawn last lies on top */
	int hit_count;
};

void grid_resize(struct grid *g, int w, int h); /* and clears; a size below 1 becomes 1 */
void grid_clear(struct grid *g);
void grid_free(struct grid *g);
/* All rows with newlines, trailing spaces cut; the caller frees it. */
char *grid_dump_text(const struct grid *g);
/* The same with the letter of each cell's role (theme.h) in place of what it shows; ^ where the cell is in reverse. */
char *grid_dump_roles(const struct grid *g);

/* A part of the grid that a view draws into, with its own origin. */
struct area {
	struct grid *g;
	struct rect r;
};

struct area area_of_grid(struct grid *g, struct rect r);
struct area area_inner(struct area a);                           /* without its frame */
struct area area_sub(struct area a, int x, int y, int w, int h); /* clipped to `a` */
/* Text from column x of row y, up to the right end; control characters become spaces, what takes not exactly one column
 * becomes '?'. Returns the columns used (also when they were clipped). */
int area_draw_text(struct area a, int x, int y, int role, const char *text);
int area_printf(struct area a, int x, int y, int role, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* At most `w` columns: cut with a mark when longer. */
void area_draw_fitted(struct area a, int x, int y, int w, int role, const char *text);
void area_draw_right(struct area a, int right, int y, int role, const char *text); /* ends before column `right` */
void area_draw_glyph(struct area a, int x, int y, int role, const char *utf8);
void area_add_attr(struct area a, int x, int y, int w, unsigned attr); /* adds to the cells there */
void area_clear(struct area a);
/* The mouse's meaning of a part of the area; h->r is filled in. Views that leave it out still have the wheel, as arrow
 * keys. */
void area_add_hit(struct area a, int x, int y, int w, int h, struct mouse_region hit);
/* A frame with its titles in the upper edge; the focused one is drawn heavy. */
void area_draw_frame(struct area a, bool focused, const char *left, const char *right);

#endif
