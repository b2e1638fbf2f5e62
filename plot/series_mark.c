#include "plot/series_mark.h"

#include <stddef.h>
#include <string.h>

static const struct {
	char mark;
	const char *glyph;
} glyphs[] = {
	{'*', "\u25cf"},
	{'o', "\u25cb"},
	{'+', "+"},
	{'x', "\u00d7"},
	{'#', "\u25a0"},
	{'@', "\u25c6"},
	{'%', "\u25b2"},
	{'&', "\u25bc"},
	{'!', "!"},
};

const char *mark_text(char mark, bool ascii)
{
	/* One string per printable character, so that results of several calls stay valid. */
	static char single[128][2];
	for (size_t i = 0; !ascii && i < sizeof glyphs / sizeof *glyphs; i++)
		if (glyphs[i].mark == mark)
			return glyphs[i].glyph;
	unsigned char c = (unsigned char)mark;
	if (c <= ' ' || c >= 127)
		return "*";
	single[c][0] = mark;
	return single[c];
}

bool text_is_mark(const char *utf8)
{
	for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
		if (!strcmp(utf8, glyphs[i].glyph))
			return true;
	return utf8[0] > ' ' && utf8[0] != '.' && !utf8[1];
}
