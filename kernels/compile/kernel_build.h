/* Kernel sources to code objects for a target: the one built with the project, else compiled and cached by source,
 * flags and target. */
#ifndef KERNELS_COMPILE_KERNEL_BUILD_H
#define KERNELS_COMPILE_KERNEL_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct kernel_source {
	const char *file;    /* "chase.hip" or "fma_published.s": in the project's kernels/, or an absolute path of a
	                        user's own */
	const char *defines; /* "-DUNROLL=4 -ffast-math", NULL or "" for none */
};

struct kernel_build {
	char *path;        /* of the code object; freed by kernel_build_free */
	char compiler[96]; /* "clang 15.0.6", "prebuilt: clang 15.0.6" */
	bool from_cache;
	bool refused;      /* it failed because the compiler did not accept the source */
	char warning[320]; /* one line with the mend, "" without: the cache cannot be written; said once a process */
};

/* Blocks while the compiler runs (0.2-0.5 s; call it from the worker). False: the compiler's first error line with its
 * file and line, or what is missing and how to get it. */
bool kernel_build(const struct kernel_source *s, const char *arch, struct kernel_build *out, struct err *e);
/* From another thread: ends the compiler of a kernel_build under way, which then soon fails, and removes what it has
 * written so far. False when no compiler is at work and its files are gone; hiprtc cannot be ended. */
bool kernel_build_cancel(void);
/* A flag, of `len` characters, that defines may hold as well: it changes the arithmetic and nothing else. */
bool kernel_flag_is_allowed(const char *word, size_t len);
void kernel_build_free(struct kernel_build *b);

#endif
