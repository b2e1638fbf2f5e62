/* Reference for kernels/lane_loads.hip, exact: what block 0 writes, added in the order of the kernel. */
#include "kernels/reference/references.h"

enum { LOADS = 256, REREAD = 4 };

/* The first byte that a lane reads; patterns are numbered as in the definition. */
static unsigned first_byte(unsigned pattern, unsigned lane, unsigned width, unsigned stride)
{
	switch (pattern) {
	case 0: return lane * 4 * width;
	case 1: return (lane * 0x3504f333u & 15) * 4 * width;
	case 3:
	case REREAD: return lane % 64 * stride;
	default: return 0;
	}
}

void reference_lane_loads(const struct launch_shape *shape, const float *from, float *out, float never, unsigned mask,
	unsigned start, unsigned stride, unsigned loads, unsigned width, unsigned pattern)
{
	(void)never, (void)mask;
	for (unsigned lane = 0; lane < shape->block[0]; lane++) {
		const float *at = from + (first_byte(pattern, lane, width, stride) + start) / 4;
		float sum = 0;
		for (unsigned i = 0; i < (pattern == REREAD ? loads : LOADS); i++) {
			const float *from_here = at + (pattern == REREAD ? i % 8 * 4 : i) * width;
			float element = from_here[0];
			for (unsigned k = 1; k < width; k++)
				element += from_here[k];
			sum += element;
		}
		out[lane] = sum;
	}
}
