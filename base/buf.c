/* A growable buffer, and allocation that aborts when out of memory. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

void *large_alloc(size_t n)
{
	void *p;
	if (n < HUGE_PAGE)
		return malloc(n);
	if (posix_memalign(&p, HUGE_PAGE, n))
		return NULL;
	madvise(p, n & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
	return p;
}

static void *check_allocation(void *p)
{
	if (!p) {
		fputs("wavedeck: out of memory\n", stderr);
		abort();
	}
	return p;
}

void *xmalloc(size_t n)
{
	return check_allocation(malloc(n ? n : 1));
}
void *xcalloc(size_t n, size_t size)
{
	return check_allocation(calloc(n ? n : 1, size ? size : 1));
}
void *xrealloc(void *p, size_t n)
{
	return check_allocation(realloc(p, n ? n : 1));
}
void *xlarge_alloc(size_t n)
{
	return check_allocation(large_alloc(n ? n : 1));
}
char *xstrdup(const char *s)
{
	return check_allocation(strdup(s));
}

static void reserve_bytes(struct buf *b, size_t extra)
{
	size_t want = b->len + extra + 1;
	if (want <= b->cap)
		return;
	b->cap = want < 2 * b->cap ? 2 * b->cap : want + 64;
	b->data = xrealloc(b->data, b->cap);
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
	reserve_bytes(b, n);
	if (n)
		memcpy(b->data + b->len, bytes, n);
	b->len += n;
	b->data[b->len] = 0;
}

void buf_puts(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

static void add_va(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	reserve_bytes(b, (size_t)n);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add_va(b, fmt, ap);
	va_end(ap);
}

void buf_put_shell_word(struct buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
	if (*word && word[strspn(word, plain)] == 0) {
		buf_puts(b, word);
		return;
	}
	buf_puts(b, "'");
	for (; *word; word++)
		if (*word == '\'')
			buf_puts(b, "'\\''");
		else
			buf_add(b, word, 1);
	buf_puts(b, "'");
}

void buf_consume(struct buf *b, size_t n)
{
	if (n > b->len)
		n = b->len;
	if (!n)
		return;
	memmove(b->data, b->data + n, b->len - n);
	b->len -= n;
	b->data[b->len] = 0;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = 0;
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){0};
}

char *xasprintf(const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;
	va_start(ap, fmt);
	add_va(&b, fmt, ap);
	va_end(ap);
	return b.data ? b.data : xstrdup("");
}
