/* Calls a kernel's C reference with the kernel's own argument vector. */
#ifndef GPU_WORKER_REFERENCE_CALL_H
#define GPU_WORKER_REFERENCE_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "gpu/protocol/element_type.h"
#include "kernels/reference/reference.h"

/* reference(shape, args...): `args` is laid out as kernelParams, with pointers to host copies where the kernel had
 * device pointers. */
bool reference_call(const struct reference *r, const struct launch_shape *shape, const struct arg_type *types,
	void **args, size_t count, struct err *e);

#endif
