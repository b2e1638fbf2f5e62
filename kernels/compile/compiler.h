/* The compilers that can turn a kernel source into a code object: a clang in a child process, or hiprtc in this one. */
#ifndef KERNELS_COMPILE_COMPILER_H
#define KERNELS_COMPILE_COMPILER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

enum { COMPILE_ARGS_MAX = 48 };

struct compile_task {
	const char *source;    /* absolute path */
	bool assembly;         /* a .s file */
	const char *arch;      /* "gfx900", "gfx90a:sramecc+:xnack-" */
	const char *include;   /* folder that includes are written from */
	const char *folder;    /* the source's own */
	char *const *defines;  /* "NAME=VALUE", NULL-terminated */
	const char *temporary; /* folder for the compiler's own files, of this task alone; whoever made it removes it */
};

/* The clang that would be used: path and version ("clang 15.0.6"). False when there is none. Looked for once a process.
 */
bool clang_find(const char **path, const char **version);
/* Runs it. False: the compiler's first error line. */
bool clang_compile(const char *clang, const struct compile_task *t, const char *output, struct err *e);
/* Ends the clang_compile under way in another thread, with everything it has started, soon; false when there is none.
 */
bool clang_cancel(void);

/* Version as "hiprtc 5.2", false when no such library is there. */
bool hiprtc_find(const char **version);
bool hiprtc_compile(const struct compile_task *t, const char *output, struct err *e);

/* Sets `e` from a compiler's output: its first line with "error", or its first line. */
bool compiler_set_error(const char *log, const char *fallback, struct err *e);

#endif
