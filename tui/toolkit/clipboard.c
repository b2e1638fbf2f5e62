#include "tui/toolkit/clipboard.h"

#include <string.h>

#include "base/buf.h"

/* Three bytes as four letters; `n` of them are there. */
static void append_base64_group(struct buf *out, const unsigned char *in, size_t n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = (unsigned)in[0] << 16 | (n > 1 ? (unsigned)in[1] << 8 : 0) | (n > 2 ? in[2] : 0);
	char text[4] = {letters[bits >> 18], letters[bits >> 12 & 63], n > 1 ? letters[bits >> 6 & 63] : '=',
		n > 2 ? letters[bits & 63] : '='};
	buf_add(out, text, sizeof text);
}

char *clipboard_sequence(const char *text)
{
	struct buf b = {0};
	size_t n = strlen(text);
	buf_puts(&b, "\033]52;c;");
	for (size_t i = 0; i < n; i += 3)
		append_base64_group(&b, (const unsigned char *)text + i, n - i < 3 ? n - i : 3);
	buf_puts(&b, "\a");
	return b.data;
}
