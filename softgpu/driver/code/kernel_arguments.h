/* The arguments of a kernel that its code object's metadata describes. */
#ifndef SOFTGPU_DRIVER_PROBE_KERNEL_ARGUMENTS_H
#define SOFTGPU_DRIVER_PROBE_KERNEL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softgpu_device;

struct kernel_argument {
	const char *name; /* in the source */
	uint32_t offset, bytes;
};

/* Whether the kernel `name` in the code object that contains `kernel_object` has these arguments and no others, apart
 * from hidden ones. Under the device lock. */
bool kernel_arguments_are(struct softgpu_device *d, uint64_t kernel_object, const char *name,
	const struct kernel_argument *arguments, size_t count);

#endif
