/* The compilers for kernel sources: clang in a child process, or hiprtc in this process. */
#ifndef KERNELS_COMPILE_COMPILER_H
#define KERNELS_COMPILE_COMPILER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "kernels/compile/toolchain.h"

enum { COMPILE_ARGS_MAX = 48 };

struct compile_task {
	const char *source;    /* absolute path */
	bool assembly;         /* a .s file */
	const char *arch;      /* "gfx900", "gfx90a:sramecc+:xnack-" */
	const char *include;   /* folder that include paths are relative to */
	const char *folder;    /* folder of the source */
	char *const *defines;  /* "NAME=VALUE", NULL-terminated */
	const char *temporary; /* folder for temporary files, for this task only; the caller removes it */
	const char *rule;      /* where clang writes the files that it reads for a HIP source, as a rule for make */
	const char *header;    /* a precompiled header for clang_compile, or NULL */
};

/* For a HIP source only if toolchain_compiles_hip. A precompiled header that does not fit is removed. False with the
 * first error line of the compiler. */
bool clang_compile(const struct toolchain *tools, const struct compile_task *t, const char *output, struct err *e);
/* Makes the precompiled header `output` of a HIP source; t->rule: where clang writes the files that it reads. Returns
 * the status of child_run. */
int clang_precompile(
	const struct toolchain *tools, const struct compile_task *t, const char *source, const char *output);
/* Of the arguments of clang_precompile that its result depends on. */
uint64_t clang_hash_arguments(const struct toolchain *tools, const struct compile_task *t, uint64_t h);
/* Makes the compiler print a message with wavedeck_type_of<TYPE>, where TYPE is that of the kernel `entry` of a HIP
 * source. False if it cannot run. */
bool clang_print_type(
	const struct toolchain *tools, const struct compile_task *t, const char *entry, struct buf *messages);
/* Writes the syntax trees of the functions of a HIP source whose names contain `name`, as JSON values one after
 * another. False with the first error line of the compiler. */
bool clang_write_trees(const struct toolchain *tools, const struct compile_task *t, const char *name,
	const char *output, struct err *e);
/* Stops a clang_compile that runs in another thread, with all its children. False if none is running. */
bool clang_cancel(void);
/* Notes the compiler that runs, or 0, for clang_cancel. */
void clang_note_running(pid_t pid);
/* Stops it and waits for its end. Async-signal-safe. */
void clang_end(void);

/* The version, "hiprtc 5.2". False if the library is not found. */
bool hiprtc_find(const char **version);
bool hiprtc_compile(const struct compile_task *t, const char *output, struct err *e);

/* Sets `e` from the output of a compiler: the first line with "error", or the first line. Returns false. */
bool compiler_set_error(const char *log, const char *fallback, struct err *e);

#endif
