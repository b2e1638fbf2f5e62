// Loads from L1 whose lanes read different addresses: LOADS in a row, each one element further than the last, of 1 to 4
// words; or of eight elements again and again. The sums are written if one is `never`, which none is, so that no load can be left out; block 0 does so always,
// for the reference.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

enum { LOADS = 256 };

/* Words, which need no larger alignment than one of them. */
template <int W> struct element { float word[W]; };

template <int W> static __device__ __forceinline__ float sum_of(const element<W> &e)
{
	float sum = e.word[0];
#pragma unroll
	for (int k = 1; k < W; k++)
		sum += e.word[k];
	return sum;
}

/* `mask` is 0, which the compiler cannot know: each load has its own address. The last two are for the C reference, and
 * `loads` is for the pattern that reads again. */
#define LANE_LOADS(pattern, W, first) \
	extern "C" __global__ __launch_bounds__(256) void lanes_##pattern##_##W(const char *__restrict__ from, float *__restrict__ out, float never, unsigned mask, unsigned start, unsigned stride, unsigned, unsigned, unsigned) \
	{ \
		unsigned lane = threadIdx.x, at = (first) + start; \
		float sum = 0; \
		_Pragma("unroll 8") for (unsigned i = 0; i < LOADS; i++) \
			sum += sum_of(*(const element<W> *)(from + ((at + i * 4 * W) | mask))); \
		if (sum == never || !blockIdx.x) \
			out[lane] = sum; \
	}
#define WIDTHS(W) \
	LANE_LOADS(linear, W, lane * 4 * W) \
	LANE_LOADS(random, W, (lane * 0x3504f333u & 15) * 4 * W) \
	LANE_LOADS(uniform, W, 0) \
	LANE_LOADS(stride, W, lane % 64 * stride)

/* As in gpu-benches, gpu-strides: elements that are four apart. */
#define REREAD(W) \
	extern "C" __global__ __launch_bounds__(1024) void lanes_reread_##W(const char *__restrict__ from, float *__restrict__ out, float never, unsigned mask, unsigned start, unsigned stride, unsigned loads, unsigned, unsigned) \
	{ \
		unsigned lane = threadIdx.x, at = lane % 64 * stride + start; \
		float sum = 0; \
		for (unsigned i = 0; i < loads; i += 8, at += mask) \
			_Pragma("unroll") for (unsigned k = 0; k < 8; k++) \
				sum += sum_of(*(const element<W> *)(from + at + k * 16 * W)); \
		if (sum == never || !blockIdx.x) \
			out[lane] = sum; \
	}

#define WIDTHS_OF_ALL(W) WIDTHS(W) REREAD(W)
WIDTHS_OF_ALL(1)
WIDTHS_OF_ALL(2)
WIDTHS_OF_ALL(3)
WIDTHS_OF_ALL(4)
