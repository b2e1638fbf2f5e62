#include "tui/toolkit/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/toolkit/theme.h"

void grid_resize(struct grid *g, int w, int h)
{
	g->w = w < 1 ? 1 : w;
	g->h = h < 1 ? 1 : h;
	g->cells = xrealloc(g->cells, (size_t)g->w * (size_t)g->h * sizeof *g->cells);
	grid_clear(g);
}

void grid_clear(struct grid *g)
{
	const struct cell blank = {" ", ROLE_TEXT, 0};
	for (int i = 0; i < g->w * g->h; i++)
		g->cells[i] = blank;
	g->hit_count = 0;
}

void grid_free(struct grid *g)
{
	free(g->cells);
	free(g->hits);
	*g = (struct grid){0};
}

static bool is_blank_cell(const struct cell *c)
{
	return c->utf8[0] == ' ' && !c->attr && (c->role == ROLE_TEXT || c->role == ROLE_DIM);
}

static char *dump_rows(const struct grid *g, bool roles)
{
	struct buf out = {0};
	for (int y = 0; y < g->h; y++) {
		const struct cell *row = g->cells + y * g->w;
		int end = g->w;
		while (end && (roles ? is_blank_cell(&row[end - 1]) : row[end - 1].utf8[0] == ' '))
			end--;
		for (int x = 0; x < end; x++) {
			char letter[2] = {row[x].attr & ATTR_REVERSE ? '^' : role_letter((enum role)row[x].role), 0};
			buf_puts(&out, !roles ? row[x].utf8 : is_blank_cell(&row[x]) ? " " : letter);
		}
		buf_puts(&out, "\n");
	}
	return out.data;
}

char *grid_dump_text(const struct grid *g)
{
	return dump_rows(g, false);
}
char *grid_dump_roles(const struct grid *g)
{
	return dump_rows(g, true);
}

/* --- text --- */
/* Code points that are one column wide in every terminal. wcwidth() depends on the locale, and dumps must not. */
static const struct {
	unsigned low, high;
} single_width[] = {
	{0x20, 0x7e},
	{0xa1, 0xac},
	{0xae, 0x2ff},
	{0x370, 0x482},
	{0x48a, 0x52f},
	{0x2010, 0x2027},
	{0x2030, 0x205e},
	{0x2070, 0x209f},
	{0x20a0, 0x20bf},
	{0x2100, 0x2319},
	{0x2500, 0x25fc},
	{0x2800, 0x28ff},
};

/* Replacements on an ASCII screen. */
static const struct {
	unsigned code;
	char text;
} ascii_spelling[] = {
	{0xb5, 'u'},
	{0x3bc, 'u'},
	{0xd7, 'x'},
	{0xb0, ' '},
	{0xb2, '2'},
	{0xb3, '3'},
	{0xb7, '.'},
	{0x2013, '-'},
	{0x2014, '-'},
	{0x2018, '\''},
	{0x2019, '\''},
	{0x201c, '"'},
	{0x201d, '"'},
	{0x2026, '.'},
	{0x2022, '*'},
	{0x2264, '<'},
	{0x2265, '>'},
};

static bool is_single_width(unsigned code)
{
	for (size_t i = 0; i < sizeof single_width / sizeof *single_width; i++)
		if (code >= single_width[i].low && code <= single_width[i].high)
			return true;
	return false;
}

static unsigned printable_code(unsigned code, bool ascii)
{
	if (code < 0x20 || code == 0x7f || code == 0xa0)
		return ' ';
	if (!is_single_width(code))
		return '?';
	if (!ascii || code < 0x80)
		return code;
	for (size_t i = 0; i < sizeof ascii_spelling / sizeof *ascii_spelling; i++)
		if (ascii_spelling[i].code == code)
			return (unsigned char)ascii_spelling[i].text;
	return '?';
}

static void encode_utf8(unsigned code, char out[5])
{
	if (code < 0x80)
		memcpy(out, (char[5]){(char)code}, 5);
	else if (code < 0x800)
		memcpy(out, (char[5]){(char)(0xc0 | code >> 6), (char)(0x80 | (code & 0x3f))}, 5);
	else
		memcpy(out,
			(char[5]){(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)),
				(char)(0x80 | (code & 0x3f))},
			5);
}

/* --- areas --- */
struct area area_of_grid(struct grid *g, struct rect r)
{
	return (struct area){g, r};
}

struct area area_sub(struct area a, int x, int y, int w, int h)
{
	if (w > a.r.w - x)
		w = a.r.w - x;
	if (h > a.r.h - y)
		h = a.r.h - y;
	return (struct area){a.g, {a.r.x + x, a.r.y + y, w < 0 ? 0 : w, h < 0 ? 0 : h}};
}

struct area area_inner(struct area a)
{
	return area_sub(a, 1, 1, a.r.w - 2, a.r.h - 2);
}

static struct cell *area_cell(struct area a, int x, int y)
{
	if (x < 0 || y < 0 || x >= a.r.w || y >= a.r.h)
		return NULL;
	x += a.r.x;
	y += a.r.y;
	if (x < 0 || y < 0 || x >= a.g->w || y >= a.g->h)
		return NULL;
	return &a.g->cells[y * a.g->w + x];
}

static void put_cell(struct area a, int x, int y, int role, unsigned code)
{
	struct cell *c = area_cell(a, x, y);
	if (!c)
		return;
	encode_utf8(printable_code(code, a.g->ascii), c->utf8);
	c->role = (uint8_t)role;
	c->attr = 0;
}

/* Where text was cut, so that no reader takes a part for the whole. */
static void mark_cut(struct area a, int x, int y, int role)
{
	area_draw_glyph(a, x, y, role, glyph_text(a.g->ascii, GLYPH_ELLIPSIS));
}

int area_draw_text(struct area a, int x, int y, int role, const char *text)
{
	int start = x;
	bool left = false, right = false;
	while (*text) {
		unsigned code = text_decode(&text);
		left |= x < 0 && code != ' ';
		right |= x >= a.r.w && code != ' ';
		put_cell(a, x++, y, role, code);
	}
	if (left)
		mark_cut(a, 0, y, role);
	if (right)
		mark_cut(a, a.r.w - 1, y, role);
	return x - start;
}

int area_printf(struct area a, int x, int y, int role, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return area_draw_text(a, x, y, role, text);
}

void area_draw_fitted(struct area a, int x, int y, int w, int role, const char *text)
{
	area_draw_text(area_sub(a, x, y, w, 1), 0, 0, role, text);
}

static size_t bytes_of_columns(const char *text, int columns)
{
	const char *at = text;
	while (*at && columns-- > 0)
		text_decode(&at);
	return (size_t)(at - text);
}

char *text_shorten(const char *text, int columns, bool ascii, char *out, size_t size)
{
	const char *mark = glyph_text(ascii, GLYPH_ELLIPSIS);
	if (text_width(text) <= columns && strlen(text) < size) {
		snprintf(out, size, "%s", text);
		return out;
	}
	size_t n = bytes_of_columns(text, --columns);
	while (columns > 0 && n + strlen(mark) >= size)
		n = bytes_of_columns(text, --columns);
	snprintf(out, size, "%.*s%s", (int)n, text, columns < 0 ? "" : mark);
	return out;
}

void area_draw_right(struct area a, int right, int y, int role, const char *text)
{
	area_draw_text(a, right - text_width(text), y, role, text);
}

void area_draw_glyph(struct area a, int x, int y, int role, const char *utf8)
{
	put_cell(a, x, y, role, text_decode(&utf8));
}

void area_add_attr(struct area a, int x, int y, int w, unsigned attr)
{
	for (int i = 0; i < w; i++) {
		struct cell *c = area_cell(a, x + i, y);
		if (c)
			c->attr |= (uint8_t)attr;
	}
}

void area_clear(struct area a)
{
	for (int y = 0; y < a.r.h; y++)
		for (int x = 0; x < a.r.w; x++)
			put_cell(a, x, y, ROLE_TEXT, ' ');
}

void area_add_hit(struct area a, int x, int y, int w, int h, struct mouse_region hit)
{
	struct rect r = hit.r = area_sub(a, x, y, w, h).r;
	hit.r.w = r.x + r.w > a.g->w ? a.g->w - r.x : r.w;
	hit.r.h = r.y + r.h > a.g->h ? a.g->h - r.y : r.h;
	if (r.x < 0 || r.y < 0 || hit.r.w <= 0 || hit.r.h <= 0)
		return;
	if (a.g->hit_count % 64 == 0)
		a.g->hits = xrealloc(a.g->hits, ((size_t)a.g->hit_count + 64) * sizeof *a.g->hits);
	a.g->hits[a.g->hit_count++] = hit;
}

static void draw_frame_titles(struct area a, bool focused, const char *left, const char *right)
{
	int role = focused ? ROLE_FOCUS : ROLE_TITLE, room = a.r.w - 4;
	if (room < 1)
		return;
	char text[400];
	int used = 0;
	if (left && *left) {
		snprintf(text, sizeof text, " %s ", left);
		area_draw_fitted(a, 2, 0, room, role, text);
		used = text_width(text);
	}
	if (right && *right) {
		snprintf(text, sizeof text, " %s ", right);
		if (used + text_width(text) <= room)
			area_draw_right(a, a.r.w - 2, 0, ROLE_DIM, text);
	}
}

void area_draw_frame(struct area a, bool focused, const char *left, const char *right)
{
	enum glyph from = focused ? GLYPH_HEAVY_H : GLYPH_H; /* GLYPHS lists both kinds in the order H V TL TR BL BR */
	int role = focused ? ROLE_FOCUS : ROLE_FRAME, w = a.r.w - 1, h = a.r.h - 1;
	const char *line[6];
	for (int i = 0; i < 6; i++)
		line[i] = glyph_text(a.g->ascii, (enum glyph)(from + i));
	if (w < 1 || h < 1)
		return;
	for (int x = 1; x < w; x++) {
		area_draw_glyph(a, x, 0, role, line[0]);
		area_draw_glyph(a, x, h, role, line[0]);
	}
	for (int y = 1; y < h; y++) {
		area_draw_glyph(a, 0, y, role, line[1]);
		area_draw_glyph(a, w, y, role, line[1]);
	}
	area_draw_glyph(a, 0, 0, role, line[2]);
	area_draw_glyph(a, w, 0, role, line[3]);
	area_draw_glyph(a, 0, h, role, line[4]);
	area_draw_glyph(a, w, h, role, line[5]);
	draw_frame_titles(a, focused, left, right);
}
