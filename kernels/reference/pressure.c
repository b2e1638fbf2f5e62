/* Reference for independent fused chains s = a * s + b per work-item, and their sum in order. */
#include "kernels/reference/references.h"

#include <math.h>

void reference_vgpr_pressure(
	const struct launch_shape *shape, float *out, const float *start, float a, float b, int trips, int live)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++) {
		float sum = 0;
		for (int k = 0; k < live; k++) {
			float s = start[k] * (float)i;
			for (int t = 0; t < trips; t++) {
				float before = s;
				s = fmaf(a, s, b);
				if (s == before)
					break;
			}
			sum += s;
		}
		out[i] = sum;
	}
}
