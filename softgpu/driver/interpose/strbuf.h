/* A growable string, for generated files and texts. If memory runs out, text is dropped. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_STRBUF_H
#define SOFTGPU_DRIVER_INTERPOSE_STRBUF_H

#include <stddef.h>

struct strbuf {
	char *data; /* owned; free with strbuf_free */
	size_t length, size;
};

void strbuf_append(struct strbuf *t, const void *data, size_t length);
void strbuf_printf(struct strbuf *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_free(struct strbuf *t);

#endif
