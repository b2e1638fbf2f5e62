#include "captures/capture_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/buf.h"

int capture_file_open(int folder, const char *name, const char *path, struct err *e)
{
	struct stat st;
	int fd = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && errno != ELOOP) {
		err_set(e, ST_FAILED, "cannot read %s/%s: %s; capture it again", name, path, strerror(errno));
		return -1;
	}
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	err_set(e, ST_REQUEST, "%s/%s is not a regular file; remove it, or put a file in its place", name, path);
	return -1;
}

static bool add_file(struct capture_files *list, int folder, const char *name, const char *path, struct err *e)
{
	struct stat st;
	int fd = capture_file_open(folder, name, path, e);
	if (fd < 0)
		return false;
	bool known = !fstat(fd, &st);
	close(fd);
	if (!known)
		return err_set(e, ST_FAILED, "cannot read %s/%s: %s; capture it again", name, path, strerror(errno));
	if (list->count == CAPTURE_FILES_MAX)
		return err_set(
			e, ST_REQUEST, "%s has more than %d files; keep fewer launches", name, CAPTURE_FILES_MAX);
	list->file = xrealloc(list->file, (list->count + 1) * sizeof *list->file);
	struct capture_file *f = &list->file[list->count++];
	snprintf(f->path, sizeof f->path, "%s", path);
	f->bytes = (uint64_t)st.st_size;
	if (__builtin_add_overflow(list->bytes, f->bytes, &list->bytes))
		list->bytes = UINT64_MAX;
	return true;
}

static bool refuse_file(const char *name, const char *path, struct err *e)
{
	return err_set(e, ST_REQUEST, "%s/%s does not belong to a capture; remove it", name, path);
}

/* Calls `visit` for each name in a folder but "." and ".."; false if it cannot be read, or when `visit` is. */
static bool visit_folder(int folder, const char *path, const char *name,
	bool (*visit)(void *ctx, const char *name, struct err *e), void *ctx, struct err *e)
{
	int fd = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (!d) {
		err_set(e, ST_REQUEST, "cannot read the folder %s/%s: %s; capture it again", name, path,
			strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	bool ok = true;
	const struct dirent *entry;
	while (ok && (errno = 0, entry = readdir(d)))
		ok = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || visit(ctx, entry->d_name, e);
	if (ok && errno)
		ok = err_set(e, ST_FAILED, "cannot read the folder %s/%s: %s; capture it again", name, path,
			strerror(errno));
	closedir(d);
	return ok;
}

struct listing {
	struct capture_files *list;
	int folder;
	const char *name;
	const struct capture_folder *in; /* NULL: the folder itself */
};

static bool list_inner_file(void *ctx, const char *file, struct err *e)
{
	const struct listing *l = ctx;
	char *path = xasprintf("%s/%s", l->in->name, file);
	bool ok = is_capture_file_name(file, l->in->suffix) ? add_file(l->list, l->folder, l->name, path, e)
							    : refuse_file(l->name, path, e);
	free(path);
	return ok;
}

static bool list_top_name(void *ctx, const char *file, struct err *e)
{
	struct listing *l = ctx;
	if (!strcmp(file, CAPTURE_HEAD_NAME))
		return add_file(l->list, l->folder, l->name, file, e);
	for (l->in = capture_folders; l->in->name; l->in++)
		if (!strcmp(file, l->in->name))
			return visit_folder(l->folder, file, l->name, list_inner_file, l, e);
	return refuse_file(l->name, file, e);
}

static int compare_paths(const void *a, const void *b)
{
	const struct capture_file *x = a, *y = b;
	int first = !strcmp(y->path, CAPTURE_HEAD_NAME) - !strcmp(x->path, CAPTURE_HEAD_NAME);
	return first ? first : strcmp(x->path, y->path);
}

bool capture_files_list(struct capture_files *list, int folder, const char *name, struct err *e)
{
	struct listing l = {.list = list, .folder = folder, .name = name};
	*list = (struct capture_files){0};
	if (!visit_folder(folder, ".", name, list_top_name, &l, e))
		return false;
	if (list->count)
		qsort(list->file, list->count, sizeof *list->file, compare_paths);
	if (!list->count || strcmp(list->file[0].path, CAPTURE_HEAD_NAME))
		return err_set(
			e, ST_REQUEST, "%s has no %s; name a folder of captured launches", name, CAPTURE_HEAD_NAME);
	return list->file[0].bytes <= CAPTURE_HEAD_MAX ||
		err_set(e, ST_REQUEST, "%s/%s is larger than 4 MiB; keep fewer launches", name, CAPTURE_HEAD_NAME);
}

void capture_files_free(struct capture_files *list)
{
	free(list->file);
	*list = (struct capture_files){0};
}

/* --- writing --- */
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
