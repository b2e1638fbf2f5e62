/* Where else a compiler looks for the files that a source includes. A new file with the name of one of them, in a
 * folder that is searched earlier, takes its place although no file has changed. */
#ifndef KERNELS_COMPILE_INCLUDE_SEARCH_H
#define KERNELS_COMPILE_INCLUDE_SEARCH_H

#include "kernels/compile/kernel_inputs.h"

/* The file that a line of the file `by` includes: in its folder, in that of the source, in the tree. NULL: there is
 * none. The caller frees it. */
char *include_find(const struct input_places *at, const char *by, const char *name);
/* Which files exist that have the names of these files, in all folders that may be searched before theirs. It does not
 * depend on where the source's folder is. */
uint64_t include_search_hash(const struct kernel_inputs *l, const struct input_places *at);
/* Whether one of these files has come or changed since a time in ns, as its file system has it. */
bool include_search_changed_since(const struct kernel_inputs *l, const struct input_places *at, long long ns);
/* Whether the tree or the source's folder has a file with the name of one of these, which are elsewhere. */
bool include_search_hides(const struct kernel_inputs *l, const struct input_places *at);

#endif
