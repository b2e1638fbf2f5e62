#include "tui/toolkit/large_digits.h"

#include <string.h>

#include "tui/toolkit/theme.h"

/* Five rows of three blocks, top row first; '#' is filled. */
static const char *const digit_shapes[] = {
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

static const char *digit_shape(char c)
{
	if (c >= '0' && c <= '9')
		return digit_shapes[c - '0'];
	switch (c) {
	case '.': return ".............#.";
	case '-': return "......###......";
	case '%': return "#.#..#.#.#..#.#";
	default: return "...............";
	}
}

static void draw_block(struct area a, int x, int y, int role, bool ascii, struct block_size size)
{
	for (int i = 0; i < size.w * size.h; i++)
		area_draw_glyph(a, x + i % size.w, y + i / size.w, role, glyph_text(ascii, GLYPH_DONE));
}

int draw_large_digits(struct area a, int x, int y, int role, bool ascii, struct block_size size, const char *text)
{
	int start = x;
	for (; *text; text++, x += DIGIT_COLUMNS * size.w) {
		const char *shape = digit_shape(*text);
		for (int i = 0; i < 3 * DIGIT_ROWS; i++)
			if (shape[i] == '#')
				draw_block(a, x + i % 3 * size.w, y + i / 3 * size.h, role, ascii, size);
	}
	return x - start;
}

int large_digits_width(struct block_size size, const char *text)
{
	int n = (int)strlen(text) * DIGIT_COLUMNS;
	return n ? (n - 1) * size.w : 0;
}
