#include "captures/capture_text.h"

#include <stdio.h>

#include "base/atomic_file.h"

struct content {
	const void *data;
	size_t bytes;
};

static void print_content(FILE *out, const void *ctx)
{
	const struct content *c = ctx;
	fwrite(c->data, 1, c->bytes, out);
}

bool capture_write_file(const char *path, const void *data, size_t bytes, struct err *e)
{
	return file_write_atomic(path, print_content, &(struct content){data, bytes}, "", e);
}
