/* Calls the C reference of a kernel with the same arguments as the kernel. */
#ifndef GPU_WORKER_REFERENCE_REFERENCE_CALL_H
#define GPU_WORKER_REFERENCE_REFERENCE_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "gpu/protocol/element_type.h"
#include "kernels/reference/reference.h"

/* Calls reference(shape, args...), or reference(args...). `args` has the layout of kernelParams, with pointers to host
 * copies instead of device pointers. False with an error. */
bool reference_call(const struct reference *r, const struct launch_shape *shape, const struct arg_type *types,
	void **args, size_t count, struct err *e);

#endif
