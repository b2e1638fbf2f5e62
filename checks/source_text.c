#include "checks/source_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"

enum { SOURCE_BYTES_MAX = 16 << 20 };

struct source_text {
	time_t built;
	char *path; /* of the text */
	struct buf text, line;
	bool changed;
};

struct source_text *source_text_new(time_t built)
{
	struct source_text *s = xcalloc(1, sizeof *s);
	s->built = built;
	return s;
}

void source_text_free(struct source_text *s)
{
	if (!s)
		return;
	free(s->path);
	buf_free(&s->text);
	buf_free(&s->line);
	free(s);
}

static void load_source(struct source_text *s, const char *file)
{
	struct stat st;
	const char *why;
	if (s->path && !strcmp(s->path, file))
		return;
	free(s->path);
	s->path = xstrdup(file);
	buf_free(&s->text);
	s->changed = s->built && !stat(file, &st) && st.st_mtime > s->built;
	if (!s->changed && !input_file_read(file, SOURCE_BYTES_MAX, &s->text, &why))
		buf_clear(&s->text);
}

/* From its first letter; *length: up to its last. */
static const char *find_source_line(const struct buf *text, int line, size_t *length)
{
	const char *at = text->len ? text->data : NULL, *end = at ? at + text->len : NULL;
	for (int i = 1; at && i < line; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	if (!at || at == end)
		return NULL;
	const char *stop = memchr(at, '\n', (size_t)(end - at));
	stop = stop ? stop : end;
	while (at < stop && strchr(" \t\r", *at))
		at++;
	while (stop > at && strchr(" \t\r", stop[-1]))
		stop--;
	*length = (size_t)(stop - at);
	return at;
}

const char *source_text_line(struct source_text *s, const char *file, int line, bool *changed)
{
	size_t length;
	load_source(s, file);
	*changed = s->changed;
	const char *at = find_source_line(&s->text, line, &length);
	if (!at)
		return NULL;
	buf_clear(&s->line);
	buf_puts(&s->line, "");
	buf_add(&s->line, at, length);
	return s->line.data;
}

const char *source_path_shorten(const char *path)
{
	char *folder = getcwd(NULL, 0);
	size_t n = folder ? strlen(folder) : 0;
	if (n > 1 && !strncmp(path, folder, n) && path[n] == '/')
		path += n + 1;
	free(folder);
	return path;
}
