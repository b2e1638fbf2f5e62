#include "tui/digits.h"

#include <string.h>

#include "tui/theme.h"

/* Five rows of three cells each, the top row first; '#' is filled. */
static const char *const figures[] = {
	"####.##.##.####", /* 0 */
	".#.##..#..#.###", /* 1 */
	"###..#####..###", /* 2 */
	"###..####..####", /* 3 */
	"#.##.####..#..#", /* 4 */
	"####..###..####", /* 5 */
	"####..####.####", /* 6 */
	"###..#..#..#..#", /* 7 */
	"####.#####.####", /* 8 */
	"####.####..####", /* 9 */
};

static const char *shape_of(char c)
{
	if (c >= '0' && c <= '9')
		return figures[c - '0'];
	switch (c) {
	case '.': return ".............#.";
	case '-': return "......###......";
	case '%': return "#.#..#.#.#..#.#";
	default: return "...............";
	}
}

int digits_draw(struct area a, int x, int y, int role, bool ascii, const char *text)
{
	int start = x;
	for (; *text; text++, x += DIGIT_COLUMNS) {
		const char *shape = shape_of(*text);
		for (int i = 0; i < 3 * DIGIT_ROWS; i++)
			if (shape[i] == '#')
				area_glyph(a, x + i % 3, y + i / 3, role, glyph(ascii, GLYPH_DONE));
	}
	return x - start;
}

int digits_width(const char *text)
{
	int n = (int)strlen(text) * DIGIT_COLUMNS;
	return n ? n - 1 : 0;
}
