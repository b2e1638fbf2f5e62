#include "base/printable_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable_text.h"

struct printable_stream {
	FILE *to;
	struct buf text; /* printable; kept for its memory */
	char started[4]; /* the first bytes of a character whose rest was not written yet */
	size_t start_len;
};

static FILE *direct_out, *direct_err;

static bool pass_on(struct printable_stream *s)
{
	bool ok = fwrite(s->text.data, 1, s->text.len, s->to) == s->text.len;
	buf_clear(&s->text);
	return ok;
}

/* Adds bytes to the started character until it is complete or broken; returns how many of them it took. */
static size_t complete_character(struct printable_stream *s, const char *bytes, size_t n)
{
	size_t taken = 0;
	while (s->start_len && taken < n) {
		s->started[s->start_len++] = bytes[taken++];
		size_t used = printable_append(&s->text, s->started, s->start_len);
		s->start_len -= used;
		memmove(s->started, s->started + used, s->start_len);
	}
	return taken;
}

static ssize_t write_printable(void *cookie, const char *bytes, size_t n)
{
	struct printable_stream *s = cookie;
	size_t at = complete_character(s, bytes, n);
	if (!s->start_len) {
		at += printable_append(&s->text, bytes + at, n - at);
		s->start_len = n - at;
		memcpy(s->started, bytes + at, s->start_len);
	}
	return !s->text.len || pass_on(s) ? (ssize_t)n : 0;
}

static int close_printable(void *cookie)
{
	struct printable_stream *s = cookie;
	bool ok = true;
	for (; s->start_len; s->start_len--)
		buf_puts(&s->text, "?");
	if (s->text.len)
		ok = pass_on(s);
	buf_free(&s->text);
	free(s);
	return ok ? 0 : EOF;
}

FILE *printable_stream_open(FILE *to)
{
	struct printable_stream *s = xcalloc(1, sizeof *s);
	s->to = to;
	FILE *stream = fopencookie(s, "w", (cookie_io_functions_t){.write = write_printable, .close = close_printable});
	if (!stream) {
		fputs("wavedeck: out of memory\n", stderr);
		abort();
	}
	return stream;
}

void printable_output_start(void)
{
	FILE *out = printable_stream_open(stdout), *err = printable_stream_open(stderr);
	direct_out = stdout;
	direct_err = stderr;
	setvbuf(stdout, NULL, _IONBF, 0); /* the stream above it has the buffer */
	setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
	setvbuf(err, NULL, _IONBF, 0);
	stdout = out;
	stderr = err;
}

FILE *stdout_direct(void)
{
	return direct_out ? direct_out : stdout;
}

FILE *stderr_direct(void)
{
	return direct_err ? direct_err : stderr;
}
