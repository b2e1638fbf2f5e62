/* The cache of compiled code objects.
 *
 * A list "STEM-ARCH-REQUEST.files" names the files that the compiler read for a request: a source, its flags, a
 * compiler. With what these files contain now, the request is the key of "STEM-ARCH-KEY.co". */
#ifndef KERNELS_COMPILE_OBJECTS_OBJECT_CACHE_H
#define KERNELS_COMPILE_OBJECTS_OBJECT_CACHE_H

#include "kernels/compile/objects/build_request.h"

uint64_t build_request_hash(const struct build_request *r, const struct toolchain *tools, const char *compiler);
/* `tail`: "files", "co", "ENTRY.types". The caller frees it. */
char *object_cache_path(const struct build_request *r, uint64_t key, const char *tail);
/* The code object of an earlier compile, if all files are as they were. */
bool object_cache_find(struct build_request *r, struct kernel_build *out);
/* Sets out->path for a compiled file whose inputs are known. */
void object_cache_choose_path(struct build_request *r, const char *file, struct kernel_build *out);
/* Copies the file to out->path. If that is not writable, it is kept in this process, and out->path changes. */
bool object_cache_keep(const char *file, struct kernel_build *out, struct err *e);
void object_cache_keep_list(const struct build_request *r);

#endif
