/* References for pointer chases. They execute every step, because each address depends on data. */
#include "kernels/reference/references.h"

void reference_chase_dram(const struct launch_shape *shape, const int *buf, unsigned reads, int *out)
{
	for (uint32_t t = 0; t < shape->block[0]; t++) {
		unsigned v = (unsigned)buf[t];
		for (unsigned i = 1; i < reads; i++)
			v = (unsigned)buf[v * i];
		out[t] = (int)v;
	}
}

void reference_chase_stride(const struct launch_shape *shape, const int *buf, unsigned stride, unsigned reads, int *out)
{
	for (uint32_t t = 0; t < shape->block[0]; t++) {
		unsigned v = (unsigned)buf[t];
		for (unsigned i = 1; i < reads; i++)
			v = (unsigned)buf[i * v * stride - 1];
		out[t] = (int)v;
	}
}

void reference_chase_range(const struct launch_shape *shape, const int *buf, unsigned range, unsigned reads, int *out)
{
	for (uint32_t t = 0; t < shape->block[0]; t++) {
		unsigned v = (unsigned)buf[t];
		for (unsigned i = 1; i < reads; i++)
			v = (unsigned)buf[(i * v - 1) & (range - 1)];
		out[t] = (int)v;
	}
}

void reference_chase_shuffled(
	const struct launch_shape *shape, const int *buf, unsigned range, unsigned reads, int *out)
{
	(void)range;
	for (uint32_t t = 0; t < shape->block[0]; t++) {
		unsigned at = (unsigned)buf[t];
		for (unsigned i = 0; i < reads; i++)
			at = (unsigned)buf[at / sizeof *buf];
		out[t] = (int)at;
	}
}
