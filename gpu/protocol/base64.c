#include "gpu/protocol/base64.h"

#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const void *bytes, size_t n)
{
	const unsigned char *from = bytes;
	char *text = xmalloc((n + 2) / 3 * 4 + 1), *to = text;
	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = (uint32_t)from[i] << 16 | (i + 1 < n ? (uint32_t)from[i + 1] << 8 : 0) |
			(i + 2 < n ? from[i + 2] : 0);
		*to++ = digits[three >> 18];
		*to++ = digits[three >> 12 & 63];
		*to++ = i + 1 < n ? digits[three >> 6 & 63] : '=';
		*to++ = i + 2 < n ? digits[three & 63] : '=';
	}
	*to = 0;
	return text;
}

static bool decode_four(const char *text, bool last, struct buf *out)
{
	uint32_t three = 0;
	int bytes = !last || text[3] != '=' ? 3 : text[2] != '=' ? 2 : 1;
	for (int i = 0; i < 4; i++) {
		const char *digit = i > bytes ? digits : strchr(digits, text[i]);
		if (!digit || !text[i])
			return false;
		three = three << 6 | (uint32_t)(digit - digits);
	}
	buf_add(out, (char[]){(char)(three >> 16), (char)(three >> 8), (char)three}, (size_t)bytes);
	return true;
}

bool base64_decode(const char *text, struct buf *out)
{
	size_t n = strlen(text);
	for (size_t i = 0; i < n; i += 4)
		if (n - i < 4 || !decode_four(text + i, i + 4 == n, out))
			return false;
	return true;
}
