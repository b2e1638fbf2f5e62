#include "plot/band_pattern.h"

#include <stddef.h>

#include "plot/series_mark.h"

/* One column wide in every terminal, and light: a screen may show them in reverse, as a filled cell. */
static const struct {
	char letter;
	const char *glyph, *color;
} patterns[] = {
	{'v', "\u2571", "#56b4e9"},
	{'g', "\u2567", "#1f78a4"},
	{'s', "\u2572", "#b3e0fa"},
	{'m', "\u2573", "#0072b2"},
	{'b', "\u253c", "#9467bd"},
	{'f', "\u2534", "#c5b0d5"},
	{'i', "\u252c", "#7b5ea7"},
	{'d', "\u25c7", "#e0d3ee"},
	{'y', "\u2564", "#b0a0a0"},
	{'u', "\u2550", "#999999"},
	{'x', "\u2566", "#8c8c6e"},
	{'z', "\u254c", "#cccccc"},
	{'B', "\u2551", "#666666"},
	{'l', "\u2502", "#cc79a7"},
	{'X', "\u256c", "#8e0052"},
	{'q', "\u256b", "#f0c3dd"},
	{'k', "\u25aa", "#66c2a5"},
	{'a', "\u256a", "#b8e6d5"},
	{'1', "\u2500", "#009e73"},
	{'G', "\u255e", "#00c08b"},
	{'F', "\u25ab", "#e6c229"},
	{'2', "\u2506", "#f0a830"},
	{'c', "\u25a4", "#f7dfa0"},
	{'3', "\u255f", "#c98a10"},
	{'D', "\u2504", "#d55e00"},
	{'Q', "\u25a6", "#f2a97a"},
	{'H', "\u25b3", "#8c2d04"},
	{'w', "\u25bd", "#5f8787"},
	{'.', "\u00b7", "#dddddd"},
};

const char *band_pattern_text(char letter, bool ascii)
{
	for (size_t i = 0; !ascii && i < sizeof patterns / sizeof *patterns; i++)
		if (patterns[i].letter == letter)
			return patterns[i].glyph;
	return mark_text(letter, true);
}

const char *band_color(char letter)
{
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (patterns[i].letter == letter)
			return patterns[i].color;
	return "#bbbbbb";
}
