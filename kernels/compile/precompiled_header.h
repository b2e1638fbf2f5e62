/* The header of the HIP runtime as clang has parsed it once. Parsing it is four fifths of the time of a compile; code
 * objects are the same bytes with it and without. */
#ifndef KERNELS_COMPILE_PRECOMPILED_HEADER_H
#define KERNELS_COMPILE_PRECOMPILED_HEADER_H

#include "kernels/compile/compiler.h"
#include "kernels/compile/kernel_inputs.h"

struct precompiled_header {
	char *path;                  /* in the user's cache; NULL: the source is compiled without one */
	struct kernel_inputs inputs; /* what it was made from; the header itself is the first */
};

/* The one for a task, with a folder for temporary files; makes it if there is none for this compiler, target and flags
 * and for what its files contain now. None: the source does not include the header before everything else; a definition
 * or an environment variable may change it; other headers may take its place; the cache is not writable. False if it
 * was canceled. */
bool precompiled_header_find(
	const struct toolchain *tools, const struct compile_task *t, struct precompiled_header *out, struct err *e);
/* Whether a source with these inputs included another header of the same name. */
bool precompiled_header_is_of_another(const struct precompiled_header *h, const struct kernel_inputs *read);
/* Does not use it again, here or in another process. */
void precompiled_header_refuse(struct precompiled_header *h);
void precompiled_header_free(struct precompiled_header *h);

#endif
