#include "tui/toolkit/screenshot.h"

#include <string.h>
#include <strings.h>

#include "base/atomic_file.h"

static const struct {
	const char *extension;
	screenshot_encoder *encode;
} formats[] = {
#define FORMAT_ROW(extension, encoder) {extension, encoder},
	PICTURE_FORMATS(FORMAT_ROW)
#undef FORMAT_ROW
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static screenshot_encoder *find_encoder(const char *path, struct err *e)
{
	const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
	struct buf list = {0};
	for (int i = 0; i < FORMAT_COUNT; i++) {
		if (dot && !strcasecmp(dot + 1, formats[i].extension)) {
			buf_free(&list);
			return formats[i].encode;
		}
		buf_printf(&list, "%s.%s", !i ? "" : i + 1 < FORMAT_COUNT ? ", " : " or ", formats[i].extension);
	}
	err_set(e, ST_REQUEST, "unknown picture format: '%s'; use a file name that ends in %s", path, list.data);
	buf_free(&list);
	return NULL;
}

static void print_picture(FILE *out, const void *ctx)
{
	const struct buf *picture = ctx;
	fwrite(picture->data, 1, picture->len, out);
}

bool screenshot_write(const struct grid *g, int colors, const char *path, struct err *e)
{
	screenshot_encoder *encode = find_encoder(path, e);
	struct buf picture = {0};
	bool ok = encode && encode(g, colors, &picture, e) && file_write_atomic(path, print_picture, &picture, "", e);
	buf_free(&picture);
	return ok;
}
