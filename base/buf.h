/* A growable byte buffer. Always NUL-terminated at data[len] once anything was added; abort on out of memory. */
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
void buf_consume(struct buf *b, size_t n); /* the first n bytes */
void buf_clear(struct buf *b);             /* keeps the memory */
void buf_free(struct buf *b);

/* malloc, calloc and realloc that never return NULL: a workbench out of memory has nothing better to do than to say so.
 */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
/* For large memory that is used whole: on huge pages where the host has them, since most of a first use is page faults
 * else. Not cleared; for free(). large_alloc returns NULL when there is none. */
void *large_alloc(size_t n);
void *xlarge_alloc(size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
