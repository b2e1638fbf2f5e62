/* C references of the kernels, by name, called through libffi with the kernel's very argument vector.
 *
 * A reference has the kernel's signature behind one more parameter: `const struct launch_shape *`. Pointers are host
 * copies of the buffers as they were before the launch; the reference leaves in them what the kernel must leave. */
#ifndef KERNELS_REFERENCE_REFERENCE_H
#define KERNELS_REFERENCE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

struct launch_shape {
	uint32_t grid[3] /* in blocks */, block[3];
};

struct reference {
	const char *name;
	void (*call)(void); /* cast by libffi */
};

const struct reference *reference_find(const char *name); /* NULL when there is none of that name */
size_t reference_list(const struct reference **list);

#endif
