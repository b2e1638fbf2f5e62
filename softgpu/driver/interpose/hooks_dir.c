/* Interposed directory calls. A directory of the tree is read through a stream of our own, which the C library's calls
 * never see; all other streams go on untouched. */
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
#include "softgpu/driver/interpose/vfs.h"

struct stream {
	struct stream *next;
	const struct vnode *node;
	size_t position; /* "." and "..", then the children */
	int fd;          /* -1: nobody has asked for it */
	struct dirent entry;
};

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "one layout on x86-64");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *_Atomic streams;

/* Nearly always with nothing in the list. */
static struct stream *stream_of(DIR *d)
{
	struct stream *s;

	if (!streams)
		return NULL;
	pthread_mutex_lock(&lock);
	for (s = streams; s && (void *)s != (void *)d; s = s->next)
		;
	pthread_mutex_unlock(&lock);
	return s;
}

static DIR *open_stream(const struct vfs_lookup_result *hit)
{
	struct stream *s;

	errno = hit->error;
	if (hit->where == VFS_ABSENT)
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

static void close_stream(struct stream *s)
{
	struct stream *at;

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

static unsigned char type_of(const struct vnode *n)
{
	switch (vnode_kind(n)) {
	case VFS_FILE: return DT_REG;
	case VFS_LINK: return DT_LNK;
	case VFS_DEVICE: return DT_CHR;
	default: return DT_DIR;
	}
}

static struct dirent *read_stream(struct stream *s)
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
	s->entry.d_type = type_of(n);
	snprintf(s->entry.d_name, sizeof s->entry.d_name, "%s", i == 0 ? "." : i == 1 ? ".." : vnode_name(n));
	return &s->entry;
}

EXPORT DIR *opendir(const char *path)
{
	struct vfs_lookup_result hit;

	if (!sysfs_covers_path(path))
		return REAL_FUNCTION(opendir)(path);
	vfs_lookup(path, true, &hit);
	return hit.where == VFS_REAL ? REAL_FUNCTION(opendir)(hit.path) : open_stream(&hit);
}

EXPORT DIR *fdopendir(int fd)
{
	struct vfs_lookup_result hit;
	char path[512];
	DIR *d;

	if (!vfs_dir_path(fd, path, sizeof path) || !sysfs_covers_path(path))
		return REAL_FUNCTION(fdopendir)(fd);
	vfs_lookup(path, true, &hit);
	d = hit.where == VFS_REAL ? REAL_FUNCTION(opendir)(hit.path) : open_stream(&hit);
	if (d && hit.where != VFS_REAL)
		((struct stream *)(void *)d)->fd = fd;
	return d;
}

EXPORT struct dirent *readdir(DIR *d)
{
	struct stream *s = stream_of(d);

	return s ? read_stream(s) : REAL_FUNCTION(readdir)(d);
}

EXPORT struct dirent64 *readdir64(DIR *d)
{
	struct stream *s = stream_of(d);

	return s ? (struct dirent64 *)(void *)read_stream(s) : REAL_FUNCTION(readdir64)(d);
}

EXPORT int closedir(DIR *d)
{
	struct stream *s = stream_of(d);

	if (!s)
		return REAL_FUNCTION(closedir)(d);
	close_stream(s);
	return 0;
}

EXPORT void rewinddir(DIR *d)
{
	struct stream *s = stream_of(d);

	if (s)
		s->position = 0;
	else
		REAL_FUNCTION(rewinddir)(d);
}

EXPORT long telldir(DIR *d)
{
	struct stream *s = stream_of(d);

	return s ? (long)s->position : REAL_FUNCTION(telldir)(d);
}

EXPORT void seekdir(DIR *d, long position)
{
	struct stream *s = stream_of(d);

	if (s)
		s->position = (size_t)position;
	else
		REAL_FUNCTION(seekdir)(d, position);
}

EXPORT int dirfd(DIR *d)
{
	struct stream *s = stream_of(d);
	char path[PATH_MAX];

	if (!s)
		return REAL_FUNCTION(dirfd)(d);
	vnode_path(s->node, path, sizeof path);
	if (s->fd < 0)
		s->fd = vfs_dir_open(path, O_CLOEXEC);
	return s->fd;
}

/* --- glob --- */
/* The C library's own calls of the above go past us, unless it is told to use others. */
static void *glob_open(const char *path)
{
	return opendir(path);
}
static struct dirent *glob_read(void *d)
{
	return readdir(d);
}
static void glob_close(void *d)
{
	closedir(d);
}
static int glob_lstat(const char *path, struct stat *out)
{
	return lstat(path, out);
}
static int glob_stat(const char *path, struct stat *out)
{
	return stat(path, out);
}

EXPORT int glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *out)
{
	if (!(flags & GLOB_ALTDIRFUNC)) {
		flags |= GLOB_ALTDIRFUNC;
		out->gl_opendir = glob_open;
		out->gl_readdir = (__typeof__(out->gl_readdir))(void (*)(void))glob_read;
		out->gl_closedir = glob_close;
		out->gl_lstat = glob_lstat;
		out->gl_stat = glob_stat;
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

static void drop(struct dirent **list, int count)
{
	while (count > 0)
		free(list[--count]);
	free(list);
}

static int collect(struct stream *s, struct dirent ***out, filter_fn *filter)
{
	struct dirent **list = NULL, **grown, *e;
	int count = 0;

	while ((e = read_stream(s))) {
		if (filter && !filter(e))
			continue;
		grown = realloc(list, ((size_t)count + 1) * sizeof *list);
		if (grown)
			list = grown;
		if (!grown || !(list[count] = malloc(sizeof *e))) {
			drop(list, count);
			return -1;
		}
		memcpy(list[count++], e, sizeof *e);
	}
	*out = list ? list : calloc(1, sizeof *list);
	return count;
}

static bool scan_here(const char *path, struct dirent ***out, filter_fn *filter, order_fn *order, int *count)
{
	struct vfs_lookup_result hit;
	DIR *d;

	if (!sysfs_covers_path(path))
		return false;
	vfs_lookup(path, true, &hit);
	if (hit.where == VFS_REAL)
		return false;
	d = open_stream(&hit);
	*count = -1;
	if (!d)
		return true;
	*count = collect((struct stream *)(void *)d, out, filter);
	close_stream((struct stream *)(void *)d);
	if (*count > 0 && order)
		qsort(*out, (size_t)*count, sizeof **out, (int (*)(const void *, const void *))(void (*)(void))order);
	return true;
}

EXPORT int scandir(const char *path, struct dirent ***out, filter_fn *filter, order_fn *order)
{
	int count;

	return scan_here(path, out, filter, order, &count) ? count : REAL_FUNCTION(scandir)(path, out, filter, order);
}

EXPORT int scandir64(const char *path, struct dirent64 ***out, int (*filter)(const struct dirent64 *),
	int (*order)(const struct dirent64 **, const struct dirent64 **))
{
	int count;

	if (scan_here(path, (struct dirent ***)(void *)out, (filter_fn *)(void (*)(void))filter,
		    (order_fn *)(void (*)(void))order, &count))
		return count;
	return REAL_FUNCTION(scandir64)(path, out, filter, order);
}
