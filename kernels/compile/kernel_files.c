#include "kernels/compile/kernel_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/kernel_build.h"

/* --- lines --- */
const char *kernel_line_find_include(const char *line, int *length)
{
	line += strspn(line, " \t");
	if (*line != '#' && *line != '.')
		return NULL;
	line += 1 + strspn(line + 1, " \t");
	if (strncmp(line, "include", 7))
		return NULL;
	line += 7 + strspn(line + 7, " \t");
	const char *end = *line == '"' ? strchr(line + 1, '"') : NULL;
	*length = end ? (int)(end - line - 1) : 0;
	return end ? line + 1 : NULL;
}

/* --- one file --- */
bool kernel_file_name_is_valid(const char *name)
{
	int folders = 0;
	for (const char *slash = name; (slash = strchr(slash, '/')); slash++)
		folders++;
	return (!strncmp(name, "kernels/", 8) || !strncmp(name, "own/", 4)) && !strstr(name, "..") &&
		folders <= KERNEL_FOLDERS_MAX;
}

bool kernel_file_hash(const char *path, uint64_t *hash)
{
	struct buf b = {0};
	const char *why;
	bool ok = input_file_read(path, KERNEL_SOURCE_MAX, &b, &why);
	*hash = hash_bytes(HASH_START, b.data, b.len);
	buf_free(&b);
	return ok;
}

static bool is_listed(const struct kernel_files *f, const char *name)
{
	for (int i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].name, name))
			return true;
	return false;
}

static bool add_file(struct kernel_files *f, const char *name, const char *path, struct err *e);

/* `folder` of the including file, of the source, or the root of the tree: on this machine, and in the tree. */
static bool add_include(struct kernel_files *f, const char *include, const char *const folders[2], const char *by,
	bool *found, struct err *e)
{
	char *path = xasprintf("%s/%s", folders[0], include);
	char *name = xasprintf("%s%s%s", folders[1], *folders[1] ? "/" : "", include);
	bool ok = true;
	*found = !access(path, R_OK);
	if (*found && !kernel_file_name_is_valid(name))
		ok = err_set(e, ST_REQUEST,
			"%s includes %s; a kernel for another machine can include only files in or below its folder, "
			"at most %d folders deep",
			by, include, KERNEL_FOLDERS_MAX);
	else if (*found && !is_listed(f, name))
		ok = add_file(f, name, path, e);
	free(path);
	free(name);
	return ok;
}

static char *copy_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return xasprintf("%.*s", slash ? (int)(slash - path) : 0, path);
}

/* The compiler searches the folder of the including file first. A file that is missing is the compiler's to report: the
 * line may not count. */
static bool find_include(struct kernel_files *f, const struct kernel_file *in, const char *include, struct err *e)
{
	bool found = false, ok = true;
	char *kernels = path_kernels(NULL), *root = copy_folder(kernels);
	char *here = copy_folder(in->path), *here_name = copy_folder(in->name);
	char *first = copy_folder(f->list[0].path), *first_name = copy_folder(f->list[0].name);
	const char *const folders[3][2] = {{here, here_name}, {first, first_name}, {root, ""}};
	for (int i = 0; ok && !found && i < 3; i++)
		ok = add_include(f, include, folders[i], in->path, &found, e);
	free(kernels);
	free(root);
	free(here);
	free(here_name);
	free(first);
	free(first_name);
	return ok;
}

static bool add_includes(struct kernel_files *f, const struct kernel_file *in, char *text, struct err *e)
{
	int length;
	bool ok = true;
	for (char *line; ok && (line = strsep(&text, "\n"));) {
		const char *at = kernel_line_find_include(line, &length);
		char *include = at ? xasprintf("%.*s", length, at) : NULL;
		ok = !include || find_include(f, in, include, e);
		free(include);
	}
	return ok;
}

static bool add_file(struct kernel_files *f, const char *name, const char *path, struct err *e)
{
	struct buf b = {0};
	const char *why;
	if (f->count == KERNEL_FILES_MAX)
		return err_set(e, ST_REQUEST, "%s: more than %d files for one kernel", path, KERNEL_FILES_MAX);
	if (!input_file_read(path, KERNEL_SOURCE_MAX, &b, &why)) {
		buf_free(&b);
		return err_set(e, ST_REQUEST, "cannot read the kernel source %s: %s", path, why);
	}
	struct kernel_file *file = &f->list[f->count++];
	*file = (struct kernel_file){xstrdup(name), xstrdup(path), hash_bytes(HASH_START, b.data, b.len)};
	bool ok = !b.data || add_includes(f, file, b.data, e);
	buf_free(&b);
	return ok;
}

bool kernel_files_find(const char *file, struct kernel_files *out, struct err *e)
{
	bool own = *file == '/';
	char *path = own ? xstrdup(file) : path_kernels(file);
	char *name = own ? xasprintf("own/%s", path_basename(file)) : xasprintf("kernels/%s", file);
	*out = (struct kernel_files){.count = 0};
	bool ok = add_file(out, name, path, e);
	free(name);
	free(path);
	return ok;
}

void kernel_files_free(struct kernel_files *f)
{
	for (int i = 0; i < f->count; i++) {
		free(f->list[i].name);
		free(f->list[i].path);
	}
	f->count = 0;
}
