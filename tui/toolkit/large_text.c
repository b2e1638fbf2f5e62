#include "tui/toolkit/large_text.h"

#include <stdint.h>
#include <string.h>

/* The letters of the font "4x6" of the X Window System (misc-fixed, public domain), from the space on: six rows of four
 * bits, the top row first. */
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
	0x4AEA40, /* 0 */
	0x4C44E0, /* 1 */
	0x4A24E0, /* 2 */
	0xE242C0, /* 3 */
	0xAAE220, /* 4 */
	0xE8C2C0, /* 5 */
	0x68CA40, /* 6 */
	0xE24880, /* 7 */
	0x6A4AC0, /* 8 */
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

static uint32_t letter_shape(unsigned c)
{
	return letter_shapes[c >= ' ' && c <= '~' ? c - ' ' : '?' - ' '];
}

/* Two rows of pixels per row of cells: bit 0 of the index is the upper one. */
static void draw_letter(struct area at, int x, int y, int role, uint32_t shape)
{
	static const char *const halves[] = {" ", "▀", "▄", "█"};
	for (int row = 0; row < LARGE_TEXT_ROWS; row++)
		for (int column = 0; column < LARGE_TEXT_COLUMNS; column++) {
			int upper = 23 - 8 * row - column, lower = upper - 4,
			    index = (int)(shape >> upper & 1) | (int)(shape >> lower & 1) << 1;
			if (index)
				area_draw_glyph(at, x + column, y + row, role, halves[index]);
		}
}

static size_t large_line_bytes(const char *text, int width)
{
	int letters = width / LARGE_TEXT_COLUMNS;
	return text_fit_bytes(text, letters > 1 ? letters : 1);
}

int large_text_height(const char *text, int width)
{
	int rows = 0;
	while (*text) {
		text += large_line_bytes(text, width);
		text += strspn(text, " ");
		rows += LARGE_TEXT_ROWS;
	}
	return rows;
}

int draw_large_text(struct area at, int y, int role, const char *text)
{
	int rows = 0;
	while (*text) {
		const char *end = text + large_line_bytes(text, at.r.w);
		for (int x = 0; text < end; x += LARGE_TEXT_COLUMNS)
			draw_letter(at, x, y + rows, role, letter_shape(text_decode(&text)));
		text += strspn(text, " ");
		rows += LARGE_TEXT_ROWS;
	}
	return rows;
}
