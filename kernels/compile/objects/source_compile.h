/* Compiles a source in a folder of its own, again if a file changes meanwhile. kernel_build_cancel stops it. */
#ifndef KERNELS_COMPILE_OBJECTS_SOURCE_COMPILE_H
#define KERNELS_COMPILE_OBJECTS_SOURCE_COMPILE_H

#include "kernels/compile/objects/build_request.h"

/* The folder of the current build, for kernel_build_cancel; NULL: none. */
void build_folder_set(const char *folder);
/* `tools`: clang; NULL: r->compile. */
bool source_compile_to_cache(
	struct build_request *r, const struct toolchain *tools, struct kernel_build *out, struct err *e);

#endif
