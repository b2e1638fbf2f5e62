// Pads planes of side x side to (side + 2 pad)^2 (Vega64 notes 2.13). One block per `each` channels, at most 16, of an
// image; one work-item per padded pixel. Grid (1, channels / each, images). Kernels with constants ignore arguments.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef SIDE
#define SIDE 7
#endif
#ifndef PAD
#define PAD 3
#endif
#ifndef CHANNELS
#define CHANNELS 1024
#endif
#define EACH_MAX 16
#define THREADS 256

struct pixel { unsigned from, to; bool inside; }; /* element indices in the block's first planes */

/* Coordinates of padded pixel p, by division and remainder as in the source. */
static __device__ __forceinline__ struct pixel find_pixel(unsigned p, int side, int pad, int channels, int each)
{
	int padded = side + 2 * pad, y = (int)p / padded - pad, x = (int)p % padded - pad;
	unsigned plane = blockIdx.z * channels + blockIdx.y * each;
	return { (plane * side + y) * side + x, plane * padded * padded + p, y >= 0 && y < side && x >= 0 && x < side };
}

/* The values are in a private array with run-time indices. The source's compiler kept such an array in scratch; the
 * current one would use registers or LDS, so its address is hidden from the compiler. */
extern "C" __global__ void __launch_bounds__(THREADS)
pad_scratch(const float *in, float *out, int side, int pad, int channels, int each)
{
	unsigned p = threadIdx.x, padded = side + 2 * pad;
	if (p >= padded * padded)
		return;
	float data[EACH_MAX] = { 0 };
#if defined(__AMDGCN__)
	__attribute__((address_space(5))) float *at = (__attribute__((address_space(5))) float *)data;
	asm volatile("" : "+v"(at) : : "memory");
#else
	float *at = data; /* indices that are not constant keep it in local memory */
#endif
	struct pixel px = find_pixel(p, side, pad, channels, each);
	if (px.inside)
		for (int i = 0; i < each; i++)
			at[i] = in[px.from + i * side * side];
	for (int i = 0; i < each; i++)
		out[px.to + i * padded * padded] = at[i];
}

/* The same array with constant indices: it is in registers. */
extern "C" __global__ void __launch_bounds__(THREADS)
pad_static(const float *in, float *out, int side, int pad, int channels, int each)
{
	unsigned p = threadIdx.x, padded = side + 2 * pad;
	if (p >= padded * padded)
		return;
	float data[EACH_MAX] = { 0 };
	struct pixel px = find_pixel(p, side, pad, channels, each);
	if (px.inside) {
#pragma unroll
		for (int i = 0; i < EACH_MAX; i++)
			if (i < each)
				data[i] = in[px.from + i * side * side];
	}
#pragma unroll
	for (int i = 0; i < EACH_MAX; i++)
		if (i < each)
			out[px.to + i * padded * padded] = data[i];
}

template <int EACH> static __device__ __forceinline__ void pad_constant(const float *in, float *out)
{
	enum { PADDED = SIDE + 2 * PAD };
	unsigned p = threadIdx.x;
	if (p >= PADDED * PADDED)
		return;
	float data[EACH] = { 0 };
	struct pixel px = find_pixel(p, SIDE, PAD, CHANNELS, EACH);
	if (px.inside) {
#pragma unroll
		for (int i = 0; i < EACH; i++)
			data[i] = in[px.from + i * SIDE * SIDE];
	}
#pragma unroll
	for (int i = 0; i < EACH; i++)
		out[px.to + i * PADDED * PADDED] = data[i];
}

#define PAD_CONSTANT(count) \
	extern "C" __global__ void __launch_bounds__(THREADS) \
		pad_constant_##count(const float *in, float *out, int side, int pad, int channels, int each) \
	{ \
		pad_constant<count>(in, out); \
	}

PAD_CONSTANT(1)
PAD_CONSTANT(2)
PAD_CONSTANT(4)
PAD_CONSTANT(8)
PAD_CONSTANT(16)
