/* References for kernels about address arithmetic and co-issue of scalar and vector instructions. */
#include "kernels/reference/references.h"

void reference_coissue(const struct launch_shape *shape, unsigned *out, unsigned trips, unsigned adds)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++)
		out[i] = trips * adds;
}

void reference_store_every_other(const struct launch_shape *shape, int *p, unsigned n)
{
	for (uint64_t i = 0; i < shape_threads(shape) * n; i++)
		p[2 * i] = 100;
}

/* 32 of 64 lanes, n elements each. */
void reference_address(const struct launch_shape *shape, int *p, unsigned n)
{
	for (uint64_t i = 0; i < shape_threads(shape) / 64 * 32 * n; i++)
		p[i] += 1;
}

/* Every pixel, whatever the order. */
void reference_pixels(const struct launch_shape *shape, unsigned *p, unsigned width, unsigned each)
{
	(void)width;
	for (uint64_t i = 0; i < shape_threads(shape) * each; i++)
		p[i] += 1;
}

void reference_shared_sum(const struct launch_shape *shape, const int *in, int *out, unsigned n)
{
	enum { ELEMENTS = 32 };
	for (uint64_t t = 0; t < shape_threads(shape); t++)
		for (unsigned i = 0; i < n; i++)
			out[t * n + i] = in[i] + in[ELEMENTS + i];
}
