#include "kernels/compile/kernel_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/compile/kernel_inputs.h"

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

/* --- all files --- */
/* "own/parts/first.h", "kernels/chain.inc" */
static char *name_file(const struct input_places *at, const struct kernel_input *in, bool own)
{
	if (in->place == INPUT_OF_SOURCE)
		return own ? xasprintf("own/%s", in->name) : xstrdup(in->path + strlen(at->tree) + 1);
	return xstrdup(in->name);
}

static bool add_file(struct kernel_files *f, char *name, const struct kernel_inputs *l, int i, struct err *e)
{
	const struct kernel_input *in = &l->list[i];
	bool ok = f->count < KERNEL_FILES_MAX ||
		err_set(e, ST_REQUEST, "%s: more than %d files for one kernel", in->path, KERNEL_FILES_MAX);
	if (ok && !kernel_file_name_is_valid(name))
		ok = err_set(e, ST_REQUEST,
			"%s includes %s; a kernel for another machine can include only files in or below its folder, "
			"at most %d folders deep",
			l->list[in->by].path, in->name, KERNEL_FOLDERS_MAX);
	if (ok)
		f->list[f->count++] = (struct kernel_file){xstrdup(name), xstrdup(in->path), in->hash};
	free(name);
	return ok;
}

static bool add_all_files(
	struct kernel_files *f, const struct kernel_inputs *l, const struct input_places *at, bool own, struct err *e)
{
	bool ok =
		!l->unreadable || err_set(e, ST_REQUEST, "cannot read the kernel source %s: %s", l->unreadable, l->why);
	for (int i = 0; ok && i < l->count; i++)
		ok = add_file(f, name_file(at, &l->list[i], own), l, i, e);
	return ok;
}

bool kernel_files_find(const char *file, struct kernel_files *out, struct err *e)
{
	bool own = *file == '/';
	char *source = own ? xstrdup(file) : path_kernels(file), *folder = path_copy_folder(source);
	char *kernels = path_kernels(NULL), *tree = path_copy_folder(kernels);
	const struct input_places at = {folder, tree};
	struct kernel_inputs inputs = {0};
	*out = (struct kernel_files){.count = 0};
	kernel_inputs_scan(&inputs, &at, source);
	bool ok = add_all_files(out, &inputs, &at, own, e);
	kernel_inputs_free(&inputs);
	free(source);
	free(folder);
	free(kernels);
	free(tree);
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
