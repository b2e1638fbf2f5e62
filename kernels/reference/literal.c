/* References for x * 1.1 + 0.5 in f32 and in f64, fused as compilers do. */
#include "kernels/reference/references.h"

#include <math.h>

void reference_literal_f32(const struct launch_shape *shape, float *out, unsigned mask, unsigned length)
{
	(void)mask;
	for (uint64_t i = 0; i < shape_threads(shape); i++)
		out[i] = length ? fmaf((float)i, 1.1f, 0.5f) : (float)i;
}

void reference_literal_f64(const struct launch_shape *shape, float *out, unsigned mask, unsigned length)
{
	(void)mask;
	for (uint64_t i = 0; i < shape_threads(shape); i++)
		out[i] = length ? (float)fma((float)i, 1.1, 0.5) : (float)i;
}
