// `length` dependent divisions or remainders by d per work-item, see chain.inc (CUDA lecture notes).
//   FORM     div, mod, shift, mask, const_div, const_mod
//   TYPE     u32, i32, u64
//   DIVISOR  compile-time divisor of the last two forms; d is the same number as an argument (1 << shift if possible)
//   UNROLL   operations per loop iteration, a divisor of `length`
// The dividend of work-item i is first + i * step. `differs` is 1 where the form's result is not the exact one.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/chain.inc"
#ifndef FORM
#define FORM div
#endif
#ifndef TYPE
#define TYPE u32
#endif
#ifndef DIVISOR
#define DIVISOR 8
#endif
#ifndef UNROLL
#define UNROLL 16
#endif

typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// The divisor is opaque each time, so that the compiler cannot compute its reciprocal once before the loop.
static inline __device__ TYPE form_div(TYPE x, TYPE d, unsigned) { return x / opaque(d); }
static inline __device__ TYPE form_mod(TYPE x, TYPE d, unsigned) { return x % opaque(d); }
static inline __device__ TYPE form_shift(TYPE x, TYPE, unsigned shift) { return x >> shift; }
static inline __device__ TYPE form_mask(TYPE x, TYPE d, unsigned) { return x & (d - 1); }
static inline __device__ TYPE form_const_div(TYPE x, TYPE, unsigned) { return x / (TYPE)DIVISOR; }
static inline __device__ TYPE form_const_mod(TYPE x, TYPE, unsigned) { return x % (TYPE)DIVISOR; }
static inline __device__ TYPE plain_div(TYPE x, TYPE d) { return x / d; }
static inline __device__ TYPE plain_mod(TYPE x, TYPE d) { return x % d; }
#define plain_shift plain_div
#define plain_mask plain_mod
#define plain_const_div plain_div
#define plain_const_mod plain_mod

extern "C" __global__ void divmod(long long *out, float *differs, long long first, long long step, long long divisor, unsigned shift, unsigned mask,
                                  unsigned length, int bits)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	TYPE x = (TYPE)(first + (long long)gid * step), d = (TYPE)divisor, v = x;
#pragma unroll 1
	for (unsigned i = 0; i < length; i += UNROLL) {
#pragma unroll
		for (int u = 0; u < UNROLL; u++)
			v = opaque(JOIN(form_, FORM)(opaque(after(x, v, mask)), d, shift));
	}
	out[gid] = (long long)v;
	differs[gid] = v != JOIN(plain_, FORM)(x, d) ? 1.0f : 0.0f;
}
