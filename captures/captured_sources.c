#include "captures/captured_sources.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "captures/capture_files.h"
#include "gpu/protocol/record.h"
#include "kernels/inspect/code_object.h"
#include "kernels/inspect/debug_lines.h"
#include "kernels/inspect/source_map.h"

enum { FILE_BYTES_MAX = 1 << 20, ALL_BYTES_MAX = 16 << 20, FILES_MAX = 1000 };

struct collection {
	const char *folder;
	json_t *list;
	size_t bytes;
};

/* As the archive wants them. */
static bool is_plain_name(const char *name)
{
	size_t n = strlen(name);
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return false;
	return n && n <= 200 && *name != '.';
}

/* The entry of a file with this name. Line tables and files are compared by name, so the first of two stays. */
static const json_t *find_source(const json_t *list, const char *name)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(path_basename(record_get_text(json_array_get(list, i), "file")), name))
			return json_array_get(list, i);
	return NULL;
}

static bool copy_source(struct collection *c, const char *path, const char *name)
{
	struct buf text = {0};
	struct err unused;
	const char *why;
	char *to = xasprintf("%s/sources/%s", c->folder, name);
	bool ok = input_file_read(path, FILE_BYTES_MAX, &text, &why) && text.len && !memchr(text.data, 0, text.len) &&
		c->bytes + text.len <= ALL_BYTES_MAX && capture_write_file(to, text.data, text.len, &unused);
	c->bytes += ok ? text.len : 0;
	buf_free(&text);
	free(to);
	return ok;
}

static void add_source(void *ctx, const char *path)
{
	struct collection *c = ctx;
	const char *name = path_basename(path);
	if (source_file_is_system(path) || *path != '/' || !is_plain_name(name) ||
		json_array_size(c->list) >= FILES_MAX || find_source(c->list, name) || !copy_source(c, path, name))
		return;
	json_array_append_new(
		c->list, json_pack("{s:o, s:s+}", "path", json_utf8_string(path), "file", "sources/", name));
}

/* The code object of a launch; NULL if it has none. */
static struct code_object *open_code(const char *folder, const json_t *launch)
{
	const char *code = record_get_text(launch, "code_object");
	char *path = xasprintf("%s/code/%s", folder, code);
	struct code_object *o = *code ? code_object_open(path, NULL) : NULL;
	free(path);
	return o;
}

static void note_source(json_t *launch, const struct code_object *o, const json_t *list)
{
	const struct kernel_info *k = code_object_find_kernel(o, record_get_text(launch, "kernel"), NULL);
	char *path = k ? source_map_find_file(o, k) : NULL;
	const json_t *source = path ? find_source(list, path_basename(path)) : NULL;
	if (source)
		json_object_set(launch, "source", json_object_get(source, "file"));
	free(path);
}

json_t *captured_sources_collect(const char *folder, json_t *launches, bool wanted)
{
	struct collection c = {.folder = folder, .list = json_array()};
	char *sources = xasprintf("%s/sources", folder);
	mkdir(sources, 0700);
	free(sources);
	for (size_t i = 0; wanted && i < json_array_size(launches); i++) {
		json_t *launch = json_array_get(launches, i);
		struct code_object *o = open_code(folder, launch);
		if (o) {
			source_map_visit_files(o, add_source, &c);
			note_source(launch, o, c.list);
		}
		code_object_close(o);
	}
	return c.list;
}
