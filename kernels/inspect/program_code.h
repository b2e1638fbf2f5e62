/* The GPU code in a file: a HIP program, its library or object file, a bundle of hipcc --genco, or a code object. The
 * file is only read. */
#ifndef KERNELS_INSPECT_PROGRAM_CODE_H
#define KERNELS_INSPECT_PROGRAM_CODE_H

#include "kernels/inspect/code_object.h"

struct program_kernel {
	const char *target; /* "gfx906:xnack-" */
	char *name;         /* as in the source: "add(int*, int)" */
	const struct code_object *object;
	const struct kernel_info *info; /* its name is the symbol */
};
/* Code that is not shown, and why. */
struct program_gap {
	char target[64], why[512];
};
struct program_code {
	struct code_object **objects;
	struct program_kernel *kernels;
	struct program_gap *gaps;
	char **targets; /* of all code with kernels, each once */
	size_t object_count, kernel_count, gap_count, target_count;
};

/* Whether the file begins as one of these; it may be damaged all the same. False if it cannot be read. */
bool program_code_is_in(const char *path);
/* False with one line; program_code_free in both cases. */
bool program_code_read(struct program_code *p, const char *path, struct err *e);
void program_code_free(struct program_code *p);
/* Whether code for a target id is meant by `arch`: the id, or its first part. */
bool program_target_is(const char *target, const char *arch);
/* "gfx900, gfx906:xnack-". The caller frees it. */
char *program_targets_text(const struct program_code *p);

/* The kernels that `name` means: a whole name, as in the source or as a symbol, counts before the name without
 * parameters, and that before a part. Returns an array of flags, one for each kernel, which the caller frees; all of
 * them have one name. NULL with one line that names the candidates. */
bool *program_find_kernel(const struct program_code *p, const char *path, const char *name, struct err *e);

#endif
