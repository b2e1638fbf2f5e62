/* A growable byte buffer. After the first addition it is NUL-terminated at data[len]. Aborts if out of memory. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stddef.h>

struct buf {
	char *data;
	size_t len, cap;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_puts(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A word of a shell command: as it is, or 'in quotes' where the shell would read it otherwise. */
void buf_put_shell_word(struct buf *b, const char *word);
void buf_consume(struct buf *b, size_t n); /* removes the first n bytes */
void buf_clear(struct buf *b);             /* keeps the memory */
void buf_free(struct buf *b);

/* malloc, calloc, realloc and strdup that never return NULL: they print an error and abort. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
/* For large memory that is completely used: huge pages, if the host has them, save most page faults of the first use.
 * Not cleared; free it with free(). large_alloc returns NULL if out of memory. */
void *large_alloc(size_t n);
void *xlarge_alloc(size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
