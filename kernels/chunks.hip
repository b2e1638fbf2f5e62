// Work on a part of an array, for sequences of copies and launches on streams (CUDA lecture notes).
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* `work` dependent multiply-adds on each of `count` elements, starting at `first`. */
extern "C" __global__ void chunk_work(const float *in, float *out, unsigned first, unsigned count, unsigned work)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	float x = in[first + i];
#pragma unroll 1
	for (unsigned k = 0; k < work; k++)
		x = __builtin_fmaf(x, 0.5f, 1.0f);
	out[first + i] = x;
}

/* out[i] = f(i), `ops` steps of a linear congruential generator: replaces a table of f. */
extern "C" __global__ void table_compute(unsigned *out, unsigned ops)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
#pragma unroll 1
	for (unsigned k = 0; k < ops; k++)
		x = x * 1664525u + 1013904223u;
	out[i] = x;
}
