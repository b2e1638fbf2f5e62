#include "softgpu/driver/interpose/vfs_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEMFD_NAME   "softgpu-directory:"
#define PROC_PREFIX  "/memfd:" MEMFD_NAME /* as shown in /proc */
#define PROC_SUFFIX  " (deleted)"
#define PATH_LONGEST 220 /* longest path: a memfd name has at most 249 bytes */

int vfs_dir_open(const char *path, int flags)
{
	char name[256], link[64];
	int file, fd;

	snprintf(name, sizeof name, MEMFD_NAME "%.*s", PATH_LONGEST, path);
	file = memfd_create(name, MFD_CLOEXEC);
	if (file < 0)
		return -1;
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	fd = (int)syscall(SYS_openat, AT_FDCWD, link, O_PATH | (flags & O_CLOEXEC), 0);
	close(file);
	return fd;
}

/* The descriptor's target according to the kernel. */
static bool read_fd_target(int fd, char *out, size_t size)
{
	char link[64];
	long n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = syscall(SYS_readlink, link, out, size - 1);
	if (n < 0)
		return false;
	out[n] = 0;
	return true;
}

bool vfs_dir_path(int fd, char *out, size_t size)
{
	char name[512];
	size_t length;

	if (!read_fd_target(fd, name, sizeof name) || strncmp(name, PROC_PREFIX, strlen(PROC_PREFIX)))
		return false;
	length = strlen(name) - strlen(PROC_PREFIX);
	if (length < strlen(PROC_SUFFIX) || length >= size)
		return false;
	snprintf(out, size, "%.*s", (int)(length - strlen(PROC_SUFFIX)), name + strlen(PROC_PREFIX));
	return true;
}

/* Real directories are joined too: they may contain virtual entries. */
bool vfs_dir_resolve(int fd, const char *path, char *out, size_t size)
{
	size_t length;

	if (fd < 0 || !path || path[0] == '/')
		return false;
	if (!vfs_dir_path(fd, out, size) && !read_fd_target(fd, out, size))
		return false;
	length = strlen(out);
	return out[0] == '/' && (size_t)snprintf(out + length, size - length, "/%s", path) < size - length;
}
