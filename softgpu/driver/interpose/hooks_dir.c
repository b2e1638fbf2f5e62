/* Interposed directory calls. Virtual directories are read through dir_stream objects, which the C library never sees;
 * all other streams pass through unchanged. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softgpu/driver/interpose/vfs_dir.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/sysfs_tree.h"
#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/driver/interpose/vfs.h"

struct dir_stream {
	struct dir_stream *next;
	const struct vnode *node;
	size_t position; /* ".", "..", then the children */
	int fd;          /* -1: no descriptor requested yet */
	struct dirent entry;
};

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "one layout on x86-64");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dir_stream *_Atomic streams;

/* The list is nearly always empty. */
static struct dir_stream *find_dir_stream(DIR *d)
{
	struct dir_stream *s;

	if (!streams)
		return NULL;
	pthread_mutex_lock(&lock);
	for (s = streams; s && (void *)s != (void *)d; s = s->next)
		;
	pthread_mutex_unlock(&lock);
	return s;
}

static DIR *open_dir_stream(const struct vfs_lookup_result *hit)
{
	struct dir_stream *s;

	errno = hit->error;
	if (hit->source == VFS_ABSENT)
		return NULL;
	errno = ENOTDIR;
	if (vnode_kind(hit->node) != VFS_DIR)
		return NULL;
	errno = 0;
	s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->node = hit->node;
	s->fd = -1;
	pthread_mutex_lock(&lock);
	s->next = streams;
	streams = s;
	pthread_mutex_unlock(&lock);
	return (DIR *)(void *)s;
}

static void close_dir_stream(struct dir_stream *s)
{
	struct dir_stream *at;

	pthread_mutex_lock(&lock);
	if (streams == s) {
		streams = s->next;
	} else {
		for (at = streams; at && at->next != s; at = at->next)
			;
		if (at)
			at->next = s->next;
	}
	pthread_mutex_unlock(&lock);
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

static unsigned char dirent_type_of(const struct vnode *n)
{
	switch (vnode_kind(n)) {
	case VFS_FILE: return DT_REG;
	case VFS_LINK: return DT_LNK;
	case VFS_DEVICE: return DT_CHR;
	default: return DT_DIR;
	}
}

static struct dirent *read_dir_stream(struct dir_stream *s)
{
	size_t i = s->position;
	const struct vnode *n = i == 0 ? s->node : i == 1 ? vnode_parent(s->node) : vnode_child(s->node, i - 2);
	struct stat st;

	if (!n)
		return NULL;
	vnode_stat(n, &st);
	s->entry.d_ino = st.st_ino;
	s->entry.d_off = (off_t)++s->position;
	s->entry.d_reclen = sizeof s->entry;
	s->entry.d_type = dirent_type_of(n);
	snprintf(s->entry.d_name, sizeof s->entry.d_name, "%s", i == 0 ? "." : i == 1 ? ".." : vnode_name(n));
	return &s->entry;
}

EXPORT DIR *opendir(const char *path)
{
	struct vfs_lookup_result hit;

	if (!is_user_string(path) || !sysfs_covers_path(path))
		return REAL_FUNCTION(opendir)(path);
	vfs_lookup(path, true, &hit);
	return hit.source == VFS_REAL ? REAL_FUNCTION(opendir)(hit.path) : open_dir_stream(&hit);
}

EXPORT DIR *fdopendir(int fd)
{
	struct vfs_lookup_result hit;
	char path[512];
	DIR *d;

	if (!vfs_dir_path(fd, path, sizeof path) || !sysfs_covers_path(path))
		return REAL_FUNCTION(fdopendir)(fd);
	vfs_lookup(path, true, &hit);
	d = hit.source == VFS_REAL ? REAL_FUNCTION(opendir)(hit.path) : open_dir_stream(&hit);
	if (d && hit.source != VFS_REAL)
		((struct dir_stream *)(void *)d)->fd = fd;
	return d;
}

EXPORT struct dirent *readdir(DIR *d)
{
	struct dir_stream *s = find_dir_stream(d);

	return s ? read_dir_stream(s) : REAL_FUNCTION(readdir)(d);
}

EXPORT struct dirent64 *readdir64(DIR *d)
{
	struct dir_stream *s = find_dir_stream(d);

	return s ? (struct dirent64 *)(void *)read_dir_stream(s) : REAL_FUNCTION(readdir64)(d);
}

EXPORT int closedir(DIR *d)
{
	struct dir_stream *s = find_dir_stream(d);

	if (!s)
		return REAL_FUNCTION(closedir)(d);
	close_dir_stream(s);
	return 0;
}

EXPORT void rewinddir(DIR *d)
{
	struct dir_stream *s = find_dir_stream(d);

	if (s)
		s->position = 0;
	else
		REAL_FUNCTION(rewinddir)(d);
}

EXPORT long telldir(DIR *d)
{
	struct dir_stream *s = find_dir_stream(d);

	return s ? (long)s->position : REAL_FUNCTION(telldir)(d);
}

EXPORT void seekdir(DIR *d, long position)
{
	struct dir_stream *s = find_dir_stream(d);

	if (s)
		s->position = (size_t)position;
	else
		REAL_FUNCTION(seekdir)(d, position);
}

EXPORT int dirfd(DIR *d)
{
	struct dir_stream *s = find_dir_stream(d);
	char path[PATH_MAX];

	if (!s)
		return REAL_FUNCTION(dirfd)(d);
	vnode_path(s->node, path, sizeof path);
	if (s->fd < 0)
		s->fd = vfs_dir_open(path, O_CLOEXEC);
	return s->fd;
}

/* --- glob --- */
/* glob calls the C library's internal versions of these functions, which bypass the hooks, unless it gets others. */
static void *open_for_glob(const char *path)
{
	return opendir(path);
}
static struct dirent *read_for_glob(void *d)
{
	return readdir(d);
}
static void close_for_glob(void *d)
{
	closedir(d);
}
static int lstat_for_glob(const char *path, struct stat *out)
{
	return lstat(path, out);
}
static int stat_for_glob(const char *path, struct stat *out)
{
	return stat(path, out);
}

EXPORT int glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *out)
{
	if (!(flags & GLOB_ALTDIRFUNC)) {
		flags |= GLOB_ALTDIRFUNC;
		out->gl_opendir = open_for_glob;
		out->gl_readdir = (__typeof__(out->gl_readdir))(void (*)(void))read_for_glob;
		out->gl_closedir = close_for_glob;
		out->gl_lstat = lstat_for_glob;
		out->gl_stat = stat_for_glob;
	}
	return REAL_FUNCTION(glob)(pattern, flags, error, out);
}

_Static_assert(sizeof(glob_t) == sizeof(glob64_t), "one layout on x86-64");

EXPORT int glob64(const char *pattern, int flags, int (*error)(const char *, int), glob64_t *out)
{
	return glob(pattern, flags, error, (glob_t *)(void *)out);
}

/* --- scandir --- */
typedef int filter_fn(const struct dirent *);
typedef int order_fn(const struct dirent **, const struct dirent **);

static void free_entries(struct dirent **list, int count)
{
	while (count > 0)
		free(list[--count]);
	free(list);
}

static int collect_entries(struct dir_stream *s, struct dirent ***out, filter_fn *filter)
{
	struct dirent **list = NULL, **grown, *e;
	int count = 0;

	while ((e = read_dir_stream(s))) {
		if (filter && !filter(e))
			continue;
		grown = realloc(list, ((size_t)count + 1) * sizeof *list);
		if (grown)
			list = grown;
		if (!grown || !(list[count] = malloc(sizeof *e))) {
			free_entries(list, count);
			return -1;
		}
		memcpy(list[count++], e, sizeof *e);
	}
	*out = list ? list : calloc(1, sizeof *list);
	return count;
}

static bool scan_virtual_dir(const char *path, struct dirent ***out, filter_fn *filter, order_fn *order, int *count)
{
	struct vfs_lookup_result hit;
	DIR *d;

	if (!is_user_string(path) || !sysfs_covers_path(path))
		return false;
	vfs_lookup(path, true, &hit);
	if (hit.source == VFS_REAL)
		return false;
	d = open_dir_stream(&hit);
	*count = -1;
	if (!d)
		return true;
	*count = collect_entries((struct dir_stream *)(void *)d, out, filter);
	close_dir_stream((struct dir_stream *)(void *)d);
	if (*count > 0 && order)
		qsort(*out, (size_t)*count, sizeof **out, (int (*)(const void *, const void *))(void (*)(void))order);
	return true;
}

EXPORT int scandir(const char *path, struct dirent ***out, filter_fn *filter, order_fn *order)
{
	int count;

	return scan_virtual_dir(path, out, filter, order, &count) ? count
								  : REAL_FUNCTION(scandir)(path, out, filter, order);
}

EXPORT int scandir64(const char *path, struct dirent64 ***out, int (*filter)(const struct dirent64 *),
	int (*order)(const struct dirent64 **, const struct dirent64 **))
{
	int count;

	if (scan_virtual_dir(path, (struct dirent ***)(void *)out, (filter_fn *)(void (*)(void))filter,
		    (order_fn *)(void (*)(void))order, &count))
		return count;
	return REAL_FUNCTION(scandir64)(path, out, filter, order);
}
