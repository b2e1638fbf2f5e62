// A chain of `length` dependent multiply-adds per work-item, a multiple of UNROLL (Vega64 notes 2.2).
//   UNROLL   multiply-adds per loop iteration
//   OFFSET   bytes (a multiple of 4) by which the loop start is moved
// Every thread stores its result unconditionally, so the compiler cannot remove the loop.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef UNROLL
#define UNROLL 40
#endif
#ifndef OFFSET
#define OFFSET 0
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

extern "C" __global__ void fma_chain(float *out, int length)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float x = (float)gid, y = (float)threadIdx.y;
	float a = x / (x + 1.0f), b = (y + 1.0f) / (y + 1.0e8f);
	float s = 0.0f;

#if OFFSET && defined(__AMDGCN__)
	asm volatile(".rept " TEXT(OFFSET) " / 4\n\ts_nop 0\n\t.endr");
#endif
#pragma unroll 1
	for (int left = length; left > 0; left -= UNROLL) {
#pragma unroll
		for (int u = 0; u < UNROLL; u++)
			s = __builtin_fmaf(a, s, b);
	}
	out[gid] = s;
}

/* s = a * s + b, `length` times. */
static inline __device__ float chain(float a, float b, int length)
{
	float s = 0.0f;
#pragma unroll 1
	for (int left = length; left > 0; left -= UNROLL) {
#pragma unroll
		for (int u = 0; u < UNROLL; u++)
			s = __builtin_fmaf(a, s, b);
	}
	return s;
}

static inline __device__ void operands(unsigned gid, float *a, float *b)
{
	float x = (float)gid, y = (float)threadIdx.y;
	*a = x / (x + 1.0f);
	*b = (y + 1.0f) / (y + 1.0e8f);
}

// Vega64 notes 2.5. Work-items below `lanes` run s = a * s + b, the others s = b * s + a; plain: all run the first.
extern "C" __global__ void divergence_plain(float *out, int length, unsigned lanes, unsigned paths)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float a, b;
	operands(gid, &a, &b);
	out[gid] = chain(a, b, length);
}

// One loop for the first path, and one that the other paths run one after another; paths is a power of two.
extern "C" __global__ void divergence_split(float *out, int length, unsigned lanes, unsigned paths)
{
	unsigned tid = threadIdx.x, gid = blockIdx.x * blockDim.x + tid;
	unsigned other = tid & (paths - 1), path = tid < lanes ? 0 : other ? other : 1;
	float a, b, s = 0.0f;
	operands(gid, &a, &b);
	if (path == 0)
		s = chain(a, b, length);
	for (unsigned k = 1; k < paths; k++)
		if (path == k)
			s = chain(b, a, length);
	out[gid] = s;
}

// Swaps the operands first, then runs one loop for all.
extern "C" __global__ void divergence_merged(float *out, int length, unsigned lanes, unsigned paths)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float a, b;
	operands(gid, &a, &b);
	bool first = threadIdx.x < lanes;
	out[gid] = chain(first ? a : b, first ? b : a, length);
}
