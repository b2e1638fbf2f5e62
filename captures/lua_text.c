#include "captures/lua_text.h"

#include <string.h>

/* Not within a character of UTF-8. */
static size_t cut_length(const char *text, size_t most)
{
	size_t n = strlen(text);
	if (n <= most)
		return n;
	for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n;
}

void lua_text_put(struct buf *b, const char *text, size_t most)
{
	size_t n = cut_length(text, most);
	buf_puts(b, "\"");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c < ' ' || c == 127)
			buf_printf(b, "\\%03d", c);
		else
			buf_add(b, &text[i], 1);
	}
	buf_puts(b, "\"");
}
