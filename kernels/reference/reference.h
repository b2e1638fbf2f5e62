/* C references of the kernels, by name. They are called through libffi with the arguments of the kernel.
 *
 * The first parameter of a reference is a `const struct launch_shape *`, the others are those of the kernel. Pointers
 * point to host copies of the buffers before the launch; the reference writes the expected results into them. */
#ifndef KERNELS_REFERENCE_REFERENCE_H
#define KERNELS_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct launch_shape {
	uint32_t grid[3], block[3]; /* in workgroups, in work-items */
};

struct reference {
	const char *name;
	void (*call)(void); /* cast by libffi */
	bool without_shape; /* it has only the parameters of the kernel */
};

const struct reference *reference_find(const char *name); /* NULL for an unknown name */
size_t reference_list(const struct reference **list);

#endif
