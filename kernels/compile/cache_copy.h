/* Files that are made elsewhere and then kept in the user's cache. */
#ifndef KERNELS_COMPILE_CACHE_COPY_H
#define KERNELS_COMPILE_CACHE_COPY_H

#include <stdbool.h>

/* Copies `file` to a new file next to `path`, whose folder it creates, and renames that: other processes see no file or
 * a complete one. False with errno. */
bool cache_copy_file(const char *file, const char *path);

#endif
