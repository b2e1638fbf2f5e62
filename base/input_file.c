#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_file(int fd, const char **why, const char *text)
{
	close(fd);
	errno = EINVAL;
	*why = text;
	return -1;
}

int input_file_open(const char *path, const char **why)
{
	struct stat st;
	int fd = open(
		path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a named pipe would block until a writer comes */
	*why = fd < 0 ? strerror(errno) : "";
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode)))
		return refuse_file(fd, why, "it is not a regular file");
	return fd;
}

int input_stream_open(const char *path, const char **why)
{
	struct stat st;
	if (stat(path, &st) || !S_ISFIFO(st.st_mode))
		return input_file_open(path, why);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	*why = fd < 0 ? strerror(errno) : "";
	return fd;
}

bool input_file_is_readable(const char *path, const char **why)
{
	int fd = input_file_open(path, why);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool input_file_read(const char *path, size_t limit, struct buf *out, const char **why)
{
	static const char *const too_large = "it is too large";
	char block[1 << 14];
	ssize_t n;
	size_t total = 0;
	int fd = input_file_open(path, why);
	if (fd < 0)
		return false;
	while ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)) {
		total += n > 0 ? (size_t)n : 0;
		if (total > limit)
			break;
		buf_add(out, block, n > 0 ? (size_t)n : 0);
	}
	*why = n < 0 ? strerror(errno) : total > limit ? too_large : "";
	close(fd);
	errno = EIO; /* the file exists */
	return !**why;
}

/* --- by lines --- */
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
