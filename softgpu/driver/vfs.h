/* A read-only file tree in memory, laid over the real one: what /sys, /proc and /dev show of the device.
 * Nothing of it is on any disk, so nothing is left behind however a process ends. Contents are made when a file is
 * opened. */
#ifndef SOFTGPU_DRIVER_VFS_H
#define SOFTGPU_DRIVER_VFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "softgpu/driver/text.h"

enum vfs_kind {
	VFS_THROUGH, /* a real directory with some of our entries below it */
	VFS_DIR,
	VFS_FILE,
	VFS_LINK,
	VFS_DEVICE,
};

struct vnode;
typedef void vfs_make_fn(struct text *out, const char *argument);

/* Adds a node and the directories above it (as VFS_DIR where they are not there). `text` is a link's target, a file's
 * content or the argument of `make`; it is not copied. `device` is for the opener. */
struct vnode *vfs_add(const char *path, enum vfs_kind kind, const char *text, vfs_make_fn *make, int device);

enum vfs_where { VFS_REAL, VFS_HERE, VFS_ABSENT };
struct vfs_hit {
	enum vfs_where where;
	const struct vnode *node; /* VFS_HERE */
	int error;                /* VFS_ABSENT */
	char path[PATH_MAX];      /* VFS_REAL: where to look instead; VFS_HERE: the node's path */
};
/* Looks an absolute path up, through links; through a last link only with `follow`. */
void vfs_find(const char *path, bool follow, struct vfs_hit *hit);

enum vfs_kind vnode_kind(const struct vnode *n);
int vnode_device(const struct vnode *n);
const char *vnode_name(const struct vnode *n);
const char *vnode_target(const struct vnode *n);                      /* of a link */
const struct vnode *vnode_child(const struct vnode *n, size_t index); /* NULL behind the last */
void vnode_path(const struct vnode *n, char *out, size_t size);
const struct vnode *vnode_parent(const struct vnode *n);
dev_t vfs_device(void); /* st_dev of everything here */
void vnode_stat(const struct vnode *n, struct stat *out);
int vnode_open(const struct vnode *n, int flags); /* a file; -1 with errno */

#endif
