/* Opening and reading files that other people may have put there: never blocks on a named pipe, never waits for a
 * device, and never needs more memory than a limit. */
#ifndef BASE_INPUT_FILE_H
#define BASE_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* A file descriptor for reading; -1 with the reason in *why (static or of strerror): it cannot be opened, or it "is not
 * a regular file". errno is ENOENT if there is no such file. */
int input_file_open(const char *path, const char **why);
/* The same for a file that a person names as input: a pipe is allowed, such as /dev/stdin and <(...) of the shell. */
int input_stream_open(const char *path, const char **why);
bool input_file_is_readable(const char *path, const char **why);
/* Appends the whole file; false with the reason if it cannot be read or is larger than `limit` bytes. */
bool input_file_read(const char *path, size_t limit, struct buf *out, const char **why);

/* --- by lines: at most `limit` bytes each, in bounded memory; a longer line is skipped --- */
struct text_line {
	char *text; /* NUL-terminated, without the newline; may be changed; valid until the next call. "" if too long */
	size_t length; /* bytes in the file, without the newline */
	long long at;  /* offset in the file */
	int number;    /* from 1 */
	bool ended;    /* by a newline; false: the last line of the file */
	bool too_long; /* longer than the limit */
};

struct line_reader;
/* Takes the file descriptor. */
struct line_reader *line_reader_new(int fd, size_t limit);
void line_reader_free(struct line_reader *r);

enum line_status { LINE_READY, LINE_MORE, LINE_END };
/* Reads at most one block: LINE_MORE if the line is not complete yet. LINE_END: the file ended, or see the error. */
enum line_status line_reader_step(struct line_reader *r, struct text_line *out);
/* Reads until a line is complete; false at the end. */
bool line_reader_next(struct line_reader *r, struct text_line *out);
long long line_reader_offset(const struct line_reader *r); /* of the next byte that a step uses */
int line_reader_error(const struct line_reader *r);        /* errno of the last read; 0: it succeeded */

#endif
