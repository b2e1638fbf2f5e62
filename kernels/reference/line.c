/* References for strided chases, loads and stores, and for the copy of a column of tiles. */
#include "kernels/reference/references.h"

void reference_line_chase(
	const struct launch_shape *shape, const int *buf, unsigned stride, unsigned mask, unsigned reads, int *out)
{
	for (uint32_t t = 0; t < shape->block[0]; t++) {
		unsigned v = (unsigned)buf[t];
		for (unsigned i = 1; i < reads; i++)
			v = (unsigned)buf[(i * v * stride + t * stride) & mask];
		out[t] = (int)v;
	}
}

void reference_line_grid(
	const struct launch_shape *shape, const unsigned *buf, unsigned stride, unsigned mask, unsigned *out)
{
	uint64_t threads = shape_threads(shape);
	for (uint64_t i = 0; i < threads; i++) {
		unsigned j = ((unsigned)i * stride) & mask;
		if (buf[j] != j)
			out[0] = buf[j];
	}
}

static void store_lines(const struct launch_shape *shape, unsigned *buf, unsigned d, unsigned mask, unsigned apart)
{
	uint64_t threads = shape_threads(shape);
	for (uint64_t i = 0; i < threads; i++) {
		unsigned gid = (unsigned)i, tid = (unsigned)(i % shape_block(shape));
		buf[(tid & d) == d ? gid : (gid & mask) + apart] = gid;
	}
}

void reference_line_store(const struct launch_shape *shape, unsigned *buf, unsigned d, unsigned mask)
{
	store_lines(shape, buf, d, mask, 0);
}

void reference_line_store_apart(const struct launch_shape *shape, unsigned *buf, unsigned d, unsigned mask)
{
	store_lines(shape, buf, d, mask, mask + 1);
}

void reference_pitch_copy(
	const struct launch_shape *shape, const float *from, float *to, unsigned pitch, unsigned columns)
{
	uint64_t rows = shape_threads(shape);
	for (uint64_t row = 0; row < rows; row++)
		for (unsigned k = 0; k < columns; k++)
			to[k * rows + row] = from[row * pitch + k];
}
