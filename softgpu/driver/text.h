/* A growable string for what the file tree hands out. */
#ifndef SOFTGPU_DRIVER_TEXT_H
#define SOFTGPU_DRIVER_TEXT_H

#include <stddef.h>

struct text {
	char *data; /* owned; free with text_free */
	size_t length, size;
};

void tree_text(struct text *t, const void *data, size_t length);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *t);

#endif
