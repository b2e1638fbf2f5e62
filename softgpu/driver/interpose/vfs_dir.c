#include "softgpu/driver/interpose/vfs_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME    "softgpu-directory:"
#define PREFIX  "/memfd:" NAME /* as /proc shows it */
#define SUFFIX  " (deleted)"
#define LONGEST 220 /* of a path: a memory file's name has 249 bytes */

int vfs_dir_open(const char *path, int flags)
{
	char name[256], link[64];
	int file, fd;

	snprintf(name, sizeof name, NAME "%.*s", LONGEST, path);
	file = memfd_create(name, MFD_CLOEXEC);
	if (file < 0)
		return -1;
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	fd = (int)syscall(SYS_openat, AT_FDCWD, link, O_PATH | (flags & O_CLOEXEC), 0);
	close(file);
	return fd;
}

/* What the descriptor is, by the kernel's word. */
static bool name_of(int fd, char *out, size_t size)
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

	if (!name_of(fd, name, sizeof name) || strncmp(name, PREFIX, strlen(PREFIX)))
		return false;
	length = strlen(name) - strlen(PREFIX);
	if (length < strlen(SUFFIX) || length >= size)
		return false;
	snprintf(out, size, "%.*s", (int)(length - strlen(SUFFIX)), name + strlen(PREFIX));
	return true;
}

/* Real directories that hold some of the tree are among those joined. */
bool vfs_dir_resolve(int fd, const char *path, char *out, size_t size)
{
	size_t length;

	if (fd < 0 || !path || path[0] == '/')
		return false;
	if (!vfs_dir_path(fd, out, size) && !name_of(fd, out, size))
		return false;
	length = strlen(out);
	return out[0] == '/' && (size_t)snprintf(out + length, size - length, "/%s", path) < size - length;
}
