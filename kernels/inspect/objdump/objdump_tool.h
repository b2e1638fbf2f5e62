/* llvm-objdump lists code for AMD's targets that this project does not decode. ROCm's comes first, which knows the
 * newest targets, then that in PATH, then Debian's, the newest first. Each is asked whether it knows the target. */
#ifndef KERNELS_INSPECT_OBJDUMP_TOOL_H
#define KERNELS_INSPECT_OBJDUMP_TOOL_H

#include "base/err.h"
#include "kernels/inspect/objdump/objdump_text.h"

/* Runs programs. False with an error if no tool knows the target. Any thread. */
bool objdump_list_kernel(
	const struct code_object *o, const struct kernel_info *k, struct objdump_code *out, struct err *e);

#endif
