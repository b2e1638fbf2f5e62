#include "tui/toolkit/large_digits.h"

#include <string.h>

#include "tui/toolkit/theme.h"

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

static void block(struct area a, int x, int y, int role, bool ascii, struct block_size size)
{
	for (int i = 0; i < size.w * size.h; i++)
		area_draw_glyph(a, x + i % size.w, y + i / size.w, role, glyph_text(ascii, GLYPH_DONE));
}

int draw_large_digits(struct area a, int x, int y, int role, bool ascii, struct block_size size, const char *text)
{
	int start = x;
	for (; *text; text++, x += DIGIT_COLUMNS * size.w) {
		const char *shape = shape_of(*text);
		for (int i = 0; i < 3 * DIGIT_ROWS; i++)
			if (shape[i] == '#')
				block(a, x + i % 3 * size.w, y + i / 3 * size.h, role, ascii, size);
	}
	return x - start;
}

int large_digits_width(struct block_size size, const char *text)
{
	int n = (int)strlen(text) * DIGIT_COLUMNS;
	return n ? (n - 1) * size.w : 0;
}
