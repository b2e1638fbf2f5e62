// CHAINS independent chains of one operation per work-item: `trips` iterations, OPERATIONS each (CUDA lecture notes).
//   OP   iadd, imul, imad, mad24, shift, fadd, ffma, hfma2, dadd, dfma, rsqrt, sin, exp, cvt, idiv, imod
// Values are opaque between operations (chain.inc): the compiler selects instructions, but cannot fold operations.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/chain.inc"
#include "kernels/vectors.inc"
#ifndef OP
#define OP ffma
#endif
#ifndef CHAINS
#define CHAINS 8
#endif
#ifndef OPERATIONS
#define OPERATIONS 1024
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
// Type of the chain and its step. i, f and d are operands with unknown values for the compiler: 1, 0.5 and 0.5.
#define TYPE_iadd unsigned
#define STEP_iadd(s) s + i
#define TYPE_imul unsigned
#define STEP_imul(s) s * (i + 2)
// The product is opaque, or the compiler may take one instruction with a 64-bit result for both.
#define TYPE_imad unsigned
#define STEP_imad(s) opaque(s * (i + 2)) + i
#define TYPE_mad24 unsigned
#define STEP_mad24(s) low_24(s) * low_24(i + 2) + i
#define TYPE_shift unsigned
#define STEP_shift(s) s << i
#define TYPE_fadd float
#define STEP_fadd(s) s + f
#define TYPE_ffma float
#define STEP_ffma(s) __builtin_fmaf(s, f, f)
#define TYPE_hfma2 halves
#define STEP_hfma2(s) fused(s, (halves)((_Float16)f))
#define TYPE_dadd double
#define STEP_dadd(s) s + d
#define TYPE_dfma double
#define STEP_dfma(s) __builtin_fma(s, d, d)
#define TYPE_rsqrt float
#define STEP_rsqrt(s) rsqrt_of(s)
#define TYPE_sin float
#define STEP_sin(s) sin_of(s)
#define TYPE_exp float
#define STEP_exp(s) exp_of(s)
#define TYPE_cvt unsigned
#define STEP_cvt(s) bits_of<unsigned>((float)s)
#define TYPE_idiv unsigned
#define STEP_idiv(s) s / opaque(i)
#define TYPE_imod unsigned
#define STEP_imod(s) s % opaque(i + 6)
// What the chain begins with. The sine of PTX takes radians, in which only 0 stays what it is.
#define RADIANS_sin 1
#if defined(__CUDA_ARCH__) && JOIN(RADIANS_, OP)
#define START(v) ((v) * (f - f))
#else
#define START(v) (v)
#endif
#define T JOIN(TYPE_, OP)
#define STEP JOIN(STEP_, OP)

typedef vector<_Float16, 2> halves;

// The lower 24 bits with their sign, as mad24 of OpenCL takes them.
static inline __device__ unsigned low_24(unsigned v) { return (unsigned)((int)(v << 8) >> 8); }

#if defined(__AMDGCN__)
static inline __device__ halves fused(halves s, halves f)
{
	halves r;
	asm("v_pk_fma_f16 %0, %1, %2, %2" : "=v"(r) : "v"(s), "v"(f));
	return r;
}
#elif defined(__CUDA_ARCH__)
static inline __device__ halves fused(halves s, halves f)
{
	unsigned r, factor = bits_of<unsigned>(f);
	asm("fma.rn.f16x2 %0, %1, %2, %2;" : "=r"(r) : "r"(bits_of<unsigned>(s)), "r"(factor));
	return bits_of<halves>(r);
}
#else
static inline __device__ halves fused(halves s, halves f) { return s * f + f; }
#endif

// An instruction of the special function unit.
#if defined(__AMDGCN__)
#define SPECIAL(instruction) instruction " %0, %1" : "=v"(r) : "v"(s)
#define INSTRUCTION(amd, cuda) SPECIAL(amd)
#elif defined(__CUDA_ARCH__)
#define SPECIAL(instruction) instruction ".approx.f32 %0, %1;" : "=f"(r) : "f"(s)
#define INSTRUCTION(amd, cuda) SPECIAL(cuda)
#endif
#ifdef INSTRUCTION
static inline __device__ float rsqrt_of(float s) { float r; asm(INSTRUCTION("v_rsq_f32", "rsqrt")); return r; }
static inline __device__ float sin_of(float s) { float r; asm(INSTRUCTION("v_sin_f32", "sin")); return r; }
static inline __device__ float exp_of(float s) { float r; asm(INSTRUCTION("v_exp_f32", "ex2")); return r; }
#else
static inline __device__ float rsqrt_of(float s) { return s; }
static inline __device__ float sin_of(float s) { return s; }
static inline __device__ float exp_of(float s) { return s; }
#endif

// Combines the chains, so that the result depends on all: sum, or exclusive or for integers.
static inline __device__ double joined(double a, double b) { return a + b; }
static inline __device__ float joined(float a, float b) { return a + b; }
static inline __device__ unsigned joined(unsigned a, unsigned b) { return a ^ b; }
static inline __device__ halves joined(halves a, halves b) { return a + b; }

template <typename Value> static inline __device__ double whole(Value v) { return (double)v; }
static inline __device__ double whole(halves v) { return (double)(v.x + v.y); }

extern "C" __global__ void throughput(double *out, unsigned i, float f, double d, unsigned trips, int chains, int operations)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	T s[CHAINS], all = (T)0;
#pragma unroll
	for (int k = 0; k < CHAINS; k++)
		s[k] = START((T)(gid + k));
#pragma unroll 1
	for (unsigned t = 0; t < trips; t++) {
#pragma unroll
		for (int o = 0; o < OPERATIONS; o++)
			s[o % CHAINS] = opaque((T)(STEP(s[o % CHAINS])));
	}
#pragma unroll
	for (int k = 0; k < CHAINS; k++)
		all = joined(all, s[k]);
	out[gid] = whole(all);
}
