/* Descriptors of virtual directories. Each is an unreadable memory file whose name contains the directory's path, so
 * that duplicated and inherited descriptors work too. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_VFS_DIR_H
#define SOFTGPU_DRIVER_INTERPOSE_VFS_DIR_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a descriptor for the node at `path`. -1 with errno. */
int vfs_dir_open(const char *path, int flags);
/* The path of a virtual directory's descriptor; false for any other descriptor. */
bool vfs_dir_path(int fd, char *out, size_t size);
/* Makes a path relative to a directory's descriptor absolute; false if it should be used unchanged. */
bool vfs_dir_resolve(int fd, const char *path, char *out, size_t size);

#endif
