#include "base/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

enum { BLOCK_BYTES = 256 << 10 };

struct line_reader {
	int fd, error;
	size_t limit;
	char *block;
	size_t from, to;  /* what is left of the block */
	struct buf begun; /* the start of a line that began in an earlier block */
	struct text_line line;
};

struct line_reader *line_reader_new(int fd, size_t limit)
{
	struct line_reader *r = xcalloc(1, sizeof *r);
	r->fd = fd;
	r->limit = limit;
	r->block = xmalloc(BLOCK_BYTES + 1);
	return r;
}

void line_reader_free(struct line_reader *r)
{
	if (!r)
		return;
	close(r->fd);
	buf_free(&r->begun);
	free(r->block);
	free(r);
}

long long line_reader_offset(const struct line_reader *r)
{
	return r->line.at + (long long)r->line.length;
}

int line_reader_error(const struct line_reader *r)
{
	return r->error;
}

/* False at the end of the file. */
static bool fill_block(struct line_reader *r)
{
	ssize_t n;
	do
		n = read(r->fd, r->block, BLOCK_BYTES);
	while (n < 0 && errno == EINTR);
	r->error = n < 0 ? errno : 0;
	r->from = 0;
	r->to = n > 0 ? (size_t)n : 0;
	return n > 0;
}

static void keep_begun_line(struct line_reader *r, size_t n)
{
	r->line.length += n;
	if (r->line.length > r->limit)
		buf_free(&r->begun);
	else
		buf_add(&r->begun, r->block + r->from, n);
	r->from += n;
}

/* Ends the line after n more bytes of the block. */
static enum line_status finish_text_line(struct line_reader *r, size_t n, bool ended, struct text_line *out)
{
	static char none[1];
	struct text_line *line = &r->line;
	if (line->length) {
		keep_begun_line(r, n);
		line->text = r->begun.data;
	} else { /* it is completely in the block: no copy */
		line->text = r->block + r->from;
		line->text[n] = 0;
		line->length = n;
		r->from += n;
	}
	r->from += ended;
	line->too_long = line->length > r->limit;
	if (line->too_long)
		line->text = none;
	line->ended = ended;
	line->number++;
	*out = *line;
	line->at += (long long)line->length + ended;
	line->length = 0;
	return LINE_READY;
}

enum line_status line_reader_step(struct line_reader *r, struct text_line *out)
{
	if (!r->line.length)
		buf_clear(&r->begun);
	if (r->from == r->to && !fill_block(r))
		return r->line.length ? finish_text_line(r, 0, false, out) : LINE_END;
	const char *newline = memchr(r->block + r->from, '\n', r->to - r->from);
	if (newline)
		return finish_text_line(r, (size_t)(newline - r->block) - r->from, true, out);
	keep_begun_line(r, r->to - r->from);
	return LINE_MORE;
}

bool line_reader_next(struct line_reader *r, struct text_line *out)
{
	enum line_status status;
	while ((status = line_reader_step(r, out)) == LINE_MORE)
		;
	return status == LINE_READY;
}
