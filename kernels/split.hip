// The same work with any number of blocks of any size (CUDA lecture notes, launch configuration).
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/order.inc"
#define RADIUS 4          /* stencil radius */
#define BLOCK_MAX 1024
#define UNROLL 64
#define FMA_LENGTH 256    /* multiply-adds per item */

/* `length` is a multiple of UNROLL. */
static __device__ __forceinline__ float fma_chain(unsigned item, unsigned length)
{
	float x = (float)item, a = x / (x + 1.0f), b = 1.0f / 1.0e8f, s = 0.0f;
#pragma unroll 1
	for (; length; length -= UNROLL) {
		EVEN_START(s);
#pragma unroll
		for (int k = 0; k < UNROLL; k++)
			s = __builtin_fmaf(a, s, b);
	}
	return s;
}

/* `tasks` pieces of one block size each, distributed over the blocks. */
extern "C" __global__ void split_tasks(float *out, unsigned tasks, unsigned length)
{
	for (unsigned task = blockIdx.x; task < tasks; task += gridDim.x) {
		unsigned item = task * blockDim.x + threadIdx.x;
		out[item] = fma_chain(item, length);
	}
}

/* One item per work-item, n items. `in` has RADIUS extra elements at either end. */
extern "C" __global__ void split_copy(const float *in, float *out, unsigned n)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	if (gid < n)
		out[gid] = in[gid + RADIUS];
}

/* The sum of 2 RADIUS + 1 elements from LDS: a block also loads RADIUS elements on each side. */
extern "C" __global__ void split_stencil(const float *in, float *out, unsigned n)
{
	__shared__ float tile[BLOCK_MAX + 2 * RADIUS];
	unsigned first = blockIdx.x * blockDim.x, gid = first + threadIdx.x;
	for (unsigned i = threadIdx.x; i < blockDim.x + 2 * RADIUS; i += blockDim.x)
		if (first + i < n + 2 * RADIUS)
			tile[i] = in[first + i];
	__syncthreads();
	float sum = 0.0f;
#pragma unroll
	for (unsigned k = 0; k <= 2 * RADIUS; k++)
		sum += tile[threadIdx.x + k];
	if (gid < n)
		out[gid] = sum;
}

extern "C" __global__ void split_fma(const float *in, float *out, unsigned n)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	if (gid < n)
		out[gid] = fma_chain(gid, FMA_LENGTH);
}
