#include "softgpu/driver/interpose/vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LINKS_MAX     40
#define DEVICE_NUMBER makedev(0, 4242) /* st_dev of all virtual files */
#define FILE_SIZE     4096             /* sysfs reports one page as the size of every file */

struct vnode {
	enum vfs_kind kind;
	char name[64];
	struct vnode *parent, *first, *next;
	const char *text;
	vfs_generate_fn *generate;
	int number;
	ino_t inode;
};

static struct vnode root = {.kind = VFS_OVERLAY_DIR, .parent = &root, .inode = 1};
static ino_t last_inode = 1;

/* --- the tree --- */
static struct vnode *find_child(struct vnode *n, const char *name, size_t length)
{
	for (struct vnode *c = n->first; c; c = c->next)
		if (!strncmp(c->name, name, length) && !c->name[length])
			return c;
	return NULL;
}

static struct vnode *add_child(struct vnode *parent, const char *name, size_t length)
{
	struct vnode *n = calloc(1, sizeof *n), **tail = &parent->first;

	if (!n || length >= sizeof n->name) {
		free(n);
		return NULL;
	}
	memcpy(n->name, name, length);
	n->kind = VFS_DIR;
	n->parent = parent;
	n->inode = ++last_inode;
	while (*tail)
		tail = &(*tail)->next;
	return *tail = n;
}

struct vnode *vfs_add(const char *path, enum vfs_kind kind, const char *text, vfs_generate_fn *generate, int number)
{
	struct vnode *n = &root, *c;

	while (*path) {
		size_t length = strcspn(path += *path == '/', "/");

		c = find_child(n, path, length);
		n = c ? c : add_child(n, path, length);
		if (!n)
			return NULL;
		path += length;
	}
	n->kind = kind;
	n->text = text;
	n->generate = generate;
	n->number = number;
	return n;
}

/* --- lookup --- */
void vnode_path(const struct vnode *n, char *out, size_t size)
{
	size_t length;

	if (n == &root) {
		out[0] = 0;
		return;
	}
	vnode_path(n->parent, out, size);
	length = strlen(out);
	snprintf(out + length, size - length, "/%s", n->name);
}

static void set_lookup_result(struct vfs_lookup_result *hit, enum vfs_source source, const struct vnode *n, int error)
{
	hit->source = source;
	hit->node = n;
	hit->error = error;
}

/* The rest of the path is in the real tree below `n`. */
static void resolve_to_real(struct vfs_lookup_result *hit, const struct vnode *n, const char *rest)
{
	size_t length;

	vnode_path(n, hit->path, sizeof hit->path);
	length = strlen(hit->path);
	if (*rest || !length)
		snprintf(hit->path + length, sizeof hit->path - length, "/%s", rest);
	set_lookup_result(hit, VFS_REAL, NULL, 0);
}

/* The path with the link replaced by its target; false if it does not fit. */
static bool expand_link(const struct vnode *link, const char *rest, char *out, size_t size)
{
	size_t length;

	vnode_path(link->parent, out, size);
	if (link->text[0] == '/')
		out[0] = 0;
	length = strlen(out);
	return (size_t)snprintf(out + length, size - length, "/%s/%s", link->text, rest) < size - length;
}

static void walk_path(char *path, bool follow, struct vfs_lookup_result *hit, int depth)
{
	struct vnode *n = &root, *c;
	char *at = path, next[PATH_MAX];

	for (;;) {
		size_t length;
		bool last;

		at += strspn(at, "/");
		length = strcspn(at, "/");
		last = !at[length]; /* a slash after a link follows it */
		if (!length)
			break;
		if (length == 2 && !memcmp(at, "..", 2))
			n = n->parent;
		if (at[0] == '.' && (length == 1 || (length == 2 && at[1] == '.'))) {
			at += length;
			continue;
		}
		c = find_child(n, at, length);
		if (!c && n->kind == VFS_OVERLAY_DIR) {
			resolve_to_real(hit, n, at);
			return;
		}
		if (!c) {
			set_lookup_result(hit, VFS_ABSENT, NULL, n->kind == VFS_DIR ? ENOENT : ENOTDIR);
			return;
		}
		at += length;
		if (c->kind == VFS_LINK && (!last || follow)) {
			if (depth >= LINKS_MAX || !expand_link(c, at, next, sizeof next))
				set_lookup_result(hit, VFS_ABSENT, NULL, ELOOP);
			else
				walk_path(next, follow, hit, depth + 1);
			return;
		}
		n = c;
	}
	if (n->kind == VFS_OVERLAY_DIR) {
		resolve_to_real(hit, n, "");
		return;
	}
	vnode_path(n, hit->path, sizeof hit->path);
	set_lookup_result(hit, VFS_VIRTUAL, n, 0);
}

void vfs_lookup(const char *path, bool follow, struct vfs_lookup_result *hit)
{
	char copy[PATH_MAX];

	if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy)
		set_lookup_result(hit, VFS_ABSENT, NULL, ENAMETOOLONG);
	else
		walk_path(copy, follow, hit, 0);
}

/* --- nodes --- */
enum vfs_kind vnode_kind(const struct vnode *n)
{
	return n->kind;
}

int vnode_number(const struct vnode *n)
{
	return n->number;
}

const char *vnode_name(const struct vnode *n)
{
	return n->name;
}

const char *vnode_target(const struct vnode *n)
{
	return n->text;
}

const struct vnode *vnode_parent(const struct vnode *n)
{
	return n->parent;
}

const struct vnode *vnode_child(const struct vnode *n, size_t index)
{
	const struct vnode *c = n->first;

	while (c && index--)
		c = c->next;
	return c;
}

dev_t vfs_device_number(void)
{
	return DEVICE_NUMBER;
}

void vnode_stat(const struct vnode *n, struct stat *out)
{
	*out = (struct stat){.st_dev = DEVICE_NUMBER, .st_ino = n->inode, .st_nlink = 1, .st_blksize = FILE_SIZE};
	switch (n->kind) {
	case VFS_OVERLAY_DIR:
	case VFS_DIR:
		out->st_mode = S_IFDIR | 0755;
		out->st_nlink = 2;
		break;
	case VFS_FILE:
		out->st_mode = S_IFREG | 0444;
		out->st_size = FILE_SIZE;
		break;
	case VFS_LINK:
		out->st_mode = S_IFLNK | 0777;
		out->st_size = (off_t)strlen(n->text);
		break;
	case VFS_DEVICE:
		out->st_mode = S_IFCHR | 0666;
		out->st_rdev = (dev_t)n->number;
		break;
	}
}

static bool fill_memfd(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(fd, data, length);

		if (n < 0)
			return false;
		data += n;
		length -= (size_t)n;
	}
	return true;
}

int vnode_open(const struct vnode *n, int flags)
{
	struct strbuf text = {0};
	const char *data = n->text;
	int fd;

	if ((flags & O_ACCMODE) != O_RDONLY) {
		errno = EACCES;
		return -1;
	}
	if (n->generate) {
		n->generate(&text, n->text, (unsigned)n->number);
		data = text.data ? text.data : "";
	}
	fd = memfd_create(n->name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
	if (fd >= 0 && (!fill_memfd(fd, data, n->generate ? text.length : strlen(data)) || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		fd = -1;
	}
	strbuf_free(&text);
	return fd;
}
