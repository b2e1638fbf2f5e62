/* The variables of loaded code objects that kernels can reach, to the byte: __device__ and __constant__ ones, and
 * constants. Any thread. */
#ifndef SOFTGPU_DRIVER_CHECK_DEVICE_VARIABLES_H
#define SOFTGPU_DRIVER_CHECK_DEVICE_VARIABLES_H

#include "softgpu/core/softgpu.h"

/* Numbers from here on are variables, others are allocations (allocations.h). */
#define DEVICE_VARIABLE_NUMBERS (UINT32_C(1) << 31)

/* The extent of an address in a code object: a variable, what lies between two, or unknown. */
check_find_fn device_variables_find_extent;

struct device_variable {
	uint64_t address, bytes;
	const char *symbol; /* stays valid */
};
/* False: it is no number of a variable. */
bool device_variables_get(uint32_t number, struct device_variable *out);

#endif
