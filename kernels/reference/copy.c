/* References for copies, gathers and transposes. */
#include "kernels/reference/references.h"

#include <string.h>

void reference_copy_offset(const struct launch_shape *shape, const float *in, float *out, unsigned from, unsigned to)
{
	memcpy(out + to, in + from, shape_threads(shape) * sizeof *out);
}

void reference_copy_stride(const struct launch_shape *shape, const float *in, float *out, unsigned stride)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++)
		out[i * stride] = in[i * stride];
}

/* The permutation of 0 .. mask in kernels/copy.hip. */
static unsigned permute_index(unsigned i, unsigned mask)
{
	i = (i * 0x9e3779b1u) & mask;
	i ^= i >> 7;
	return (i * 0x85ebca6bu) & mask;
}

static unsigned map_index(unsigned map, unsigned i, unsigned mask)
{
	switch (map) {
	case 1: return i ^ 5;
	case 2: return i + 1;
	case 3: return i ^ 63;
	case 4: return permute_index(i, mask);
	case 5: return i >> 1;
	default: return i;
	}
}

void reference_copy_pattern(const struct launch_shape *shape, const unsigned *in, unsigned *out, unsigned mask,
	unsigned words, unsigned map)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++)
		memcpy(out + i * words, in + (uint64_t)map_index(map, (unsigned)i, mask) * words, words * sizeof *out);
}

void reference_gather(
	const struct launch_shape *shape, const unsigned *in, unsigned *out, unsigned stride, unsigned reads)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++) {
		unsigned sum = 0;
		for (unsigned k = 0; k < reads; k++)
			sum += in[i * stride + k];
		out[i] = sum;
	}
}

void reference_read_path(const struct launch_shape *shape, const float *in, float *out, unsigned shift, unsigned which)
{
	enum { SIDE = 1024 };
	for (uint64_t i = 0; i < shape_threads(shape); i++) {
		unsigned gid = (unsigned)i, index = gid, wave = gid / 64;
		if (which == 1)
			index = gid / 256 * 256 + (gid * 0x9e3779b1u >> 24);
		if (which == 2)
			index = (wave / (SIDE / 8) * 8 + gid / 8 % 8) * SIDE + wave % (SIDE / 8) * 8 + gid % 8;
		out[i] = in[index + shift];
	}
}

void reference_matrix_copy(
	const struct launch_shape *shape, const float *in, float *out, unsigned width, unsigned height)
{
	(void)shape;
	memcpy(out, in, (uint64_t)width * height * sizeof *out);
}

void reference_matrix_transpose(
	const struct launch_shape *shape, const float *in, float *out, unsigned width, unsigned height)
{
	(void)shape;
	for (uint64_t y = 0; y < height; y++)
		for (uint64_t x = 0; x < width; x++)
			out[y + height * x] = in[x + width * y];
}
