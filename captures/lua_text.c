#include "captures/lua_text.h"

#include <string.h>

#include "base/printable_text.h"

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
	struct buf shown = {0};
	buf_puts(&shown, "");
	printable_append(&shown, text, cut_length(text, most));
	text_join_lines(shown.data);
	buf_puts(b, "\"");
	for (size_t i = 0; i < shown.len; i++) {
		if (strchr("\"\\", shown.data[i]))
			buf_puts(b, "\\");
		buf_add(b, &shown.data[i], 1);
	}
	buf_puts(b, "\"");
	buf_free(&shown);
}
