// Lanes and cache lines (Vega64 notes 2.7): a chase with strided lanes, one strided load per work-item, stores in two
// branches. Sizes and masks are powers of two, in elements. Indices are unsigned: products overflow, then mask applies.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

extern "C" __global__ void line_chase(const int *buf, unsigned stride, unsigned mask, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma unroll 1
	for (unsigned i = 1; i < reads; i++)
		v = buf[(i * v * stride + tid * stride) & mask];
	out[tid] = v;
}

/* The buffer contains its indices, so the store never executes, but the compiler cannot know; out shows a bad load. */
extern "C" __global__ void line_grid(const unsigned *buf, unsigned stride, unsigned mask, unsigned *out)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, j = (gid * stride) & mask, v = buf[j];
	if (v != j)
		out[0] = v;
}

/* Two branches that store the same value, at the same address or `apart` elements away. The compiler merges the stores,
 * unless BRANCHES adds an opaque statement to each. */
#define LINE_STORE(name, apart, BRANCHES)                                                       \
extern "C" __global__ void name(unsigned *buf, unsigned d, unsigned mask)                       \
{                                                                                               \
	unsigned tid = threadIdx.x, gid = blockIdx.x * blockDim.x + tid;                        \
	if ((tid & d) == d) {                                                                   \
		buf[gid] = gid;                                                                 \
		BRANCHES("// the first branch");                                                 \
	} else {                                                                                \
		buf[(gid & mask) + (apart)] = gid;                                              \
		BRANCHES("// the second branch");                                                \
	}                                                                                       \
}
#define MERGED(text)
#define KEPT(text) asm volatile(text)

LINE_STORE(line_store, 0, MERGED)
LINE_STORE(line_store_kept, 0, KEPT)
LINE_STORE(line_store_apart, mask + 1, MERGED)
LINE_STORE(line_store_apart_kept, mask + 1, KEPT)
