#include "softgpu/driver/interpose/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_append(struct strbuf *t, const void *data, size_t length)
{
	if (t->length + length + 1 > t->size) {
		size_t size = (t->length + length + 1) * 2;
		char *grown = realloc(t->data, size);

		if (!grown)
			return; /* a truncated file is better than an abort in the user's process */
		t->data = grown;
		t->size = size;
	}
	memcpy(t->data + t->length, data, length);
	t->length += length;
	t->data[t->length] = 0;
}

void strbuf_printf(struct strbuf *t, const char *format, ...)
{
	char line[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (n > 0)
		strbuf_append(t, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void strbuf_free(struct strbuf *t)
{
	free(t->data);
	*t = (struct strbuf){0};
}
