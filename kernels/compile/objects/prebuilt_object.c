#include "kernels/compile/objects/prebuilt_object.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/paths.h"
#include "kernels/inspect/code_object.h"

/* --- prebuilt code objects --- */
/* Only in the source tree: installed sources have the time of their installation. */
static bool edited_since(const struct build_request *r, const struct stat *object)
{
	return path_is_source_tree() &&
		kernel_inputs_changed_since(
			&r->inputs, (long long)object->st_mtim.tv_sec * 1000000000 + object->st_mtim.tv_nsec + 1);
}

/* "clang 15.0.6" from the .comment section; assembled objects have none. */
static void compiler_of(const char *path, char *out, size_t size)
{
	static const char mark[] = "clang version ";
	size_t n;
	struct code_object *o = code_object_open(path, NULL);
	snprintf(out, size, "prebuilt");
	if (!o)
		return;
	const char *data = code_object_bytes(o, &n), *at = memmem(data, n, mark, sizeof mark - 1);
	if (at) {
		at += sizeof mark - 1;
		size_t length = 0;
		while (at + length < data + n && (isdigit((unsigned char)at[length]) || at[length] == '.'))
			length++;
		snprintf(out, size, "prebuilt: clang %.*s", (int)length, at);
	}
	code_object_close(o);
}

/* NULL: none. The caller frees it. */
char *prebuilt_object_path(struct build_request *r)
{
	struct stat st;
	if (r->own && path_has_suffix(r->source, ".co")) {
		kernel_inputs_scan(&r->inputs, &r->places, r->source);
		return xstrdup(r->source);
	}
	if (r->own || r->defines[0])
		return NULL;
	kernel_inputs_scan(&r->inputs, &r->places, r->source);
	if (r->given)
		return r->given->object ? xstrdup(r->given->object) : NULL;
	char *name = xasprintf("%s.co", r->stem);
	char *path = path_kernel_object(r->base_arch, name);
	free(name);
	if (!stat(path, &st) && !edited_since(r, &st))
		return path;
	free(path);
	return NULL;
}

bool prebuilt_object_find(struct build_request *r, struct kernel_build *out)
{
	char *path = prebuilt_object_path(r);
	if (!path) {
		kernel_inputs_free(&r->inputs);
		return false;
	}
	out->path = path;
	out->from_cache = true;
	compiler_of(path, out->compiler, sizeof out->compiler);
	return true;
}
