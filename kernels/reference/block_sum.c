/* Reference for the sum of each block, for all ways to order its waves. */
#include "kernels/reference/references.h"

void reference_block_sum(const struct launch_shape *shape, const unsigned *input, unsigned *out, unsigned barriers)
{
	uint64_t block = shape_block(shape);
	(void)barriers;
	for (uint64_t b = 0; b < shape->grid[0]; b++) {
		out[b] = 0;
		for (uint64_t i = b * block; i < (b + 1) * block; i++)
			out[b] += input[i];
	}
}
