/* What a cell means (its role) and how that looks. A theme is a file that says so, share/themes/NAME.theme or
 * themes/NAME.theme in the person's configuration folder; glyphs are for UTF-8 and for ASCII. Colour never carries a
 * meaning alone: every role's cells also differ in their glyph, text or place.
 *
 * A theme's lines (base/conf_file.h):
 *   about = TEXT
 *   background = COLOUR               behind every role that has none of its own
 *   ROLE = COLOUR [on COLOUR] [bold] [dim] [reverse] [underline]
 * A COLOUR is `default`, the terminal's own; else 16..255 of the 256-colour palette or #rrggbb, which is rounded to it.
 * Behind slashes it may say what stands for it with 16 and with 8 colours, 0..15 and 0..7: 245/8/7; where it does not,
 * the nearest one is taken. */
#ifndef TUI_TOOLKIT_THEME_H
#define TUI_TOOLKIT_THEME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/conf_file.h"

/*    id         name         letter  what it is for. The letters are those of a dump of colours (screen_script.h). */
/* clang-format off */
#define ROLES(X) \
	X(TEXT,      "text",      '.', "what is told") \
	X(DIM,       "dim",       'd', "what is told besides: units, hints, help") \
	X(TITLE,     "title",     't', "titles") \
	X(FRAME,     "frame",     'f', "frames, axes") \
	X(FOCUS,     "focus",     'F', "the frame that has the keys") \
	X(KEY,       "key",       'k', "keys") \
	X(SELECTED,  "selected",  'S', "the row that is chosen") \
	X(CHAPTER,   "chapter",   'c', "chapters of the experiments") \
	X(LEFT,      "left",      'l', "the left y axis and its curves") \
	X(RIGHT,     "right",     'r', "the right y axis and its curves") \
	X(GHOST,     "ghost",     'g', "the curve before this one") \
	X(PINNED,    "pinned",    'p', "curves to compare with") \
	X(PUBLISHED, "published", 'P', "what was published") \
	X(RULER,     "ruler",     'u', "lines in the plot") \
	X(CURSOR,    "cursor",    'C', "what stands at the cursor") \
	X(STRIP,     "strip",     's', "clock readings") \
	X(OK,        "ok",        'o', "all is well") \
	X(WARN,      "warn",      'w', "to be looked at") \
	X(BAD,       "bad",       'b', "wrong") \
	X(RECORD,    "record",    'R', "a recording runs") \
	X(ENTRY,     "entry",     'e', "what is being typed") \
	X(KNEE,      "knee",      'n', "where a curve bends") \
	X(RULER_NAME, "ruler-name", 'N', "the name of a line in the plot") \
	X(STALL_ISSUE, "cause-issue", 'i', "cycles by cause: issuing") \
	X(STALL_FRONT, "cause-front", 'I', "cycles by cause: fetching and scheduling") \
	X(STALL_WAIT, "cause-wait", 'W', "cycles by cause: waiting for one another") \
	X(STALL_LDS, "cause-lds", 'L', "cycles by cause: LDS") \
	X(STALL_L1,  "cause-l1",  '1', "cycles by cause: L1") \
	X(STALL_L2,  "cause-l2",  '2', "cycles by cause: L2") \
	X(STALL_DRAM, "cause-dram", 'D', "cycles by cause: DRAM") \
	X(STALL_STORE, "cause-store", 'x', "cycles by cause: stores")
/* clang-format on */

#define ROLE_ID(id, ...) ROLE_##id,
enum role { ROLES(ROLE_ID) ROLE_COUNT };
#undef ROLE_ID

enum { STYLE_ATTR_BOLD = 1, STYLE_ATTR_DIM = 2, STYLE_ATTR_REVERSE = 4, STYLE_ATTR_UNDERLINE = 8 };
struct cell_style {
	short fg, bg;
	unsigned attr;
}; /* colours as the terminal numbers them, -1 its default */

const char *role_name(enum role role);
char role_letter(enum role role);

/* How a role looks in the present theme with `colours` colours (0: none). */
struct cell_style theme_cell_style(enum role role, int colours);
/* The theme of that name from now on. Mistakes in its file are told; what it does not say is plain. False, and the old
 * one stays, when there is none. */
bool theme_load(const char *name, conf_error_handler *bad, void *ctx, struct err *e);
const char *theme_name(void); /* "" before the first one */
bool theme_exists(const char *name, struct err *e);
/* The themes there are, the person's too, sorted; the caller frees each and the list. */
size_t theme_list(char ***names);
char *theme_read_about(const char *name); /* in a few words; the caller frees it */
bool theme_defines_role(enum role role);  /* whether the theme's file has a line for it */

/* Name, UTF-8, ASCII. */
/* clang-format off */
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
/* clang-format on */

#define GLYPH_ID(id, utf8, ascii) GLYPH_##id,
enum glyph { GLYPHS(GLYPH_ID) GLYPH_COUNT };
#undef GLYPH_ID

const char *glyph_text(bool ascii, enum glyph g);
/* The locale's codeset is UTF-8 (after setlocale). */
bool locale_is_utf8(void);

#endif
