#include "tui/toolkit/large_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The letters of the font "4x6" of the X Window System (misc-fixed, public domain), from the space on: six rows of four
 * bits, the top row first. A letter is as wide as its shape. */
/* clang-format off */
static const uint32_t letter_shapes[] = {
	0x000000, /*   */
	0x444040, /* ! */
	0xAA0000, /* " */
	0xAFAFA0, /* # */
	0x4EC2E4, /* $ */
	0x824820, /* % */
	0x4A4A50, /* & */
	0x440000, /* ' */
	0x244442, /* ( */
	0x844448, /* ) */
	0xA4E4A0, /* asterisk */
	0x44E440, /* + */
	0x000048, /* , */
	0x00E000, /* - */
	0x000040, /* . */
	0x224880, /* slash */
	0xEAAAE0, /* 0 */
	0x4C44E0, /* 1 */
	0x4A24E0, /* 2 */
	0xE242C0, /* 3 */
	0xAAE220, /* 4 */
	0xE8C2C0, /* 5 */
	0x68CA40, /* 6 */
	0xE24880, /* 7 */
	0xEAEAE0, /* 8 */
	0x4A62C0, /* 9 */
	0x040040, /* : */
	0x040048, /* ; */
	0x248420, /* < */
	0x0E0E00, /* = */
	0x842480, /* > */
	0xC24040, /* ? */
	0x6AA860, /* @ */
	0x4AEAA0, /* A */
	0xCACAC0, /* B */
	0x4A8A40, /* C */
	0xCAAAC0, /* D */
	0xE8C8E0, /* E */
	0xE8C880, /* F */
	0x68AA60, /* G */
	0xAAEAA0, /* H */
	0xE444E0, /* I */
	0x222A40, /* J */
	0xAACAA0, /* K */
	0x8888E0, /* L */
	0xAEEAA0, /* M */
	0x2AEA80, /* N */
	0x4AAA40, /* O */
	0xCAC880, /* P */
	0x4AAA42, /* Q */
	0xCACAA0, /* R */
	0x6842C0, /* S */
	0xE44440, /* T */
	0xAAAAE0, /* U */
	0xAAAE40, /* V */
	0xAAEEA0, /* W */
	0xAA4AA0, /* X */
	0xAA4440, /* Y */
	0xE248E0, /* Z */
	0x644460, /* [ */
	0x884220, /* backslash */
	0xC444C0, /* ] */
	0x4A0000, /* ^ */
	0x00000E, /* _ */
	0x420000, /* ` */
	0x06AA60, /* a */
	0x8CAAC0, /* b */
	0x068860, /* c */
	0x26AA60, /* d */
	0x04AC60, /* e */
	0x24E440, /* f */
	0x06A62C, /* g */
	0x8CAAA0, /* h */
	0x40C4E0, /* i */
	0x20222C, /* j */
	0x8ACAA0, /* k */
	0xC444E0, /* l */
	0x0AEAA0, /* m */
	0x0CAAA0, /* n */
	0x04AA40, /* o */
	0x0CAC88, /* p */
	0x06AA62, /* q */
	0x0AC880, /* r */
	0x06C2C0, /* s */
	0x4E4420, /* t */
	0x0AAA60, /* u */
	0x0AAA40, /* v */
	0x0AAEA0, /* w */
	0x0A44A0, /* x */
	0x0AA62C, /* y */
	0x0E24E0, /* z */
	0x24C442, /* { */
	0x444440, /* | */
	0x846448, /* } */
	0x5A0000, /* ~ */
};
/* clang-format on */

enum { SHAPE_ROWS = 6, SPACE_PIXELS = 3, LINE_PIXELS_MAX = 1024 };

/* Letters that need more than three columns of pixels to be told apart; the leftmost pixel is the bit 4. */
static const struct {
	char letter;
	unsigned char rows[SHAPE_ROWS];
} wide_letters[] = {
	{'M', {0x11, 0x1b, 0x15, 0x11, 0x11, 0}},
	{'N', {0x12, 0x1a, 0x16, 0x12, 0x12, 0}},
	{'W', {0x11, 0x11, 0x15, 0x15, 0x0a, 0}},
	{'m', {0, 0x1e, 0x15, 0x15, 0x15, 0}},
	{'w', {0, 0x11, 0x15, 0x15, 0x0a, 0}},
};

/* --- letters --- */
/* Pixels of a letter: bit 0 of a row is its leftmost one. */
struct letter {
	int width; /* with the blank column behind it */
	unsigned char rows[SHAPE_ROWS];
};

static void set_pixel_rows(struct letter *l, const unsigned char *rows, int columns)
{
	unsigned char any = 0;
	int first = 0, last = 0;
	for (int y = 0; y < SHAPE_ROWS; y++)
		any |= rows[y];
	while (any && !(any >> (columns - 1 - first) & 1))
		first++;
	for (int x = first; x < columns; x++) {
		if (any >> (columns - 1 - x) & 1)
			last = x;
		for (int y = 0; y < SHAPE_ROWS; y++)
			l->rows[y] |= (unsigned char)((rows[y] >> (columns - 1 - x) & 1) << (x - first));
	}
	l->width = any ? last - first + 2 : SPACE_PIXELS;
}

static struct letter find_letter(unsigned c)
{
	struct letter l = {0};
	unsigned char rows[SHAPE_ROWS];
	for (size_t i = 0; i < sizeof wide_letters / sizeof *wide_letters; i++)
		if ((unsigned char)wide_letters[i].letter == c) {
			set_pixel_rows(&l, wide_letters[i].rows, 5);
			return l;
		}
	uint32_t shape = letter_shapes[c >= ' ' && c <= '~' ? c - ' ' : '?' - ' '];
	for (int y = 0; y < SHAPE_ROWS; y++)
		rows[y] = shape >> (20 - 4 * y) & 0xf;
	set_pixel_rows(&l, rows, 4);
	return l;
}

static int text_pixels(const char *text, const char *end)
{
	int pixels = 0;
	while (text < end)
		pixels += find_letter(text_decode(&text)).width;
	return pixels;
}

/* --- sizes --- */
/* Columns of pixels in a cell. */
static int cell_width(enum large_letters size)
{
	return size == LETTERS_NARROW ? 2 : 1;
}

int large_text_width(enum large_letters size, const char *text)
{
	int cell = cell_width(size);
	return (text_pixels(text, text + strlen(text)) + cell - 1) / cell;
}

/* The end of the line: at the last blank that fits, at least one letter. */
static const char *find_line_end(enum large_letters size, const char *text, int width)
{
	int room = width * cell_width(size), used = 0;
	const char *blank = NULL, *at = text;
	if (room > LINE_PIXELS_MAX)
		room = LINE_PIXELS_MAX;
	while (*at) {
		const char *before = at;
		used += find_letter(text_decode(&at)).width;
		if (*before == ' ')
			blank = before;
		else if (used - 1 > room && before > text) /* the last column of a line may be blank */
			return blank && blank > text ? blank : before;
	}
	return at;
}

int large_text_height(enum large_letters size, const char *text, int width)
{
	int rows = 0;
	while (*text) {
		text = find_line_end(size, text, width);
		text += strspn(text, " ");
		rows += LARGE_TEXT_ROWS;
	}
	return rows;
}

/* --- drawing --- */
struct pixel_line {
	bool on[SHAPE_ROWS][LINE_PIXELS_MAX + 8];
	int width;
};

static void set_pixel_line(struct pixel_line *p, const char *text, const char *end)
{
	memset(p, 0, sizeof *p);
	while (text < end) {
		struct letter l = find_letter(text_decode(&text));
		for (int y = 0; y < SHAPE_ROWS; y++)
			for (int x = 0; x < l.width && p->width + x < LINE_PIXELS_MAX; x++)
				p->on[y][p->width + x] = l.rows[y] >> x & 1;
		p->width += l.width;
	}
	p->width = p->width < LINE_PIXELS_MAX ? p->width : LINE_PIXELS_MAX;
}

/* Two rows of pixels per row of cells: bit 0 of the index is the upper one. */
static void draw_block_line(struct area at, int y, int role, const struct pixel_line *p)
{
	static const char *const halves[] = {" ", "▀", "▄", "█"};
	for (int row = 0; row < SHAPE_ROWS / 2; row++)
		for (int x = 0; x < p->width; x++) {
			int index = p->on[2 * row][x] | p->on[2 * row + 1][x] << 1;
			if (index)
				area_draw_glyph(at, x, y + row, role, halves[index]);
		}
}

/* Two columns and two rows of pixels per cell: bits 0 and 1 of the index are the upper ones. */
static void draw_quarter_line(struct area at, int y, int role, const struct pixel_line *p)
{
	static const char *const quarters[] = {
		" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
	for (int row = 0; row < SHAPE_ROWS / 2; row++)
		for (int x = 0; x < p->width; x += 2) {
			const bool *upper = p->on[2 * row] + x, *lower = p->on[2 * row + 1] + x;
			int index = upper[0] | upper[1] << 1 | lower[0] << 2 | lower[1] << 3;
			if (index)
				area_draw_glyph(at, x / 2, y + row, role, quarters[index]);
		}
}

int draw_large_text(enum large_letters size, struct area at, int y, int role, const char *text)
{
	int rows = 0;
	while (*text) {
		struct pixel_line p;
		const char *end = find_line_end(size, text, at.r.w);
		set_pixel_line(&p, text, end);
		if (size == LETTERS_NARROW)
			draw_quarter_line(at, y + rows, role, &p);
		else
			draw_block_line(at, y + rows, role, &p);
		text = end + strspn(end, " ");
		rows += LARGE_TEXT_ROWS;
	}
	return rows;
}
