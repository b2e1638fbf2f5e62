// Reads of data that stays in a cache: each block reads the same PER * 256 elements again and again (reuse), or the blocks
// of a grid share runs of data, each read once by a block (shared). A block writes its sums if one of them is `never`,
// which none is, so that no read can be left out; block 0 does so always, for the reference.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/vectors.inc"
#ifndef PER
#define PER 4 /* elements per work-item in one pass */
#endif
#ifndef PAIRS
#define PAIRS 24 /* pairs of elements per work-item */
#endif

enum {
	REUSE_BLOCK = 256, SHARED_BLOCK = 1024,
	TOGETHER = PER < 64 ? PER : 32, /* reads in a row */
	PASSES = PER > 32 ? 1 : 32 / PER, /* passes in a trip of the loop, which so has about 32 reads */
};
typedef vector<float, 4> four;

static __device__ __forceinline__ float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static __device__ __forceinline__ double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
static __device__ __forceinline__ four fused(four a, four b, four c)
{
	return four{fused(a.x, b.x, c.x), fused(a.y, b.y, c.y), fused(a.z, b.z, c.z), fused(a.w, b.w, c.w)};
}
static __device__ __forceinline__ float first(float a) { return a; }
static __device__ __forceinline__ double first(double a) { return a; }
static __device__ __forceinline__ float first(four a) { return a.x + a.y + a.z + a.w; }

/* `shift` is 0, which the compiler cannot know: it reads again in each pass. `passes` is a multiple of PASSES. */
#define REUSE(name, T) \
	extern "C" __global__ void reuse_##name(const T *__restrict__ in, T *__restrict__ out, float keep, float never, unsigned shift, unsigned passes, unsigned) \
	{ \
		T sum = (T)0; \
		in += threadIdx.x; \
		_Pragma("unroll 1") for (unsigned pass = 0; pass < passes; pass += PASSES) { \
			_Pragma("unroll") for (unsigned k = 0; k < PASSES; k++) { \
				in += shift; \
				sum = fused(sum, (T)keep, in[0]); \
				_Pragma("unroll TOGETHER") for (unsigned i = 1; i < PER; i++) \
					sum += in[i * REUSE_BLOCK]; \
			} \
		} \
		if (first(sum) == never || !blockIdx.x) \
			out[threadIdx.x] = sum; \
	}
REUSE(f32, float)
REUSE(f64, double)
REUSE(4xf32, four)

/* A block reads a run: PAIRS times two pieces of SHARED_BLOCK elements. The pieces of the runs alternate. */
extern "C" __global__ void shared_runs(const double *__restrict__ in, double *__restrict__ out, double never, unsigned runs, unsigned)
{
	double sum = 0;
	for (unsigned i = 0; i < PAIRS; i++) {
		unsigned at = (SHARED_BLOCK * runs * i + blockIdx.x % runs * SHARED_BLOCK) * 2 + threadIdx.x;
		sum = fused(in[at], in[at + SHARED_BLOCK], sum);
	}
	if (sum == never || !blockIdx.x)
		out[threadIdx.x] = sum;
}
