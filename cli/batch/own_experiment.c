#include "cli/batch/own_experiment.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "base/paths.h"
#include "kernels/compile/kernel_files.h"

static const char copies_name[] = "experiment";
enum { COPY_BYTES_MAX = 16 << 20 /* of one file: a kernel is a text of some KiB */ };

static bool has_ending(const char *name, const char *ending)
{
	size_t n = strlen(name), k = strlen(ending);
	return n > k && !strcmp(name + n - k, ending);
}

bool own_experiment_is(const char *word)
{
	return strchr(word, '/') || has_ending(word, ".lua");
}

/* What a definition or a kernel in the same folder may read. */
static bool is_source_name(const char *name)
{
	static const char *const endings[] = {".lua", ".hip", ".s", ".c", ".h", ".hpp", ".inc", ".cuh"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (has_ending(name, endings[i]))
			return true;
	return false;
}

static bool read_source_file(const char *path, struct buf *out, struct err *e)
{
	char chunk[4096];
	FILE *f = fopen(path, "re");
	for (size_t n; f && out->len <= COPY_BYTES_MAX && (n = fread(chunk, 1, sizeof chunk, f));)
		buf_add(out, chunk, n);
	bool ok = f && !ferror(f) && out->len <= COPY_BYTES_MAX;
	if (!ok)
		err_set(e, ST_REQUEST, "cannot copy %s for the nodes: %s", path,
			out->len > COPY_BYTES_MAX ? "it is larger than 16 MiB" : strerror(errno));
	if (f)
		fclose(f);
	return ok;
}

static bool copy_source(const char *from, const char *to, struct err *e)
{
	struct buf text = {0};
	bool ok = read_source_file(from, &text, e);
	FILE *out = ok ? fopen(to, "we") : NULL;
	if (ok && (!out || fwrite(text.data, 1, text.len, out) != text.len))
		ok = err_set(e, ST_FAILED, "cannot write %s: %s; free some space", to, strerror(errno));
	if (out && fclose(out) && ok)
		ok = err_set(e, ST_FAILED, "cannot write %s: %s; free some space", to, strerror(errno));
	buf_free(&text);
	return ok;
}

static bool is_regular(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool copy_folder_sources(const char *from, const char *to, struct err *e)
{
	DIR *dir = opendir(from);
	bool ok = dir || err_set(e, ST_REQUEST, "cannot read %s: %s", from, strerror(errno));
	for (struct dirent *d; ok && (d = readdir(dir));) {
		char *source = xasprintf("%s/%s", from, d->d_name), *copy = xasprintf("%s/%s", to, d->d_name);
		if (is_source_name(d->d_name) && is_regular(source))
			ok = copy_source(source, copy, e);
		free(source);
		free(copy);
	}
	if (dir)
		closedir(dir);
	return ok;
}

/* --- what kernels include from folders below --- */
static bool is_kernel_name(const char *name)
{
	return has_ending(name, ".hip") || has_ending(name, ".s");
}

static bool copy_included(const struct kernel_file *f, const char *to, struct err *e)
{
	const char *name = f->name + strlen("own/");
	char *copy = xasprintf("%s/%s", to, name);
	char *folder = xasprintf("%.*s", (int)(strrchr(copy, '/') - copy), copy);
	bool ok = (path_make_directories(folder, NULL) ||
			  err_set(e, ST_FAILED, "cannot create %s: %s", folder, strerror(errno))) &&
		copy_source(f->path, copy, e);
	free(copy);
	free(folder);
	return ok;
}

/* A kernel that includes what no other machine can have is the compiler's to report: it may not be used. */
static bool copy_kernel_includes(const char *kernel, const char *to, struct err *e)
{
	struct kernel_files files;
	bool ok = true, found = kernel_files_find(kernel, &files, NULL);
	for (int i = 1; ok && found && i < files.count; i++)
		if (!strncmp(files.list[i].name, "own/", 4) && strchr(files.list[i].name + 4, '/'))
			ok = copy_included(&files.list[i], to, e);
	kernel_files_free(&files);
	return ok;
}

static bool copy_all_includes(const char *from, const char *to, struct err *e)
{
	char *folder = realpath(from, NULL);
	DIR *dir = folder ? opendir(folder) : NULL;
	bool ok = true;
	for (struct dirent *d; ok && dir && (d = readdir(dir));) {
		char *kernel = xasprintf("%s/%s", folder, d->d_name);
		if (is_kernel_name(d->d_name) && is_regular(kernel))
			ok = copy_kernel_includes(kernel, to, e);
		free(kernel);
	}
	if (dir)
		closedir(dir);
	free(folder);
	return ok;
}

bool own_experiment_copy(struct batch *b, const struct experiment *x, struct err *e)
{
	char *to = batch_file_path(b, copies_name);
	char *from = xasprintf("%.*s", (int)(path_basename(x->path) - x->path), x->path);
	bool ok = (!mkdir(to, 0777) || err_set(e, ST_FAILED, "cannot create %s: %s", to, strerror(errno))) &&
		copy_folder_sources(*from ? from : ".", to, e) && copy_all_includes(*from ? from : ".", to, e);
	json_object_set_new(b->description, "definition", json_utf8_string(path_basename(x->path)));
	free(to);
	free(from);
	return ok;
}

void own_experiment_remove(const struct batch *b)
{
	char *folder = batch_file_path(b, copies_name);
	temporary_folder_remove(folder);
	free(folder);
}

char *own_experiment_name(const struct batch *b)
{
	const char *definition = batch_get_text(b, "definition");
	return *definition ? xasprintf("%s/%s/%s", b->folder, copies_name, definition)
			   : xstrdup(batch_get_text(b, "experiment"));
}
