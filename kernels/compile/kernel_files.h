/* The files that a kernel source consists of: itself and what it includes. They can be built elsewhere, in a tree of
 * the same form: `kernels/` contains files of the project, `own/` those in the folder of a user's source. */
#ifndef KERNELS_COMPILE_KERNEL_FILES_H
#define KERNELS_COMPILE_KERNEL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { KERNEL_FILES_MAX = 32, KERNEL_FOLDERS_MAX = 32 /* in a file's name */ };

struct kernel_file {
	char *name, *path; /* in the tree, "own/copy.hip"; on this machine */
	uint64_t hash;     /* of its content */
};
struct kernel_files {
	struct kernel_file list[KERNEL_FILES_MAX]; /* the source is the first */
	int count;
};

/* `file` is "chase.hip" in kernels/, or the absolute path of a user's source. False with an error; free it even then.
 */
bool kernel_files_find(const char *file, struct kernel_files *out, struct err *e);
void kernel_files_free(struct kernel_files *f);
/* Whether a name is one of a tree: in `kernels/` or `own/`, not above it, at most KERNEL_FOLDERS_MAX folders deep. */
bool kernel_file_name_is_valid(const char *name);
/* 64-bit FNV-1a of a file's content, as everywhere for kernels; false if it cannot be read. */
bool kernel_file_hash(const char *path, uint64_t *hash);

#endif
