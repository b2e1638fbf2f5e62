#include "base/printable_text.h"

/* From Unicode 15: C0 (newline and tab are allowed), DEL and C1; characters that direct text or are invisible;
 * separators of lines and paragraphs; surrogates, annotations, noncharacters and tags. */
static const struct {
	unsigned low, high;
} hidden[] = {
	{0x0, 0x8},
	{0xb, 0x1f},
	{0x7f, 0x9f},
	{0xad, 0xad},
	{0x61c, 0x61c},
	{0x180e, 0x180e},
	{0x200b, 0x200f},
	{0x2028, 0x202e},
	{0x2060, 0x206f},
	{0xd800, 0xdfff},
	{0xfdd0, 0xfdef},
	{0xfeff, 0xfeff},
	{0xfff0, 0xfffb},
	{0xfffe, 0xffff},
	{0xe0000, 0xe0fff},
};

bool code_point_is_printable(unsigned code)
{
	if (code >= ' ' && code < 0x7f)
		return true;
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (code >= hidden[i].low && code <= hidden[i].high)
			return false;
	return code <= 0x10ffff;
}

int utf8_decode(const char *bytes, size_t n, unsigned *code)
{
	static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)bytes;
	if (!n)
		return 0;
	int more = s[0] < 0x80                ? 0
		: s[0] >= 0xc2 && s[0] < 0xe0 ? 1
		: s[0] >= 0xe0 && s[0] < 0xf0 ? 2
		: s[0] >= 0xf0 && s[0] < 0xf5 ? 3
					      : -1;
	if (more < 0)
		return -1;
	*code = more ? s[0] & (0x3fu >> more) : s[0];
	for (int i = 1; i <= more; i++) {
		if ((size_t)i == n)
			return 0;
		if ((s[i] & 0xc0) != 0x80)
			return -1;
		*code = *code << 6 | (s[i] & 0x3fu);
	}
	return *code < least[more] || *code > 0x10ffff ? -1 : more + 1;
}

static size_t count_plain_bytes(const char *bytes, size_t n)
{
	size_t i = 0;
	while (i < n && ((bytes[i] >= ' ' && bytes[i] < 0x7f) || bytes[i] == '\n' || bytes[i] == '\t'))
		i++;
	return i;
}

size_t printable_append(struct buf *out, const char *bytes, size_t n)
{
	size_t at = 0;
	while (at < n) {
		size_t plain = count_plain_bytes(bytes + at, n - at);
		buf_add(out, bytes + at, plain);
		at += plain;
		unsigned code;
		int used = at < n ? utf8_decode(bytes + at, n - at, &code) : 0;
		if (!used)
			break;
		bool good = used > 0 && code_point_is_printable(code);
		used = used < 0 ? 1 : used;
		buf_add(out, good ? bytes + at : "?", good ? (size_t)used : 1);
		at += (size_t)used;
	}
	return at;
}

char *text_join_lines(char *text)
{
	for (char *c = text; *c; c++)
		if (*c >= '\t' && *c <= '\r')
			*c = ' ';
	return text;
}

void text_print_line(FILE *out, struct buf *line)
{
	if (line->len)
		fputs(text_join_lines(line->data), out);
	fputc('\n', out);
	buf_free(line);
}
