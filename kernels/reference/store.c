/* References for kernels that only store, and for the empty kernel. */
#include "kernels/reference/references.h"

void reference_dispatch(const struct launch_shape *shape, int *unused)
{
	(void)shape;
	(void)unused;
}

void reference_channel_store(const struct launch_shape *shape, unsigned *buf, unsigned window, unsigned span)
{
	uint64_t threads = shape_threads(shape);
	for (uint64_t i = 0; i < threads; i++) {
		unsigned gid = (unsigned)i, index = (gid & ~(span - 1)) | (gid & (window - 1));
		buf[index] = index;
	}
}
