/* Interposed file calls. Paths inside the device's virtual tree are answered from it; all others pass through
 * unchanged. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/interpose/vfs_dir.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/sysfs_tree.h"
#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/driver/interpose/vfs.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* libc's older entry points have no prototypes */

/* True when the path is virtual. Otherwise *path is the path for the real call; it may point into `hit`. The real call
 * gets a bad pointer, and fails as usual. */
static bool resolve_virtual(const char **path, bool follow, struct vfs_lookup_result *hit)
{
	if (!is_user_string(*path) || !sysfs_covers_path(*path))
		return false;
	vfs_lookup(*path, follow, hit);
	if (hit->source != VFS_REAL)
		return true;
	*path = hit->path;
	return false;
}

/* As resolve_virtual, for a path that may be relative to the directory `at`; `buffer` (PATH_MAX) then holds the
 * absolute path. */
static bool resolve_virtual_at(int at, const char **path, bool follow, struct vfs_lookup_result *hit, char *buffer)
{
	const char *full = buffer;

	if (!is_user_string(*path) || (*path)[0] == '/' || at == AT_FDCWD ||
		!vfs_dir_resolve(at, *path, buffer, PATH_MAX))
		return resolve_virtual(path, follow, hit);
	if (resolve_virtual(&full, follow, hit))
		return true;
	if (full != buffer)
		*path = full; /* still a real file, reached through a virtual link */
	return false;
}

static int fail_absent(const struct vfs_lookup_result *hit)
{
	errno = hit->error;
	return -1;
}

/* --- open --- */
static bool is_dir(const struct vnode *n)
{
	return vnode_kind(n) == VFS_DIR || vnode_kind(n) == VFS_OVERLAY_DIR;
}

/* /dev/dri/cardN and renderD(128 + N) are both of GPU N. */
static enum device_file device_file_of_node(const struct vnode *n)
{
	if (!strcmp(vnode_name(n), "kfd"))
		return DEVICE_FILE_KFD;
	return DEVICE_FILE_RENDER + minor((dev_t)vnode_number(n)) % DRM_RENDER_MINOR;
}

static int open_node(const struct vfs_lookup_result *hit, int flags)
{
	const struct vnode *n = hit->node;

	if (hit->source == VFS_ABSENT)
		return fail_absent(hit);
	if (vnode_kind(n) == VFS_DEVICE)
		return device_open_file(device_file_of_node(n), flags);
	if (is_dir(n) != !!(flags & O_DIRECTORY) && (flags & O_DIRECTORY || (flags & O_ACCMODE) != O_RDONLY)) {
		errno = is_dir(n) ? EISDIR : ENOTDIR;
		return -1;
	}
	if (vnode_kind(n) == VFS_LINK) { /* with O_NOFOLLOW */
		errno = ELOOP;
		return -1;
	}
	return is_dir(n) ? vfs_dir_open(hit->path, flags) : vnode_open(n, flags);
}

static bool open_virtual(int at, const char **path, int flags, struct vfs_lookup_result *hit, int *fd)
{
	char buffer[PATH_MAX];

	if (!resolve_virtual_at(at, path, !(flags & O_NOFOLLOW), hit, buffer))
		return false;
	*fd = open_node(hit, flags);
	return true;
}

#define MODE_ARGUMENT(mode, flags)                                                  \
	do {                                                                        \
		va_list args_;                                                      \
		va_start(args_, flags);                                             \
		mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args_, mode_t) : 0; \
		va_end(args_);                                                      \
	} while (0)

#define INTERPOSE_OPEN(name)                                                                                          \
	EXPORT int name(const char *path, int flags, ...)                                                             \
	{                                                                                                             \
		struct vfs_lookup_result hit;                                                                         \
		mode_t mode;                                                                                          \
		int fd;                                                                                               \
		MODE_ARGUMENT(mode, flags);                                                                           \
		return open_virtual(AT_FDCWD, &path, flags, &hit, &fd) ? fd : REAL_FUNCTION(name)(path, flags, mode); \
	}
INTERPOSE_OPEN(open)
INTERPOSE_OPEN(open64)

#define INTERPOSE_OPENAT(name)                                                                                      \
	EXPORT int name(int at, const char *path, int flags, ...)                                                   \
	{                                                                                                           \
		struct vfs_lookup_result hit;                                                                       \
		mode_t mode;                                                                                        \
		int fd;                                                                                             \
		MODE_ARGUMENT(mode, flags);                                                                         \
		return open_virtual(at, &path, flags, &hit, &fd) ? fd : REAL_FUNCTION(name)(at, path, flags, mode); \
	}
INTERPOSE_OPENAT(openat)
INTERPOSE_OPENAT(openat64)

EXPORT int __open_2(const char *path, int flags)
{
	return open(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
	return open64(path, flags);
}

EXPORT int __openat_2(int at, const char *path, int flags)
{
	return openat(at, path, flags);
}

EXPORT int __openat64_2(int at, const char *path, int flags)
{
	return openat64(at, path, flags);
}

static int parse_fopen_mode(const char *mode)
{
	return (mode[0] == 'r' && !strchr(mode, '+') ? O_RDONLY : O_RDWR) | (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

#define INTERPOSE_FOPEN(name)                                                          \
	EXPORT FILE *name(const char *path, const char *mode)                          \
	{                                                                              \
		struct vfs_lookup_result hit;                                          \
		FILE *f;                                                               \
		int fd;                                                                \
		if (!open_virtual(AT_FDCWD, &path, parse_fopen_mode(mode), &hit, &fd)) \
			return REAL_FUNCTION(name)(path, mode);                        \
		f = fd < 0 ? NULL : fdopen(fd, mode);                                  \
		if (!f && fd >= 0)                                                     \
			close(fd);                                                     \
		return f;                                                              \
	}
INTERPOSE_FOPEN(fopen)
INTERPOSE_FOPEN(fopen64)

/* --- stat --- */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one layout on x86-64");

static bool stat_virtual(
	int at, const char **path, bool follow, struct vfs_lookup_result *hit, struct stat *out, int *result)
{
	char buffer[PATH_MAX];

	struct stat st;

	if (!resolve_virtual_at(at, path, follow, hit, buffer))
		return false;
	if (hit->source != VFS_VIRTUAL) {
		*result = fail_absent(hit);
		return true;
	}
	vnode_stat(hit->node, &st);
	*result = copy_to_user(out, &st, sizeof st) ? 0 : -1;
	return true;
}

#define INTERPOSE_STAT(name, type, follow)                                                              \
	EXPORT int name(const char *path, struct type *out)                                             \
	{                                                                                               \
		struct vfs_lookup_result hit;                                                           \
		int result;                                                                             \
		return stat_virtual(AT_FDCWD, &path, follow, &hit, (struct stat *)(void *)out, &result) \
			? result                                                                        \
			: REAL_FUNCTION(name)(path, out);                                               \
	}
INTERPOSE_STAT(stat, stat, true)
INTERPOSE_STAT(stat64, stat64, true)
INTERPOSE_STAT(lstat, stat, false)
INTERPOSE_STAT(lstat64, stat64, false)

/* Device files and virtual directories are memory files underneath. fstat reports the virtual node instead. */
static void stat_as_node(int fd, struct stat *out)
{
	enum device_file file;
	struct vfs_lookup_result hit;
	char path[512];

	if (!S_ISREG(out->st_mode) || out->st_nlink)
		return;
	file = device_file_from_fd(fd);
	if (file == DEVICE_FILE_NONE && !vfs_dir_path(fd, path, sizeof path))
		return;
	if (file == DEVICE_FILE_KFD)
		snprintf(path, sizeof path, "/dev/kfd");
	else if (file != DEVICE_FILE_NONE)
		snprintf(path, sizeof path, "/dev/dri/renderD%u", DRM_RENDER_MINOR + file - DEVICE_FILE_RENDER);
	vfs_lookup(path, true, &hit);
	if (hit.source == VFS_VIRTUAL)
		vnode_stat(hit.node, out);
}

#define INTERPOSE_FSTAT(name, type)                                   \
	EXPORT int name(int fd, struct type *out)                     \
	{                                                             \
		int result = REAL_FUNCTION(name)(fd, out);            \
		if (result == 0)                                      \
			stat_as_node(fd, (struct stat *)(void *)out); \
		return result;                                        \
	}
INTERPOSE_FSTAT(fstat, stat)
INTERPOSE_FSTAT(fstat64, stat64)

#define INTERPOSE_FSTATAT(name, type)                                                                              \
	EXPORT int name(int at, const char *path, struct type *out, int flags)                                     \
	{                                                                                                          \
		struct vfs_lookup_result hit;                                                                      \
		int result;                                                                                        \
		if (stat_virtual(                                                                                  \
			    at, &path, !(flags & AT_SYMLINK_NOFOLLOW), &hit, (struct stat *)(void *)out, &result)) \
			return result;                                                                             \
		result = REAL_FUNCTION(name)(at, path, out, flags);                                                \
		if (result == 0 && flags & AT_EMPTY_PATH && is_user_string(path) && !*path)                        \
			stat_as_node(at, (struct stat *)(void *)out);                                              \
		return result;                                                                                     \
	}
INTERPOSE_FSTATAT(fstatat, stat)
INTERPOSE_FSTATAT(fstatat64, stat64)

/* Entry points of programs linked before glibc 2.33. */
EXPORT int __xstat(int version, const char *path, struct stat *out)
{
	(void)version;
	return stat(path, out);
}

EXPORT int __xstat64(int version, const char *path, struct stat64 *out)
{
	(void)version;
	return stat64(path, out);
}

EXPORT int __lxstat(int version, const char *path, struct stat *out)
{
	(void)version;
	return lstat(path, out);
}

EXPORT int __lxstat64(int version, const char *path, struct stat64 *out)
{
	(void)version;
	return lstat64(path, out);
}

EXPORT int __fxstat(int version, int fd, struct stat *out)
{
	(void)version;
	return fstat(fd, out);
}

EXPORT int __fxstat64(int version, int fd, struct stat64 *out)
{
	(void)version;
	return fstat64(fd, out);
}

static int convert_to_statx(const struct stat *st, struct statx *out)
{
	const struct statx x = {
		.stx_mask = STATX_BASIC_STATS,
		.stx_blksize = (uint32_t)st->st_blksize,
		.stx_nlink = (uint32_t)st->st_nlink,
		.stx_mode = (uint16_t)st->st_mode,
		.stx_ino = st->st_ino,
		.stx_size = (uint64_t)st->st_size,
		.stx_rdev_major = (uint32_t)(st->st_rdev >> 8),
		.stx_rdev_minor = (uint32_t)(st->st_rdev & 0xff),
	};
	return copy_to_user(out, &x, sizeof x) ? 0 : -1;
}

EXPORT int statx(int at, const char *path, int flags, unsigned mask, struct statx *out)
{
	struct vfs_lookup_result hit;
	struct stat st;
	int result;

	if (flags & AT_EMPTY_PATH && is_user_string(path) && !*path && !fstat(at, &st) &&
		st.st_dev == vfs_device_number())
		return convert_to_statx(&st, out);
	if (!stat_virtual(at, &path, !(flags & AT_SYMLINK_NOFOLLOW), &hit, &st, &result))
		return REAL_FUNCTION(statx)(at, path, flags, mask, out);
	return result ? result : convert_to_statx(&st, out);
}

/* --- links and rights --- */
static ssize_t read_node_link(const struct vfs_lookup_result *hit, char *out, size_t size)
{
	size_t length;

	if (hit->source == VFS_ABSENT)
		return fail_absent(hit);
	if (vnode_kind(hit->node) != VFS_LINK) {
		errno = EINVAL;
		return -1;
	}
	length = strlen(vnode_target(hit->node));
	length = length < size ? length : size;
	return copy_to_user(out, vnode_target(hit->node), length) ? (ssize_t)length : -1;
}

EXPORT ssize_t readlink(const char *path, char *out, size_t size)
{
	struct vfs_lookup_result hit;

	return resolve_virtual(&path, false, &hit) ? read_node_link(&hit, out, size)
						   : REAL_FUNCTION(readlink)(path, out, size);
}

EXPORT ssize_t readlinkat(int at, const char *path, char *out, size_t size)
{
	struct vfs_lookup_result hit;
	char buffer[PATH_MAX];

	return resolve_virtual_at(at, &path, false, &hit, buffer) ? read_node_link(&hit, out, size)
								  : REAL_FUNCTION(readlinkat)(at, path, out, size);
}

EXPORT ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t buffer)
{
	return readlink(path, out, size < buffer ? size : buffer);
}

static int check_node_access(const struct vfs_lookup_result *hit, int mode)
{
	if (hit->source == VFS_ABSENT)
		return fail_absent(hit);
	if (mode & W_OK && vnode_kind(hit->node) != VFS_DEVICE) {
		errno = EACCES;
		return -1;
	}
	return 0;
}

EXPORT int access(const char *path, int mode)
{
	struct vfs_lookup_result hit;

	return resolve_virtual(&path, true, &hit) ? check_node_access(&hit, mode) : REAL_FUNCTION(access)(path, mode);
}

EXPORT int faccessat(int at, const char *path, int mode, int flags)
{
	struct vfs_lookup_result hit;
	char buffer[PATH_MAX];

	return resolve_virtual_at(at, &path, !(flags & AT_SYMLINK_NOFOLLOW), &hit, buffer)
		? check_node_access(&hit, mode)
		: REAL_FUNCTION(faccessat)(at, path, mode, flags);
}

EXPORT char *realpath(const char *path, char *out)
{
	struct vfs_lookup_result hit;

	if (!resolve_virtual(&path, true, &hit))
		return REAL_FUNCTION(realpath)(path, out);
	if (hit.source == VFS_ABSENT) {
		errno = hit.error;
		return NULL;
	}
	return out ? strcpy(out, hit.path) : strdup(hit.path);
}

EXPORT char *__realpath_chk(const char *path, char *out, size_t buffer)
{
	(void)buffer;
	return realpath(path, out);
}

EXPORT char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}
