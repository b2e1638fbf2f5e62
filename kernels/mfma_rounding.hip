// FTTN's product (Li and others, 2024): 2^20 minus `depth` - 1 small products, on the vector ALU or the matrix core.
//   UNIT  fma, f32, bf16, f16
// All elements of the result are equal. `units` gets what the small products add up to, in units of 1/128: as bits of a
// float, so that its distance from 0 in units in the last place is the number.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/vectors.inc"
#ifndef UNIT
#define UNIT f16
#endif
#if defined(__gfx908__) || defined(__gfx90a__)
#define MATRIX_CORES // others have no such instruction
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

enum { REGISTERS = 16 };

// Element k of each row of A and of each column of B: powers of two, which all types have.
static inline __device__ float element_a(unsigned k) { return k == 0 ? 0x1p10f : k % 2 ? 0x1p-2f : 0x1p-3f; }
static inline __device__ float element_b(unsigned k) { return k == 0 ? 0x1p10f : -0x1p-3f; }
static inline __device__ short bfloat16(float v) { return (short)(__builtin_bit_cast(unsigned, v) >> 16); }

struct unit_fma { enum { DEPTH = 1 }; };
struct unit_f32 { enum { DEPTH = 2 }; };
struct unit_bf16 { enum { DEPTH = 4 }; };
struct unit_f16 { enum { DEPTH = 8 }; };
using unit = JOIN(unit_, UNIT);
using sums = vector<float, REGISTERS>;

#ifdef MATRIX_CORES
static inline __device__ sums multiply(unit_fma, sums c, unsigned k)
{
	float sum = __builtin_fmaf(element_a(k), element_b(k), c[0]);
	for (unsigned r = 0; r < REGISTERS; r++)
		c[r] = sum;
	return c;
}
// The other half of the wave has the other half of the steps.
static inline __device__ sums multiply(unit_f32, sums c, unsigned k)
{
	k += threadIdx.x / 32;
	return __builtin_amdgcn_mfma_f32_32x32x2f32(element_a(k), element_b(k), c, 0, 0, 0);
}
static inline __device__ sums multiply(unit_bf16, sums c, unsigned k)
{
	vector<short, 2> a, b;
	for (unsigned n = 0; n < 2; n++) {
		a[n] = bfloat16(element_a(k + threadIdx.x / 32 * 2 + n));
		b[n] = bfloat16(element_b(k + threadIdx.x / 32 * 2 + n));
	}
	return __builtin_amdgcn_mfma_f32_32x32x4bf16(a, b, c, 0, 0, 0);
}
static inline __device__ sums multiply(unit_f16, sums c, unsigned k)
{
	vector<_Float16, 4> a, b;
	for (unsigned n = 0; n < 4; n++) {
		a[n] = (_Float16)element_a(k + threadIdx.x / 32 * 4 + n);
		b[n] = (_Float16)element_b(k + threadIdx.x / 32 * 4 + n);
	}
	return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
}
#endif

extern "C" __global__ __launch_bounds__(64) void mfma_rounding(float *out, unsigned *units, unsigned depth, unsigned)
{
#ifdef MATRIX_CORES
	sums c = {};
#pragma unroll 1
	for (unsigned k = 0; k < depth; k += unit::DEPTH)
		c = multiply(unit(), c, k);
	for (unsigned r = 0; r < REGISTERS; r++)
		out[r * 64 + threadIdx.x] = c[r];
	if (!threadIdx.x)
		*units = (unsigned)((0x1p20f - c[0]) * 128);
#endif
}
