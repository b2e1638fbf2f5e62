/* Sums of blocks: what the tree must give, whatever its radix. */
#include "kernels/reference/references.h"

/* `elements` is a multiple of the launch's work-items: each adds one in every grid's length. */
void reference_reduce(const struct launch_shape *shape, const int *buf, unsigned elements, int least, int *out)
{
	uint64_t block = shape_block(shape), threads = shape_threads(shape);
	for (uint64_t b = 0; b < threads / block; b++) {
		unsigned sum = 0;
		for (uint64_t first = b * block; first < elements; first += threads)
			for (uint64_t i = first; i < first + block; i++)
				sum += (unsigned)buf[i];
		if ((int)sum >= least)
			out[b] = (int)sum;
	}
}
