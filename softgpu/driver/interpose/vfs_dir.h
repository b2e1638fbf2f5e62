/* Descriptors of the tree's directories: memory files that cannot be read, whose name says which directory they stand
 * for, so that copies of them and those that other programs inherit do as well. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_VFS_DIR_H
#define SOFTGPU_DRIVER_INTERPOSE_VFS_DIR_H

#include <stdbool.h>
#include <stddef.h>

/* `path` is a node's path. -1 with errno. */
int vfs_dir_open(const char *path, int flags);
/* The path that a descriptor of the tree's stands for; false for any other. */
bool vfs_dir_path(int fd, char *out, size_t size);
/* A path relative to a directory's descriptor, made absolute in `out`; false where it is to be used as it is. */
bool vfs_dir_resolve(int fd, const char *path, char *out, size_t size);

#endif
