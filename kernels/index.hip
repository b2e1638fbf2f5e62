// Index of each pixel of channel 0 in an NCHW tensor (Vega64 notes 2.8). Work-items: (pixels / ITEMS, images).
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef ITEMS
#define ITEMS 1
#endif

extern "C" __global__ void nchw_index(unsigned *out, unsigned c, unsigned h, unsigned w)
{
	unsigned x = blockIdx.x * (blockDim.x * ITEMS) + threadIdx.x, n = blockIdx.y;
#pragma unroll
	for (unsigned i = 0; i < ITEMS; i++, x += blockDim.x)
		if (x < h * w)
			out[x + n * h * w] = x + n * c * h * w;
}
