/* A read-only file tree in memory on top of the real one: the device's files in /sys, /proc and /dev. Nothing is
 * written to a disk, so nothing remains however a process ends. Contents are generated when a file is opened. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_VFS_H
#define SOFTGPU_DRIVER_INTERPOSE_VFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "softgpu/driver/interpose/strbuf.h"

enum vfs_kind {
	VFS_OVERLAY_DIR, /* a real directory that also contains virtual entries */
	VFS_DIR,
	VFS_FILE,
	VFS_LINK,
	VFS_DEVICE,
};

struct vnode;
typedef void vfs_generate_fn(struct strbuf *out, const char *argument, unsigned gpu);

/* Adds a node, and missing parent directories (as VFS_DIR). `text` is a link's target, a file's content or the argument
 * of `generate`; it is not copied. `number` is a device's number, or the GPU whose file it is. NULL if memory runs out.
 */
struct vnode *vfs_add(const char *path, enum vfs_kind kind, const char *text, vfs_generate_fn *generate, int number);

enum vfs_source { VFS_REAL, VFS_VIRTUAL, VFS_ABSENT };
struct vfs_lookup_result {
	enum vfs_source source;
	const struct vnode *node; /* VFS_VIRTUAL */
	int error;                /* VFS_ABSENT */
	char path[PATH_MAX];      /* VFS_REAL: the real path to use; VFS_VIRTUAL: the node's path */
};
/* Resolves an absolute path and the links in it; a link in the last component only with `follow`. */
void vfs_lookup(const char *path, bool follow, struct vfs_lookup_result *hit);

enum vfs_kind vnode_kind(const struct vnode *n);
int vnode_number(const struct vnode *n);
const char *vnode_name(const struct vnode *n);
const char *vnode_target(const struct vnode *n);                      /* of a link */
const struct vnode *vnode_child(const struct vnode *n, size_t index); /* NULL after the last */
void vnode_path(const struct vnode *n, char *out, size_t size);
const struct vnode *vnode_parent(const struct vnode *n);
dev_t vfs_device_number(void); /* st_dev of all virtual files */
void vnode_stat(const struct vnode *n, struct stat *out);
int vnode_open(const struct vnode *n, int flags); /* a VFS_FILE; returns a descriptor, or -1 with errno */

#endif
