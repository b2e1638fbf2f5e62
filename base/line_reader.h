/* Reads a file by lines of at most a given length, in bounded memory: a longer line is skipped. */
#ifndef BASE_LINE_READER_H
#define BASE_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

struct text_line {
	char *text;    /* NUL-terminated, without the newline; may be changed; valid until the next call. "" if too long */
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
int line_reader_error(const struct line_reader *r); /* errno of the last read; 0: it succeeded */

#endif
