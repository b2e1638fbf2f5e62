/* Compares the arguments that a definition declares with those that the kernel takes. */
#ifndef GPU_PROTOCOL_ARGUMENT_CHECK_H
#define GPU_PROTOCOL_ARGUMENT_CHECK_H

#include "base/err.h"
#include "gpu/protocol/job_record.h"
#include "kernels/inspect/code_object.h"

/* `types`: the kernel's parameters as C types ("const int *, int"), NULL or "" if unknown: then only their number,
 * kinds and sizes are compared. False with one line that names the line of the definition and both signatures. */
bool arguments_check(const struct job *j, const struct kernel_info *k, const char *types, struct err *e);

#endif
