/* Roles say what a cell means, and a theme says how each role looks. Also the glyphs, in UTF-8 and in ASCII.
 *
 * A theme is a file share/themes/NAME.theme, or themes/NAME.theme in the user's configuration folder, which takes
 * precedence. Its lines (base/conf_file.h):
 *   about = TEXT
 *   background = COLOR                behind every role without a background of its own
 *   ROLE = COLOR [on COLOR] [bold] [dim] [reverse] [underline]
 * A COLOR is `default` (the terminal's own), 16..255 of the 256-color palette, or #rrggbb, which is rounded to that
 * palette. 245/8/7 also sets the color for terminals with 16 (0..15) and with 8 colors (0..7); without them, the
 * nearest color is used.
 *
 * Color never carries a meaning alone: cells of different roles also differ in glyph, text or position. */
#ifndef TUI_TOOLKIT_THEME_H
#define TUI_TOOLKIT_THEME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/conf_file.h"

/*    id         name         letter  use. The script command `colors` prints the letters (screen_script.h). */
/* clang-format off */
#define ROLES(X) \
	X(TEXT,      "text",      '.', "text") \
	X(DIM,       "dim",       'd', "secondary text: units, hints, help") \
	X(TITLE,     "title",     't', "titles") \
	X(FRAME,     "frame",     'f', "frames, axes") \
	X(FOCUS,     "focus",     'F', "the frame of the focused pane") \
	X(KEY,       "key",       'k', "keys") \
	X(SELECTED,  "selected",  'S', "the selected row") \
	X(CHAPTER,   "chapter",   'c', "chapter names in the list of experiments") \
	X(LEFT,      "left",      'l', "the left y axis and its curves") \
	X(RIGHT,     "right",     'r', "the right y axis and its curves") \
	X(PREVIOUS,  "previous",  'g', "the previous curve") \
	X(PINNED,    "pinned",    'p', "the first pinned curve") \
	X(PINNED2,   "pinned-2",  'T', "the second pinned curve") \
	X(PINNED3,   "pinned-3",  'U', "the third pinned curve") \
	X(PINNED4,   "pinned-4",  'X', "the fourth pinned curve") \
	X(PUBLISHED, "published", 'P', "published values") \
	X(RULER,     "ruler",     'u', "vertical lines in the plot: cache capacities, the cursor") \
	X(CURSOR,    "cursor",    'C', "the cursor") \
	X(STRIP,     "strip",     's', "clock readings") \
	X(OK,        "ok",        'o', "success") \
	X(WARN,      "warn",      'w', "warnings") \
	X(BAD,       "bad",       'b', "errors") \
	X(RECORD,    "record",    'R', "the recording indicator") \
	X(ENTRY,     "entry",     'e', "the line being typed") \
	X(KNEE,      "knee",      'n', "knees of a curve") \
	X(RULER_NAME, "ruler-name", 'N', "names of the vertical lines") \
	X(STALL_ISSUE, "stall-issue", 'i', "cycles by stall reason: issuing") \
	X(STALL_FRONT, "stall-front", 'I', "cycles by stall reason: fetching and scheduling") \
	X(STALL_WAIT, "stall-wait", 'W', "cycles by stall reason: waiting for other waves") \
	X(STALL_LDS, "stall-lds", 'L', "cycles by stall reason: LDS") \
	X(STALL_L1,  "stall-l1",  '1', "cycles by stall reason: L1") \
	X(STALL_L2,  "stall-l2",  '2', "cycles by stall reason: L2") \
	X(STALL_DRAM, "stall-dram", 'D', "cycles by stall reason: DRAM") \
	X(STALL_STORE, "stall-store", 'x', "cycles by stall reason: stores") \
	X(STALL_ISSUE_2, "stall-issue-2", 'a', "the same: issuing, second shade") \
	X(STALL_FRONT_2, "stall-front-2", 'A', "the same: fetching and scheduling, second shade") \
	X(STALL_WAIT_2, "stall-wait-2", 'h', "the same: waiting for other waves, second shade") \
	X(STALL_LDS_2, "stall-lds-2", 'H', "the same: LDS, second shade") \
	X(STALL_L1_2, "stall-l1-2", 'j', "the same: L1, second shade") \
	X(STALL_L2_2, "stall-l2-2", 'J', "the same: L2, second shade") \
	X(STALL_DRAM_2, "stall-dram-2", 'm', "the same: DRAM, second shade") \
	X(STALL_STORE_2, "stall-store-2", 'M', "the same: stores, second shade") \
	X(STALL_ISSUE_3, "stall-issue-3", 'q', "the same: issuing, third shade") \
	X(STALL_FRONT_3, "stall-front-3", 'Q', "the same: fetching and scheduling, third shade") \
	X(STALL_WAIT_3, "stall-wait-3", 'v', "the same: waiting for other waves, third shade") \
	X(STALL_LDS_3, "stall-lds-3", 'V', "the same: LDS, third shade") \
	X(STALL_L1_3, "stall-l1-3", 'y', "the same: L1, third shade") \
	X(STALL_L2_3, "stall-l2-3", 'Y', "the same: L2, third shade") \
	X(STALL_DRAM_3, "stall-dram-3", 'z', "the same: DRAM, third shade") \
	X(STALL_STORE_3, "stall-store-3", 'Z', "the same: stores, third shade") \
	X(HEAT0,     "heat-0",    '5', "heat map: the lowest values") \
	X(HEAT1,     "heat-1",    '6', "heat map: low values") \
	X(HEAT2,     "heat-2",    '7', "heat map: middle values") \
	X(HEAT3,     "heat-3",    '8', "heat map: high values") \
	X(HEAT4,     "heat-4",    '9', "heat map: the highest values")
/* clang-format on */

#define ROLE_ID(id, ...) ROLE_##id,
enum role { ROLES(ROLE_ID) ROLE_COUNT };
#undef ROLE_ID

/* Roles of groups of stall reasons; the variants follow in the same order. */
enum { STALL_COLORS = ROLE_STALL_ISSUE_2 - ROLE_STALL_ISSUE, STALL_COLOR_VARIANTS = 3 };

enum { STYLE_ATTR_BOLD = 1, STYLE_ATTR_DIM = 2, STYLE_ATTR_REVERSE = 4, STYLE_ATTR_UNDERLINE = 8 };
struct cell_style {
	short fg, bg; /* color numbers of the terminal; -1: its default */
	unsigned attr;
};

char role_letter(enum role role);

/* The style of a role in the current theme, on a terminal with `colors` colors (0: none). */
struct cell_style theme_cell_style(enum role role, int colors);
/* Makes the theme of that name the current one. Mistakes in its file go to `bad`; a role without a valid line has the
 * terminal's default style. False when there is no such theme; the current one stays. */
bool theme_load(const char *name, conf_error_handler *bad, void *ctx, struct err *e);
const char *theme_name(void); /* of the current theme; "" before the first one */
bool theme_exists(const char *name, struct err *e);
/* All themes, the user's included, sorted by name. The caller frees each name and the list. */
size_t theme_list(char ***names);
char *theme_read_about(const char *name); /* its description; the caller frees it */

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
	X(EDGE, "[", "[") \
	X(LEVEL0, "▁", "_") X(LEVEL1, "▂", "_") X(LEVEL2, "▃", "-") X(LEVEL3, "▄", "-") \
	X(LEVEL4, "▅", "=") X(LEVEL5, "▆", "=") X(LEVEL6, "▇", "#") X(LEVEL7, "█", "#")
/* clang-format on */

#define GLYPH_ID(id, utf8, ascii) GLYPH_##id,
enum glyph { GLYPHS(GLYPH_ID) GLYPH_COUNT };
#undef GLYPH_ID

const char *glyph_text(bool ascii, enum glyph g);
/* Whether the locale's character set is UTF-8; call setlocale first. */
bool locale_is_utf8(void);

#endif
