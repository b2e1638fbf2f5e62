#include "base/text_width.h"

unsigned text_decode(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	int more = s[0] < 0x80          ? 0
		: (s[0] & 0xe0) == 0xc0 ? 1
		: (s[0] & 0xf0) == 0xe0 ? 2
		: (s[0] & 0xf8) == 0xf0 ? 3
					: -1;
	unsigned code = more <= 0 ? s[0] : s[0] & (0x3fu >> more);
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80) {
			more = -1;
			break;
		}
		code = code << 6 | (s[i] & 0x3fu);
	}
	*text += more < 0 ? 1 : 1 + more;
	return more < 0 ? '?' : code;
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
