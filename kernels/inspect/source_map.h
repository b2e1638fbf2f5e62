/* Maps instructions to source lines, with the line tables of the code object. */
#ifndef KERNELS_INSPECT_SOURCE_MAP_H
#define KERNELS_INSPECT_SOURCE_MAP_H

#include "kernels/inspect/code_object.h"

/* Fills line_of[count] with line numbers (from 1) in the source `file`, compared without its folder; 0: unknown. Code
 * that was inlined from another file gets the line of the call. False if the code object has no line tables. Any
 * thread. */
bool source_map_build(
	const struct code_object *o, const char *file, const struct kernel_line *lines, size_t count, int *line_of);
/* The absolute path of the source that a kernel is in, as its line tables say; NULL: unknown. The caller frees it. */
char *source_map_find_file(const struct code_object *o, const struct kernel_info *k);
/* Calls `visit` with the absolute path of each source that the line tables name, possibly several times. */
void source_map_visit_files(const struct code_object *o, void (*visit)(void *ctx, const char *path), void *ctx);

#endif
