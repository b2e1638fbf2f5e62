/* The compiler for kernels on this machine, and what it needs. toolchain.sh finds the same for the build. */
#ifndef KERNELS_COMPILE_TOOLCHAIN_H
#define KERNELS_COMPILE_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

struct toolchain {
	char *clang;      /* absolute path; NULL: not found */
	char version[64]; /* "clang 15.0.6" */
	int major;
	char *bitcode; /* folder of device libraries that this clang can read; NULL: not found */
	char *rocm;    /* folder with include/hip; NULL: not found */
};

/* Searches once per process. The first version of a list that has device libraries counts, then ROCm's own clang, then
 * a clang without device libraries. $WAVEDECK_CLANG replaces the search for clang. */
const struct toolchain *toolchain_find(void);
/* Whether it can compile HIP sources. Assembly needs only clang. */
bool toolchain_compiles_hip(const struct toolchain *t);
/* The lld that this clang runs, and its version ("15.0.6"). NULL: not found. The caller frees it. */
char *toolchain_find_linker(const struct toolchain *t, char *version, size_t size);

/* A program in the folder of this clang ("llvm-mc"). NULL: not found. The caller frees it. */
char *toolchain_find_tool(const struct toolchain *t, const char *name);

#endif
