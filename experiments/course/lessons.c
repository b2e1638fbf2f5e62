#include "experiments/course/lessons.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "experiments/course/lesson_markdown.h"

enum { COURSE_FILE_MAX = 1 << 20 };

struct contents {
	const char *folder;
	struct lessons *out;
	void (*bad)(void *ctx, const char *line);
	void *ctx;
};

static void ignore_heading(void *ctx, int level, const char *text)
{
	(void)ctx, (void)level, (void)text;
}

static void ignore_block(void *ctx, enum lesson_kind kind, int number, bool right, const char *text, const char *info)
{
	(void)ctx, (void)kind, (void)number, (void)right, (void)text, (void)info;
}

static void ignore_html(void *ctx, const char *text)
{
	(void)ctx, (void)text;
}

static bool is_markdown_name(const char *name)
{
	size_t len = strlen(name);
	return len > 3 && !strcmp(name + len - 3, ".md");
}

static void add_page(struct contents *c, const char *name)
{
	struct err e = {0};
	char *path = xasprintf("%s/%s", c->folder, name);
	struct lesson *l = lesson_load(path, &e);
	free(path);
	if (!l) {
		if (c->bad)
			c->bad(c->ctx, e.text);
		return;
	}
	c->out->list = xrealloc(c->out->list, (size_t)(c->out->count + 1) * sizeof *c->out->list);
	c->out->list[c->out->count++] = l;
}

static void add_linked_page(void *ctx, const char *target, const char *words)
{
	(void)words;
	struct contents *c = ctx;
	if (is_markdown_name(target) && !strchr(target, '/'))
		add_page(c, target);
}

bool lessons_load(
	const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e)
{
	struct buf text = {0};
	char *path = xasprintf("%s/README.md", folder);
	struct contents c = {folder, out, bad, ctx};
	const struct markdown m = {&c, ignore_heading, ignore_block, add_linked_page, ignore_html, NULL};
	*out = (struct lessons){0};
	const char *why;
	bool ok = input_file_read(path, COURSE_FILE_MAX, &text, &why) ||
		err_set(e, ST_REQUEST, "cannot read the course %s: %s", path, why);
	if (ok && !markdown_read(text.data ? text.data : "", text.len, &m))
		ok = err_set(e, ST_REQUEST, "cannot parse %s as Markdown", path);
	buf_free(&text);
	free(path);
	if (!ok)
		lessons_free(out);
	return ok;
}

static int is_lesson_file(const struct dirent *f)
{
	return is_markdown_name(f->d_name) && strcmp(f->d_name, "README.md");
}

void lessons_add_folder(const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx)
{
	struct contents c = {folder, out, bad, ctx};
	struct dirent **files;
	int n = scandir(folder, &files, is_lesson_file, alphasort);
	for (int i = 0; i < n; i++) {
		add_page(&c, files[i]->d_name);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
}

void lessons_free(struct lessons *l)
{
	for (int i = 0; i < l->count; i++)
		lesson_free(l->list[i]);
	free(l->list);
	*l = (struct lessons){0};
}

bool lesson_name_is_file(const char *name)
{
	size_t n = strlen(name);
	return strchr(name, '/') || (n > 3 && !strcmp(name + n - 3, ".md"));
}

const struct lesson *lessons_find(const struct lessons *l, const char *id, struct err *e)
{
	const char **ids = xmalloc((size_t)(l->count + 1) * sizeof *ids);
	const struct lesson *found = NULL;
	for (int i = 0; i < l->count; i++) {
		ids[i] = l->list[i]->id;
		found = strcmp(ids[i], id) ? found : l->list[i];
	}
	const char *near = found ? NULL : find_nearest_name(id, ids, l->count);
	if (!found)
		err_set(e, ST_REQUEST, "unknown lesson '%.60s'; %s%s%s`wavedeck lesson` lists all", id,
			near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
	free(ids);
	return found;
}
