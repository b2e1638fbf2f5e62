/* The C types of a kernel's parameters, which its code object lacks. */
#ifndef KERNELS_COMPILE_PARAMETER_TYPES_H
#define KERNELS_COMPILE_PARAMETER_TYPES_H

#include "kernels/compile/compiler.h"

/* Asks the compiler: "const int *, int", or "" if there are none or it cannot tell, for example because the entry is a
 * template. Owned by the caller; NULL if the compiler cannot run. The task needs a temporary folder. */
char *parameter_types_find(const struct toolchain *tools, const struct compile_task *t, const char *entry);
/* The same from a file of an earlier call; NULL if there is none. */
char *parameter_types_load(const char *path);
/* Keeps them in a file, or if that is not writable in this process. */
void parameter_types_keep(const char *path, const char *types);

#endif
