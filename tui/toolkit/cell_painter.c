#include "tui/toolkit/cell_painter.h"

#include <string.h>

#include "base/buf.h"
#include "tui/toolkit/color_distance.h"
#include "tui/toolkit/theme.h"

/* What a theme's `default` becomes, since a picture has no terminal: light gray on near black. */
enum { DEFAULT_FOREGROUND = 252, DEFAULT_BACKGROUND = 233 };

int picture_width(const struct grid *g)
{
	return g->w * CELL_WIDTH + 2 * PICTURE_MARGIN;
}

int picture_height(const struct grid *g)
{
	return g->h * CELL_HEIGHT + 2 * PICTURE_MARGIN;
}

/* --- colors --- */
struct cell_paint {
	unsigned fg, bg;
	bool bold, underline;
};

static unsigned palette_color(short color, short otherwise)
{
	int rgb[3];
	color_to_rgb(color < 0 ? otherwise : color, rgb);
	return (unsigned)rgb[0] << 16 | (unsigned)rgb[1] << 8 | (unsigned)rgb[2];
}

/* `percent` of a, the rest of b. */
static unsigned mix_colors(unsigned a, unsigned b, unsigned percent)
{
	unsigned mixed = 0;
	for (int shift = 0; shift <= 16; shift += 8)
		mixed |= ((a >> shift & 255) * percent + (b >> shift & 255) * (100 - percent)) / 100 << shift;
	return mixed;
}

static struct cell_paint cell_paint_of(const struct cell *c, int colors)
{
	struct cell_style s = theme_cell_style((enum role)c->role, colors);
	struct cell_paint paint = {palette_color(s.fg, DEFAULT_FOREGROUND), palette_color(s.bg, DEFAULT_BACKGROUND),
		s.attr & STYLE_ATTR_BOLD || c->attr & ATTR_BOLD,
		s.attr & STYLE_ATTR_UNDERLINE || c->attr & ATTR_UNDERLINE};
	if (s.attr & STYLE_ATTR_DIM)
		paint.fg = mix_colors(paint.fg, paint.bg, 60);
	if (!(s.attr & STYLE_ATTR_REVERSE) != !(c->attr & ATTR_REVERSE)) {
		unsigned fg = paint.fg;
		paint.fg = paint.bg;
		paint.bg = fg;
	}
	return paint;
}

static bool same_paint(struct cell_paint a, struct cell_paint b)
{
	return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.underline == b.underline;
}

unsigned picture_background(int colors)
{
	return palette_color(theme_cell_style(ROLE_TEXT, colors).bg, DEFAULT_BACKGROUND);
}

/* --- shapes --- */
/* A box-drawing character is up to four lines from the middle of the cell: 0 none, 1 light, 2 heavy. */
static const struct box_lines {
	unsigned code;
	unsigned char left, right, up, down;
} box_table[] = {
	{0x2500, 1, 1, 0, 0}, /* ─ */
	{0x2501, 2, 2, 0, 0}, /* ━ */
	{0x2502, 0, 0, 1, 1}, /* │ */
	{0x2503, 0, 0, 2, 2}, /* ┃ */
	{0x250c, 0, 1, 0, 1}, /* ┌ */
	{0x250f, 0, 2, 0, 2}, /* ┏ */
	{0x2510, 1, 0, 0, 1}, /* ┐ */
	{0x2513, 2, 0, 0, 2}, /* ┓ */
	{0x2514, 0, 1, 1, 0}, /* └ */
	{0x2517, 0, 2, 2, 0}, /* ┗ */
	{0x2518, 1, 0, 1, 0}, /* ┘ */
	{0x251b, 2, 0, 2, 0}, /* ┛ */
	{0x251c, 0, 1, 1, 1}, /* ├ */
	{0x2524, 1, 0, 1, 1}, /* ┤ */
	{0x252c, 1, 1, 0, 1}, /* ┬ */
	{0x2534, 1, 1, 1, 0}, /* ┴ */
	{0x253c, 1, 1, 1, 1}, /* ┼ */
};

struct cell_brush {
	struct cell_painter *p;
	int x, y; /* the cell's corner */
	struct cell_paint paint;
};

static void fill_part(const struct cell_brush *b, int x, int y, int w, int h, unsigned rgb)
{
	b->p->fill(b->p, (struct rect){b->x + x, b->y + y, w, h}, rgb);
}

static bool paint_box_lines(const struct cell_brush *b, unsigned code)
{
	enum { MIDDLE_X = CELL_WIDTH / 2, MIDDLE_Y = CELL_HEIGHT / 2 };
	const struct box_lines *l = NULL;
	for (size_t i = 0; i < sizeof box_table / sizeof *box_table; i++)
		if (box_table[i].code == code)
			l = &box_table[i];
	if (!l)
		return false;
	int wide = l->left > l->right ? l->left : l->right, high = l->up > l->down ? l->up : l->down;
	int from = l->left ? 0 : MIDDLE_X, to = l->right ? CELL_WIDTH : MIDDLE_X + high;
	int top = l->up ? 0 : MIDDLE_Y, bottom = l->down ? CELL_HEIGHT : MIDDLE_Y + wide;
	if (wide)
		fill_part(b, from, MIDDLE_Y, to - from, wide, b->paint.fg);
	if (high)
		fill_part(b, MIDDLE_X, top, high, bottom - top, b->paint.fg);
	return true;
}

/* U+2580..U+259F: eighths from below or from the left, halves, shades, quadrants. */
static bool paint_block(const struct cell_brush *b, unsigned code)
{
	/* Which of upper left, upper right, lower left, lower right are filled: bits 0..3; from U+2596. */
	static const unsigned char quadrants[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
	enum { W = CELL_WIDTH, H = CELL_HEIGHT };
	unsigned fg = b->paint.fg;
	if (code < 0x2580 || code > 0x259f)
		return false;
	int eighths = code <= 0x2588 ? (int)code - 0x2580 : 0x2590 - (int)code;
	if (code == 0x2580)
		fill_part(b, 0, 0, W, H / 2, fg);
	else if (code <= 0x2588)
		fill_part(b, 0, H - eighths * H / 8, W, eighths * H / 8, fg);
	else if (code <= 0x258f)
		fill_part(b, 0, 0, eighths * W / 8, H, fg);
	else if (code == 0x2590)
		fill_part(b, W / 2, 0, W / 2, H, fg);
	else if (code <= 0x2593)
		fill_part(b, 0, 0, W, H, mix_colors(fg, b->paint.bg, 15 + (code - 0x2590) * 20));
	else if (code == 0x2594)
		fill_part(b, 0, 0, W, H / 8, fg);
	else if (code == 0x2595)
		fill_part(b, W - W / 8, 0, W / 8, H, fg);
	else
		for (int q = 0; q < 4; q++)
			if (quadrants[code - 0x2596] >> q & 1)
				fill_part(b, q % 2 * W / 2, q / 2 * H / 2, W / 2, H / 2, fg);
	return true;
}

static bool paint_braille(const struct cell_brush *b, unsigned code)
{
	static const unsigned char column[] = {0, 0, 0, 1, 1, 1, 0, 1}, row[] = {0, 1, 2, 0, 1, 2, 3, 3};
	if (code < 0x2800 || code > 0x28ff)
		return false;
	for (int bit = 0; bit < 8; bit++)
		if (code >> bit & 1)
			b->p->dot(b->p, b->x + CELL_WIDTH / 4 + column[bit] * CELL_WIDTH / 2,
				b->y + CELL_HEIGHT / 8 + row[bit] * CELL_HEIGHT / 4, b->paint.fg);
	return true;
}

static unsigned cell_code(const struct cell *c)
{
	const unsigned char *s = (const unsigned char *)c->utf8;
	return s[0] < 0x80    ? s[0]
		: s[0] < 0xe0 ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu)
			      : (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
}

static bool paint_shape(const struct cell_brush *b, unsigned code)
{
	if (code == 0x254e) { /* ╎, two dashes */
		fill_part(b, CELL_WIDTH / 2, 1, 1, CELL_HEIGHT / 2 - 2, b->paint.fg);
		fill_part(b, CELL_WIDTH / 2, CELL_HEIGHT / 2 + 1, 1, CELL_HEIGHT / 2 - 2, b->paint.fg);
		return true;
	}
	return paint_box_lines(b, code) || paint_block(b, code) || paint_braille(b, code);
}

/* --- rows --- */
static int column_x(int column)
{
	return PICTURE_MARGIN + column * CELL_WIDTH;
}

static int row_y(int row)
{
	return PICTURE_MARGIN + row * CELL_HEIGHT;
}

static void paint_row_backgrounds(const struct grid *g, int colors, int row, struct cell_painter *p)
{
	const struct cell *cells = g->cells + row * g->w;
	unsigned page = picture_background(colors);
	for (int x = 0, to; x < g->w; x = to) {
		unsigned bg = cell_paint_of(&cells[x], colors).bg;
		for (to = x + 1; to < g->w && cell_paint_of(&cells[to], colors).bg == bg; to++)
			;
		if (bg != page)
			p->fill(p, (struct rect){column_x(x), row_y(row), (to - x) * CELL_WIDTH, CELL_HEIGHT}, bg);
	}
}

/* Texts are ASCII and Latin letters in one run, which every monospace font has in the same width; other glyphs may come
 * from another font, so that each is a text by itself. A run ends before two blanks: formats may fold them. */
static int text_run_end(const struct grid *g, int colors, const struct cell *cells, int from)
{
	struct cell_paint paint = cell_paint_of(&cells[from], colors);
	int to = from + 1;
	if (cell_code(&cells[from]) > 0x17f)
		return to;
	while (to < g->w && cell_code(&cells[to]) <= 0x17f && same_paint(cell_paint_of(&cells[to], colors), paint)) {
		bool blank = cells[to].utf8[0] == ' ';
		if (blank &&
			(to + 1 == g->w || cell_code(&cells[to + 1]) > 0x17f || cells[to + 1].utf8[0] == ' ' ||
				!same_paint(cell_paint_of(&cells[to + 1], colors), paint)))
			break;
		to++;
	}
	return to;
}

static void paint_text(const struct grid *g, int colors, int row, int from, int to, struct cell_painter *p)
{
	const struct cell *cells = g->cells + row * g->w;
	struct cell_paint paint = cell_paint_of(&cells[from], colors);
	struct buf text = {0};
	for (int x = from; x < to; x++)
		buf_puts(&text, cells[x].utf8);
	p->text(p, column_x(from), row_y(row) + CELL_BASELINE, text.data, to - from, paint.fg, paint.bold);
	buf_free(&text);
}

static void paint_row(const struct grid *g, int colors, int row, struct cell_painter *p)
{
	const struct cell *cells = g->cells + row * g->w;
	for (int x = 0; x < g->w;) {
		struct cell_brush b = {p, column_x(x), row_y(row), cell_paint_of(&cells[x], colors)};
		int to = x + 1;
		if (!paint_shape(&b, cell_code(&cells[x])) && cells[x].utf8[0] != ' ') {
			to = text_run_end(g, colors, cells, x);
			paint_text(g, colors, row, x, to, p);
		}
		if (b.paint.underline)
			fill_part(&b, 0, CELL_BASELINE + 2, (to - x) * CELL_WIDTH, 1, b.paint.fg);
		x = to;
	}
}

void paint_grid(const struct grid *g, int colors, struct cell_painter *p)
{
	for (int y = 0; y < g->h; y++)
		paint_row_backgrounds(g, colors, y, p);
	for (int y = 0; y < g->h; y++)
		paint_row(g, colors, y, p);
}
