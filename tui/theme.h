/* What a cell means (its role) and how that looks: colours for 256, 16 and 8 colours and for none, glyphs for UTF-8 and for ASCII.
 * Colour never carries a meaning alone: every role's cells also differ in their glyph, text or place. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>

enum role {
	ROLE_TEXT, ROLE_DIM, ROLE_TITLE, ROLE_FRAME, ROLE_FOCUS, ROLE_KEY, ROLE_SELECTED, ROLE_CHAPTER,
	ROLE_LEFT, ROLE_RIGHT,           /* the two y axes and their curves */
	ROLE_GHOST, ROLE_PINNED, ROLE_PUBLISHED, ROLE_RULER, ROLE_CURSOR,
	ROLE_STRIP, ROLE_OK, ROLE_WARN, ROLE_BAD, ROLE_RECORD, ROLE_ENTRY,
	ROLE_COUNT
};

enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4, LOOK_UNDERLINE = 8 };
struct look { short fg, bg; unsigned attr; };  /* colours as the terminal numbers them, -1 its default */

/* How a role looks with `colours` colours (0: none). */
struct look theme_look(enum role role, int colours);

/* Name, UTF-8, ASCII. */
#define GLYPHS(X) \
	X(H, "─", "-") X(V, "│", "|") X(TL, "┌", "+") X(TR, "┐", "+") X(BL, "└", "+") X(BR, "┘", "+") \
	X(HEAVY_H, "━", "=") X(HEAVY_V, "┃", "|") X(HEAVY_TL, "┏", "+") X(HEAVY_TR, "┓", "+") \
	X(HEAVY_BL, "┗", "+") X(HEAVY_BR, "┛", "+") \
	X(TICK_LEFT, "┤", "+") X(TICK_RIGHT, "├", "+") X(TICK_X, "┬", "+") X(CORNER_LEFT, "└", "+") X(CORNER_RIGHT, "┘", "+") \
	X(CURSOR, "╎", ":") X(CURSOR_X, "▲", "^") \
	X(SELECT, "▶", ">") X(ELLIPSIS, "…", "~") X(KNOB, "●", "#") X(RAIL, "─", "-") X(RAIL_LEFT, "├", "[") X(RAIL_RIGHT, "┤", "]") \
	X(RANGE, "━", "#") \
	X(LESS, "‹", "<") X(MORE, "›", ">") X(DONE, "█", "#") X(TODO, "░", ".") X(RECORD, "●", "*") X(DOT, "·", "|") \
	X(TIED, "┃", "|") X(HOLDS, "√", "v") \
	X(MOVED, "!", "!") X(FAILED, "×", "x") X(UP, "↑", "^") X(DOWN, "↓", "v") \
	X(LEVEL0, "▁", "_") X(LEVEL1, "▂", "_") X(LEVEL2, "▃", "-") X(LEVEL3, "▄", "-") \
	X(LEVEL4, "▅", "=") X(LEVEL5, "▆", "=") X(LEVEL6, "▇", "#") X(LEVEL7, "█", "#")

#define GLYPH_ID(id, utf8, ascii) GLYPH_##id,
enum glyph { GLYPHS(GLYPH_ID) GLYPH_COUNT };
#undef GLYPH_ID

const char *glyph(bool ascii, enum glyph g);
/* The locale's codeset is UTF-8 (after setlocale). */
bool locale_is_utf8(void);

#endif
