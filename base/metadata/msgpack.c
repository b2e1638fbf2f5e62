/* Reads MessagePack. */
#include "base/metadata/msgpack.h"

enum { DEPTH_MAX = 32 };

static uint64_t big_endian(struct msgpack *m, size_t bytes)
{
	if (m->bad || (size_t)(m->end - m->at) < bytes) {
		m->bad = true;
		return 0;
	}
	uint64_t v = 0;
	for (size_t i = 0; i < bytes; i++)
		v = v << 8 | *m->at++;
	return v;
}

static uint8_t peek_tag(const struct msgpack *m)
{
	return m->bad || m->at >= m->end ? 0xc1 /* never used by the format */ : *m->at;
}

/* Length of a collection or string. Its tags are `fix`..`fix | mask`, which contain the length, and `tag`, `tag + 1`,
 * ..., which are followed by a length of `width`, 2 * `width`, ... bytes. */
static uint32_t read_length(struct msgpack *m, uint8_t fix, uint8_t mask, uint8_t tag, size_t width, int tags)
{
	uint8_t t = peek_tag(m);
	if ((t & (uint8_t)~mask) == fix)
		return (uint32_t)big_endian(m, 1) & mask;
	if (t < tag || t >= tag + tags) {
		m->bad = true;
		return 0;
	}
	m->at++;
	return (uint32_t)big_endian(m, width << (t - tag));
}

/* Checks that the data can contain so many elements, so that a corrupt count cannot cause a long loop. */
static uint32_t check_count(struct msgpack *m, uint32_t count, size_t bytes_each)
{
	if (m->bad || count > (size_t)(m->end - m->at) / bytes_each) {
		m->bad = true;
		return 0;
	}
	return count;
}

uint32_t msgpack_map(struct msgpack *m)
{
	return check_count(m, read_length(m, 0x80, 0x0f, 0xde, 2, 2), 2);
}

uint32_t msgpack_array(struct msgpack *m)
{
	return check_count(m, read_length(m, 0x90, 0x0f, 0xdc, 2, 2), 1);
}

const char *msgpack_string(struct msgpack *m, size_t *length)
{
	uint32_t n = check_count(m, read_length(m, 0xa0, 0x1f, 0xd9, 1, 3), 1);
	const char *s = (const char *)m->at;
	*length = n;
	if (!m->bad)
		m->at += n;
	return m->bad ? "" : s;
}

uint64_t msgpack_uint(struct msgpack *m)
{
	uint8_t t = peek_tag(m);
	if (t < 0x80)
		return big_endian(m, 1);
	if (t < 0xcc || t > 0xcf) {
		m->bad = true;
		return 0;
	}
	m->at++;
	return big_endian(m, (size_t)1 << (t - 0xcc));
}

/* Whether the next value is a 'm'ap, 'a'rray, 's'tring, 'u'nsigned or 'o'ther. */
static bool msgpack_is(const struct msgpack *m, char type)
{
	uint8_t t = peek_tag(m);
	char is = 'o';
	if ((t & 0xf0) == 0x80 || t == 0xde || t == 0xdf)
		is = 'm';
	else if ((t & 0xf0) == 0x90 || t == 0xdc || t == 0xdd)
		is = 'a';
	else if ((t & 0xe0) == 0xa0 || (t >= 0xd9 && t <= 0xdb))
		is = 's';
	else if (t < 0x80 || (t >= 0xcc && t <= 0xcf))
		is = 'u';
	return is == type;
}

static void skip_bytes(struct msgpack *m, uint64_t bytes)
{
	if (m->bad || bytes > (uint64_t)(m->end - m->at))
		m->bad = true;
	else
		m->at += bytes;
}

/* All other types: the tag determines their size. */
static void skip_other(struct msgpack *m)
{
	uint8_t t = (uint8_t)big_endian(m, 1);
	if (t >= 0xe0 || t == 0xc0 || t == 0xc2 || t == 0xc3)
		return; /* negative fixint, nil, false, true */
	if (t >= 0xc4 && t <= 0xc6)
		skip_bytes(m, big_endian(m, (size_t)1 << (t - 0xc4))); /* bin */
	else if (t >= 0xc7 && t <= 0xc9)
		skip_bytes(m, big_endian(m, (size_t)1 << (t - 0xc7)) + 1); /* ext */
	else if (t == 0xca || t == 0xcb)
		skip_bytes(m, t == 0xca ? 4 : 8); /* float */
	else if (t >= 0xd0 && t <= 0xd3)
		skip_bytes(m, (uint64_t)1 << (t - 0xd0)); /* int */
	else if (t >= 0xd4 && t <= 0xd8)
		skip_bytes(m, 1 + ((uint64_t)1 << (t - 0xd4))); /* fixext */
	else
		m->bad = true;
}

static void skip_at(struct msgpack *m, int depth)
{
	size_t length;
	uint64_t inside = 0;
	if (depth > DEPTH_MAX)
		m->bad = true;
	else if (msgpack_is(m, 'm'))
		inside = 2 * (uint64_t)msgpack_map(m);
	else if (msgpack_is(m, 'a'))
		inside = msgpack_array(m);
	else if (msgpack_is(m, 's'))
		msgpack_string(m, &length);
	else if (msgpack_is(m, 'u'))
		msgpack_uint(m);
	else
		skip_other(m);
	for (; inside && !m->bad; inside--)
		skip_at(m, depth + 1);
}

void msgpack_skip(struct msgpack *m)
{
	skip_at(m, 0);
}
