/* References for work on an array that a device may do in parts. They compute the whole array. */
#include "kernels/reference/references.h"

/* Called once for all parts; `count` is the size of the whole array. */
void reference_chunk_work(
	const struct launch_shape *shape, const float *in, float *out, unsigned first, unsigned count, unsigned work)
{
	(void)shape;
	for (unsigned i = first; i < first + count; i++) {
		float x = in[i], before = x + 1;
		for (unsigned k = 0; k < work && x != before;
			k++) { /* x is constant after the first step that does not change it */
			before = x;
			x = __builtin_fmaf(x, 0.5f, 1.0f);
		}
		out[i] = x;
	}
}

void reference_table_compute(const struct launch_shape *shape, unsigned *out, unsigned ops)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++) {
		unsigned x = (unsigned)i;
		for (unsigned k = 0; k < ops; k++)
			x = x * 1664525u + 1013904223u;
		out[i] = x;
	}
}
