/* Which line of its source an instruction comes from, by the line tables in the code object. */
#ifndef KERNELS_INSPECT_SOURCE_MAP_H
#define KERNELS_INSPECT_SOURCE_MAP_H

#include "kernels/inspect/code_object.h"

/* Fills line_of[count] with lines, from 1, of the source of that name (its folder does not matter); 0 where the
 * compiler names none. What was inlined from another file gets the line that calls it. False when the code object has
 * no line tables, or libdw is not there. Any thread. */
bool source_map_build(
	const struct code_object *o, const char *file, const struct kernel_line *lines, size_t count, int *line_of);

#endif
