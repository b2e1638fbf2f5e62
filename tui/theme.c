#include "tui/theme.h"

#include <langinfo.h>
#include <strings.h>

/* One row a role. Colours of the 256 palette (xterm), then of 16 and of 8; attributes with colour, attributes without. */
static const struct { short fg256, bg256, fg16, fg8; unsigned attr, mono; } looks[ROLE_COUNT] = {
	[ROLE_TEXT]      = { -1, -1, -1, -1, 0, 0 },
	[ROLE_DIM]       = { 245, -1, 8, 7, 0, LOOK_DIM },
	[ROLE_TITLE]     = { 255, -1, 15, 7, LOOK_BOLD, LOOK_BOLD },
	[ROLE_FRAME]     = { 240, -1, 8, 4, 0, LOOK_DIM },
	[ROLE_FOCUS]     = { 75, -1, 12, 6, LOOK_BOLD, LOOK_BOLD },
	[ROLE_KEY]       = { 75, -1, 14, 6, LOOK_BOLD, LOOK_BOLD },
	[ROLE_SELECTED]  = { 231, 24, 15, 7, LOOK_BOLD, LOOK_REVERSE },
	[ROLE_CHAPTER]   = { 109, -1, 6, 6, 0, 0 },
	[ROLE_LEFT]      = { 80, -1, 14, 6, 0, LOOK_BOLD },
	[ROLE_RIGHT]     = { 215, -1, 11, 3, 0, 0 },
	[ROLE_GHOST]     = { 239, -1, 8, 4, 0, LOOK_DIM },
	[ROLE_PINNED]    = { 176, -1, 13, 5, 0, 0 },
	[ROLE_PUBLISHED] = { 65, -1, 2, 2, 0, LOOK_DIM },
	[ROLE_RULER]     = { 237, -1, 8, 4, 0, LOOK_DIM },
	[ROLE_CURSOR]    = { 255, -1, 15, 7, LOOK_BOLD, LOOK_BOLD },
	[ROLE_STRIP]     = { 67, -1, 4, 4, 0, 0 },
	[ROLE_OK]        = { 114, -1, 10, 2, 0, 0 },
	[ROLE_WARN]      = { 221, -1, 11, 3, LOOK_BOLD, LOOK_BOLD },
	[ROLE_BAD]       = { 203, -1, 9, 1, LOOK_BOLD, LOOK_REVERSE },
	[ROLE_RECORD]    = { 203, -1, 9, 1, LOOK_BOLD, LOOK_BOLD },
	[ROLE_KNEE]      = { 222, -1, 11, 3, LOOK_BOLD, LOOK_BOLD },
	[ROLE_RULER_NAME] = { 245, -1, 8, 4, 0, LOOK_DIM },
	[ROLE_CAUSE_ISSUE] = { 68, -1, 12, 4, 0, 0 },
	[ROLE_CAUSE_FRONT] = { 141, -1, 5, 5, 0, 0 },
	[ROLE_CAUSE_WAIT] = { 250, -1, 7, 7, 0, 0 },
	[ROLE_CAUSE_LDS] = { 176, -1, 13, 5, 0, 0 },
	[ROLE_CAUSE_L1]  = { 114, -1, 10, 2, 0, 0 },
	[ROLE_CAUSE_L2]  = { 179, -1, 11, 3, 0, 0 },
	[ROLE_CAUSE_DRAM] = { 167, -1, 9, 1, 0, 0 },
	[ROLE_CAUSE_STORE] = { 102, -1, 6, 6, 0, 0 },
	[ROLE_ENTRY]     = { 231, 236, 15, 7, 0, LOOK_UNDERLINE },
};

struct look theme_look(enum role role, int colours)
{
	if (role < 0 || role >= ROLE_COUNT)
		role = ROLE_TEXT;
	if (colours < 8)
		return (struct look){ -1, -1, looks[role].mono };
	struct look l = { looks[role].fg256, looks[role].bg256, looks[role].attr };
	if (colours < 256) {
		/* Backgrounds of small palettes are too loud: reverse video instead. */
		l = (struct look){ colours < 16 ? looks[role].fg8 : looks[role].fg16, -1, looks[role].attr };
		if (looks[role].bg256 >= 0)
			l.attr |= LOOK_REVERSE;
	}
	return l;
}

#define GLYPH_ROW(id, utf8, ascii) [GLYPH_##id] = { utf8, ascii },
static const char *const glyphs[GLYPH_COUNT][2] = { GLYPHS(GLYPH_ROW) };
#undef GLYPH_ROW

const char *glyph(bool ascii, enum glyph g)
{
	return glyphs[g][ascii];
}

bool locale_is_utf8(void)
{
	return !strcasecmp(nl_langinfo(CODESET), "UTF-8");
}
