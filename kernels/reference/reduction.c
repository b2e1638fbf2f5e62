/* Reference for block sums, for any radix of the tree. */
#include "kernels/reference/references.h"

/* `elements` is a multiple of the number of work-items: each adds one element per pass over the grid. */
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
