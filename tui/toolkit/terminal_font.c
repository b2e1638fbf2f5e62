#include "tui/toolkit/terminal_font.h"

#include <stddef.h>
#include <string.h>

#include "base/text_width.h"

enum terminal_font terminal_font_of(const char *type)
{
	static const struct {
		const char *begins;
		enum terminal_font font;
	} types[] = {
		{"linux", FONT_CONSOLE},
		{"vt52", FONT_ASCII},
		{"vt1", FONT_ASCII},
		{"vt2", FONT_ASCII},
		{"vt3", FONT_ASCII},
		{"vt4", FONT_ASCII},
		{"vt5", FONT_ASCII},
		{"ansi", FONT_ASCII},
		{"pcansi", FONT_ASCII},
		{"cons25", FONT_ASCII},
		{"sun", FONT_ASCII},
		{"wyse", FONT_ASCII},
	};
	for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
		if (!strncmp(type, types[i].begins, strlen(types[i].begins)))
			return types[i].font;
	return FONT_UNICODE;
}

/* Code page 437 beyond ASCII, without the lower half's symbols except arrows, triangles and the bullet. */
static const char code_page_437[] = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥áíóúñÑªº¿¬½¼¡«»"
				    "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
				    "ßµ±≥≤÷≈°·√²■↑↓→←▲▼►◄•";

bool console_has_character(unsigned code)
{
	if (code < 0x80)
		return true;
	for (const char *at = code_page_437; *at;)
		if (text_decode(&at) == code)
			return true;
	return false;
}

/* Patterns of stall reasons stay distinct (plot/band_pattern.c). */
static const struct {
	const char *from, *to;
} look_alikes[] = {
	{"━", "═"},
	{"┃", "║"},
	{"┏", "╔"},
	{"┓", "╗"},
	{"┗", "╚"},
	{"┛", "╝"},
	{"╎", "│"},
	{"┊", ":"},
	{"┆", ":"},
	{"┄", "%"},
	{"╌", "~"},
	{"╱", "/"},
	{"╲", "\\"},
	{"╳", "X"},
	{"▁", "_"},
	{"▂", "_"},
	{"▃", "▄"},
	{"▅", "▄"},
	{"▆", "█"},
	{"▇", "█"},
	{"▪", "■"},
	{"▫", "°"},
	{"▤", "="},
	{"▦", "#"},
	{"△", "^"},
	{"▽", "v"},
	{"▶", "►"},
	{"●", "•"},
	{"○", "o"},
	{"◆", "+"},
	{"◇", "o"},
	{"…", "~"},
	{"‹", "<"},
	{"›", ">"},
	{"×", "x"},
	{"³", "3"},
	{"–", "-"},
	{"—", "-"},
	{"‘", "'"},
	{"’", "'"},
	{"“", "\""},
	{"”", "\""},
};

static bool is_braille(unsigned code)
{
	return code >= 0x2800 && code <= 0x28ff;
}

const char *console_character(const char *utf8)
{
	const char *after = utf8;
	unsigned code = text_decode(&after);
	if (console_has_character(code) || is_braille(code))
		return utf8;
	for (size_t i = 0; i < sizeof look_alikes / sizeof *look_alikes; i++)
		if (!strcmp(look_alikes[i].from, utf8))
			return look_alikes[i].to;
	return "?";
}
