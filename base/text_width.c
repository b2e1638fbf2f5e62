#include "base/text_width.h"

#include <stdbool.h>

#include <string.h>

#include "base/printable_text.h"

enum { CHARACTER_BYTES = 4 };

unsigned text_decode(const char **text)
{
	unsigned code;
	int used = utf8_decode(*text, strnlen(*text, CHARACTER_BYTES), &code);
	*text += used > 0 ? used : 1;
	return used > 0 && code_point_is_printable(code) ? code : '?';
}

int text_width(const char *text)
{
	int n = 0;
	for (; *text; n++)
		text_decode(&text);
	return n;
}

size_t text_fit_bytes(const char *text, int columns)
{
	const char *at = text, *blank = text;
	for (int x = 0; *at; x++) {
		if (*at == ' ')
			blank = at;
		if (x > 0 && x >= columns)
			return (size_t)((blank > text ? blank : at) - text);
		text_decode(&at);
	}
	return (size_t)(at - text);
}

void text_print_wrapped(FILE *out, const char *first, const char *rest, const char *text, int width)
{
	int column = fprintf(out, "%s", first);
	for (bool begun = false; *(text += strspn(text, " "));) {
		int bytes = (int)strcspn(text, " "), columns = 0;
		for (int i = 0; i < bytes; i++)
			columns += (text[i] & 0xC0) != 0x80;
		if (begun && column + 1 + columns > width)
			column = fprintf(out, "\n%s", rest) - 1, begun = false;
		column += fprintf(out, "%s%.*s", begun ? " " : "", bytes, text) - bytes + columns;
		begun = true;
		text += bytes;
	}
	fputc('\n', out);
}
