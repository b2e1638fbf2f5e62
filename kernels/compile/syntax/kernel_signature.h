/* The parameters of a kernel as its source declares them: the compiler's own answer, from its syntax tree. A code
 * object has their sizes, but neither names nor types. */
#ifndef KERNELS_COMPILE_SYNTAX_KERNEL_SIGNATURE_H
#define KERNELS_COMPILE_SYNTAX_KERNEL_SIGNATURE_H

#include <stdbool.h>

#include "base/err.h"

enum { SIGNATURE_PARAMETERS = 32 };
struct signature_parameter {
	char name[64];  /* "" if the source has none */
	char type[160]; /* as a C type: "const float *", "unsigned long" */
};
struct kernel_signature {
	struct signature_parameter list[SIGNATURE_PARAMETERS];
	int count;
	int line; /* of the declaration, in the source; 0: in another file */
};

/* Of the kernel with this symbol in a HIP source. `name` is its name in the source. Blocks while the compiler runs. */
bool kernel_signature_find(const char *source, const char *arch, const char *name, const char *symbol,
	struct kernel_signature *out, struct err *e);

#endif
