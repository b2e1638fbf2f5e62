/* Text that other people wrote is printable when it leaves the program, whatever the pieces in which it is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/printable_output.h"
#include "base/printable_text.h"
#include "base/text_width.h"

static const struct {
	const char *text, *shown;
} samples[] = {
	{"plain\ttext\n", "plain\ttext\n"},
	{"caf\u00e9 \u03bcs \u2500 \U0001f600", "caf\u00e9 \u03bcs \u2500 \U0001f600"},
	{"\033]0;title\a", "?]0;title?"}, {"a\rb\bc\177", "a?b?c?"},
	{"\302\200\302\23331m\302\237\u00a0", "??31m?\u00a0"}, {"\u202aa\u202eb\u2066c\u2069", "?a?b?c?"},
	{"\u2028\u2029\u200b\u200d\ufeff\u00ad", "??????"}, {"\xff\xc3(\xe2\x82", "?\?(??"},
	{"\xc0\x8a\xe0\x80\x8a", "?????"},                       /* a newline in two and three bytes */
	{"\xed\xa0\x80", "???"},                                 /* a surrogate, which counts as one character */
	{"\xf4\x90\x80\x80", "????"},                            /* above U+10FFFF */
	{"\xe2\xe2\x94\x80\xf0\x9f\xc3\xa9", "?\u2500??\u00e9"}, /* broken characters before good ones */
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static char *write_in_pieces(const char *text, size_t piece)
{
	char *out = NULL;
	size_t size, n = strlen(text);
	FILE *to = open_memstream(&out, &size), *through = printable_stream_open(to);
	setvbuf(through, NULL, _IONBF, 0);
	for (size_t at = 0; at < n; at += piece)
		fwrite(text + at, 1, at + piece < n ? piece : n - at, through);
	assert_int_equal(fclose(through), 0);
	fclose(to);
	return out;
}

static void pieces_do_not_change_what_is_shown(void **state)
{
	(void)state;
	for (int i = 0; i < SAMPLES; i++)
		for (size_t piece = 1; piece <= 5; piece++) {
			char *got = write_in_pieces(samples[i].text, piece);
			if (i == 9) /* decoded as one character, or as three bytes: both are safe */
				assert_int_equal(strspn(got, "?"), strlen(got));
			else
				assert_string_equal(got, samples[i].shown);
			free(got);
		}
}

static void decoded_text_is_what_is_shown(void **state)
{
	(void)state;
	for (int i = 0; i < SAMPLES; i++) {
		const char *text = samples[i].text, *shown = samples[i].shown;
		while (i != 9 && *text)
			assert_int_equal(text_decode(&text), text_decode(&shown));
	}
}

/* Every code point: what is appended decodes to itself, or is one question mark. */
static void every_code_point_is_kept_or_replaced(void **state)
{
	(void)state;
	struct buf out = {0};
	for (unsigned code = 0x80; code < 0x110000; code++) {
		char text[5] = {0}, *at = text;
		if (code < 0x800) {
			*at++ = (char)(0xc0 | code >> 6);
		} else if (code < 0x10000) {
			*at++ = (char)(0xe0 | code >> 12);
			*at++ = (char)(0x80 | (code >> 6 & 0x3f));
		} else {
			*at++ = (char)(0xf0 | code >> 18);
			*at++ = (char)(0x80 | (code >> 12 & 0x3f));
			*at++ = (char)(0x80 | (code >> 6 & 0x3f));
		}
		*at = (char)(0x80 | (code & 0x3f));
		buf_clear(&out);
		assert_int_equal(printable_append(&out, text, strlen(text)), strlen(text));
		assert_string_equal(out.data, code_point_is_printable(code) ? text : "?");
	}
	buf_free(&out);
}

static void lines_are_joined(void **state)
{
	(void)state;
	char text[] = "one\r\ntwo\tthree\033[m";
	assert_string_equal(text_join_lines(text), "one  two three\033[m");
}

static void a_failed_write_is_noticed(void **state)
{
	(void)state;
	FILE *full = fopen("/dev/full", "w"), *through = printable_stream_open(full);
	setvbuf(full, NULL, _IONBF, 0);
	fputs("text\n", through);
	assert_int_equal(fflush(through), EOF);
	fclose(through);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_do_not_change_what_is_shown),
		cmocka_unit_test(decoded_text_is_what_is_shown),
		cmocka_unit_test(every_code_point_is_kept_or_replaced),
		cmocka_unit_test(lines_are_joined),
		cmocka_unit_test(a_failed_write_is_noticed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
