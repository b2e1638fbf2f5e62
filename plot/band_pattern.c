#include "plot/band_pattern.h"

#include <stddef.h>

#include "plot/series_mark.h"

/* Box drawing and block elements are one column wide in every terminal. */
static const struct {
	char letter;
	const char *glyph;
} patterns[] = {
	{'v', "\u2571"},
	{'s', "\u2572"},
	{'m', "\u2573"},
	{'b', "\u253c"},
	{'f', "\u2534"},
	{'i', "\u252c"},
	{'d', "\u25c7"},
	{'u', "\u2550"},
	{'z', "\u254c"},
	{'B', "\u2551"},
	{'l', "\u259a"},
	{'X', "\u256c"},
	{'q', "\u256b"},
	{'k', "\u25aa"},
	{'a', "\u256a"},
	{'1', "\u2591"},
	{'F', "\u25ab"},
	{'2', "\u2592"},
	{'c', "\u25a4"},
	{'D', "\u2593"},
	{'Q', "\u25a6"},
	{'H', "\u2588"},
	{'w', "\u25bd"},
	{'.', "\u00b7"},
};

const char *band_pattern_text(char letter, bool ascii)
{
	for (size_t i = 0; !ascii && i < sizeof patterns / sizeof *patterns; i++)
		if (patterns[i].letter == letter)
			return patterns[i].glyph;
	return mark_text(letter, true);
}
