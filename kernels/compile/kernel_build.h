/* Builds a kernel source for a target: a prebuilt code object if there is one, otherwise compiled and cached by all
 * files that the compiler read, flags, target and compiler. */
#ifndef KERNELS_COMPILE_KERNEL_BUILD_H
#define KERNELS_COMPILE_KERNEL_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernels/compile/kernel_inputs.h"

enum { KERNEL_SOURCE_MAX = 4 << 20 /* bytes */ };

struct kernel_source {
	const char *file;    /* "chase.hip" or "fma_published.s" in kernels/, or the absolute path of a user's
	                        source */
	const char *defines; /* "-DUNROLL=4 -ffast-math", NULL or "" for none */
	const char *entry;   /* the kernel whose parameters are of interest; NULL: none */
};

struct kernel_build {
	char *path;        /* of the code object; freed by kernel_build_free */
	char compiler[96]; /* "clang 15.0.6", "prebuilt: clang 15.0.6" */
	char *types;       /* of the parameters of `entry`, "const int *, int"; NULL if unknown: they are found for the
	                      user's HIP sources, with clang. Freed by kernel_build_free */
	struct kernel_inputs inputs; /* what it was compiled from; freed by kernel_build_free */
	bool from_cache;
	bool refused;      /* it failed because the compiler rejected the source */
	char warning[320]; /* one line, once per process: the cache is not writable; "" if none */
};

/* Blocks while the compiler runs, 0.2 to 0.5 s; for workers. False with the first error line of the compiler, or with
 * what to install. */
bool kernel_build(const struct kernel_source *s, const char *arch, struct kernel_build *out, struct err *e);
/* The same with files from another machine instead of those of this one. */
struct kernel_given {
	const char *root; /* contains `kernels/`, and the user's source; NULL: the project's files here are the same */
	const char *object; /* the prebuilt code object; NULL: there is none */
};
bool kernel_build_given(const struct kernel_source *s, const struct kernel_given *given, const char *arch,
	struct kernel_build *out, struct err *e);
/* The prebuilt code object that kernel_build would use, or NULL. The caller frees it. */
char *kernel_find_prebuilt(const struct kernel_source *s, const char *arch);
/* Call it from another thread: stops the compiler of the current kernel_build, which then fails, and removes its
 * output. False if no compiler is running and its files are gone. hiprtc cannot be stopped. */
bool kernel_build_cancel(void);
/* Whether a kernel of the project, "chase.hip" or "gfx11/sgemm_dual.s", can be built for a target: assembly in gfx11/
 * is for gfx11, other assembly for gfx9. */
bool kernel_source_fits(const char *file, const char *arch);
/* Whether `defines` may contain this flag of `len` characters: those that change only the arithmetic, and -mcumode,
 * which gfx9 ignores. */
bool kernel_flag_is_allowed(const char *word, size_t len);
void kernel_build_free(struct kernel_build *b);

#endif
