/* References for images in NCHW order: padding, batch normalization, indexing. */
#include "kernels/reference/references.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"

/* Copies one plane of side x side pixels and pads it with zeros. */
static void pad_plane(const float *in, float *out, int side, int pad)
{
	int padded = side + 2 * pad;
	for (int y = 0; y < padded; y++)
		for (int x = 0; x < padded; x++) {
			int from_y = y - pad, from_x = x - pad;
			bool inside = from_y >= 0 && from_y < side && from_x >= 0 && from_x < side;
			*out++ = inside ? in[from_y * side + from_x] : 0;
		}
}

void reference_pad(
	const struct launch_shape *shape, const float *in, float *out, int side, int pad, int channels, int each)
{
	int padded = side + 2 * pad;
	(void)each;
	for (size_t plane = 0; plane < (size_t)shape->grid[2] * (size_t)channels; plane++)
		pad_plane(in + plane * (size_t)(side * side), out + plane * (size_t)(padded * padded), side, pad);
}

/* Computed in double, in memory order. */
void reference_batchnorm(const struct launch_shape *shape, const float *in, float *out, unsigned n, unsigned chw,
	float gamma, float beta, float epsilon)
{
	double *mean = xcalloc(chw, sizeof *mean), *scale = xcalloc(chw, sizeof *scale);
	(void)shape;
	for (size_t i = 0; i < n; i++)
		for (size_t p = 0; p < chw; p++)
			mean[p] += (double)in[i * chw + p] / n;
	for (size_t i = 0; i < n; i++)
		for (size_t p = 0; p < chw; p++)
			scale[p] += (in[i * chw + p] - mean[p]) * (in[i * chw + p] - mean[p]) / n;
	for (size_t p = 0; p < chw; p++)
		scale[p] = (double)gamma / sqrt(scale[p] + (double)epsilon);
	for (size_t i = 0; i < n; i++)
		for (size_t p = 0; p < chw; p++)
			out[i * chw + p] = (float)((in[i * chw + p] - mean[p]) * scale[p] + (double)beta);
	free(mean);
	free(scale);
}

void reference_nchw_index(const struct launch_shape *shape, unsigned *out, unsigned c, unsigned h, unsigned w)
{
	for (size_t n = 0; n < shape->grid[1]; n++)
		for (size_t x = 0; x < (size_t)h * w; x++)
			out[n * h * w + x] = (unsigned)(x + n * c * h * w);
}
