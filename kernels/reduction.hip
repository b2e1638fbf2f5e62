// Sums a block's elements with a tree in LDS that adds RADIX values per step (Vega64 notes 2.12). Each work-item first
// adds ITEMS elements, a grid length apart. A block is a power of the radix: 512 work-items for radix 8, else 256.
// Sums go to a separate buffer: the source would store them over its input. `least` is the source's guard.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef ITEMS
#define ITEMS 1
#endif

enum barriers { EVERY_STEP, ACROSS_WAVES, NONE };

/* Makes LDS writes visible to the next step: a barrier if several waves wrote, else only ordering within the wave. */
template <enum barriers B>
static __device__ __forceinline__ void step_ends(unsigned writers)
{
	if (B == EVERY_STEP || (B == ACROSS_WAVES && writers > warpSize))
		__syncthreads();
	else if (B == ACROSS_WAVES)
		__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
}

template <unsigned RADIX, unsigned BLOCK, enum barriers B>
static __device__ __forceinline__ void reduce(const int *buf, unsigned elements, int least, int *out)
{
	__shared__ int lds[BLOCK];
	unsigned tid = threadIdx.x, gid = blockIdx.x * BLOCK + tid;
	unsigned sum = buf[gid];
#pragma unroll
	for (unsigned i = 1; i < ITEMS; i++)
		sum += buf[gid + i * (elements / ITEMS)];
	lds[tid] = sum;
	__syncthreads();
#pragma unroll
	for (unsigned s = BLOCK / RADIX; s > 0; s /= RADIX) {
		if (tid < s) {
#pragma unroll
			for (unsigned r = 1; r < RADIX; r++)
				sum += lds[tid + r * s];
			lds[tid] = sum;
		}
		step_ends<B>(s);
	}
	if (tid == 0 && (int)sum >= least)
		out[blockIdx.x] = sum;
}

#define REDUCE(name, radix, block, barriers) \
	extern "C" __global__ void __launch_bounds__(block) \
		name(const int *buf, unsigned elements, int least, int *out) \
	{ \
		reduce<radix, block, barriers>(buf, elements, least, out); \
	}

REDUCE(reduce_2, 2, 256, EVERY_STEP)
REDUCE(reduce_4, 4, 256, EVERY_STEP)
REDUCE(reduce_8, 8, 512, EVERY_STEP)
REDUCE(reduce_16, 16, 256, EVERY_STEP)
REDUCE(reduce_2_waves, 2, 256, ACROSS_WAVES)
REDUCE(reduce_4_waves, 4, 256, ACROSS_WAVES)
REDUCE(reduce_8_waves, 8, 512, ACROSS_WAVES)
REDUCE(reduce_16_waves, 16, 256, ACROSS_WAVES)
REDUCE(reduce_2_faulty, 2, 256, NONE)
REDUCE(reduce_4_faulty, 4, 256, NONE)
REDUCE(reduce_8_faulty, 8, 512, NONE)
REDUCE(reduce_16_faulty, 16, 256, NONE)
