// `calls` dependent calls of a function per work-item (Vega64 notes 2.11; CUDA lecture notes).
//   FUNCTION    sin, cos, tan, asin, log, exp, sqrt, rsqrt, add, mul, fma, div, pow, rcp, sincos
//               (sincos: the result is the larger one)
//   TYPE        f64, f32, f16
//   UNROLL      calls per loop iteration, a divisor of `calls`
//   ITERATED    v = f(v); without it, f is called with the same argument each time (chain.inc)
//   INTRINSIC   use the hardware instruction, f32 only
// The argument of work-item i is first + i * step. `bits` and `iterated` tell the reference what was compiled.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/chain.inc"
#ifndef FUNCTION
#define FUNCTION sin
#endif
#ifndef TYPE
#define TYPE f64
#endif

#ifndef UNROLL
#define UNROLL 1
#endif

typedef double f64;
typedef float f32;
typedef _Float16 f16;

#define LIBRARY(name) \
	extern "C" __device__ f64 __ocml_##name##_f64(f64); \
	extern "C" __device__ f32 __ocml_##name##_f32(f32); \
	extern "C" __device__ f16 __ocml_##name##_f16(f16); \
	static inline __device__ f64 call_##name(f64 v, f64, f64) { return __ocml_##name##_f64(v); } \
	static inline __device__ f32 call_##name(f32 v, f32, f32) { return __ocml_##name##_f32(v); } \
	static inline __device__ f16 call_##name(f16 v, f16, f16) { return __ocml_##name##_f16(v); }
#define OPERATOR(name, expression) template <typename T> static inline __device__ T call_##name(T v, T c, T d) { return expression; }

#ifndef INTRINSIC
LIBRARY(sin)
LIBRARY(cos)
LIBRARY(tan)
LIBRARY(asin)
LIBRARY(log)
LIBRARY(exp)
LIBRARY(sqrt)
LIBRARY(rsqrt)
OPERATOR(add, v + c)
OPERATOR(mul, v * c)
OPERATOR(div, c / v)
OPERATOR(rcp, (T)1 / v)
static inline __device__ f64 call_fma(f64 v, f64 c, f64 d) { return __builtin_fma(v, c, d); }
static inline __device__ f32 call_fma(f32 v, f32 c, f32 d) { return __builtin_fmaf(v, c, d); }
static inline __device__ f16 call_fma(f16 v, f16 c, f16 d) { return __builtin_fmaf16(v, c, d); }
static inline __device__ f64 call_pow(f64 v, f64 c, f64) { return pow(v, c); }
static inline __device__ f32 call_pow(f32 v, f32 c, f32) { return powf(v, c); }
static inline __device__ f32 call_sincos(f32 v, f32, f32) { f32 s, c; sincosf(v, &s, &c); return __builtin_fmaxf(s, c); }
static inline __device__ f64 call_sincos(f64 v, f64, f64) { f64 s, c; sincos(v, &s, &c); return __builtin_fmax(s, c); }
#elif defined(__AMDGCN__)
// The hardware's sin and cos take the angle in full turns; its log and exp have base 2.
#define TURNS 0.15915494309189535f
#define LN2 0.69314718055994531f
#define LOG2E 1.4426950408889634f
static inline __device__ f32 exp2_of(f32 v) { f32 r; asm("v_exp_f32 %0, %1" : "=v"(r) : "v"(v)); return r; }
static inline __device__ f32 log2_of(f32 v) { f32 r; asm("v_log_f32 %0, %1" : "=v"(r) : "v"(v)); return r; }
OPERATOR(sin, __builtin_amdgcn_sinf(v * TURNS))
OPERATOR(cos, __builtin_amdgcn_cosf(v * TURNS))
OPERATOR(tan, __builtin_amdgcn_sinf(v * TURNS) * __builtin_amdgcn_rcpf(__builtin_amdgcn_cosf(v * TURNS)))
OPERATOR(sincos, __builtin_fmaxf(__builtin_amdgcn_sinf(v * TURNS), __builtin_amdgcn_cosf(v * TURNS)))
OPERATOR(log, log2_of(v) * LN2)
OPERATOR(exp, exp2_of(v * LOG2E))
OPERATOR(pow, exp2_of(log2_of(v) * c))
OPERATOR(sqrt, __builtin_amdgcn_sqrtf(v))
OPERATOR(rsqrt, __builtin_amdgcn_rsqf(v))
OPERATOR(rcp, __builtin_amdgcn_rcpf(v))
OPERATOR(div, c * __builtin_amdgcn_rcpf(v))
#else
#define APPROXIMATE(name) static inline __device__ f32 approximate_##name(f32 v) { f32 r; asm(#name ".approx.f32 %0, %1;" : "=f"(r) : "f"(v)); return r; }
APPROXIMATE(sqrt)
APPROXIMATE(rsqrt)
APPROXIMATE(rcp)
OPERATOR(sin, __sinf(v))
OPERATOR(cos, __cosf(v))
OPERATOR(tan, __tanf(v))
OPERATOR(sincos, __builtin_fmaxf(__sinf(v), __cosf(v)))
OPERATOR(log, __logf(v))
OPERATOR(exp, __expf(v))
OPERATOR(pow, __powf(v, c))
OPERATOR(sqrt, approximate_sqrt(v))
OPERATOR(rsqrt, approximate_rsqrt(v))
OPERATOR(rcp, approximate_rcp(v))
OPERATOR(div, __fdividef(c, v))
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define CALL JOIN(call_, FUNCTION)

static inline __device__ void put(f64 v, f64 *out64, f32 *out32, unsigned i) { out64[i] = v; }
static inline __device__ void put(f32 v, f64 *out64, f32 *out32, unsigned i) { out32[i] = v; }
static inline __device__ void put(f16 v, f64 *out64, f32 *out32, unsigned i) { out32[i] = v; }

extern "C" __global__ void math_calls(double *out64, float *out32, double first, double step, double second, double third, unsigned mask, unsigned calls,
                                      unsigned bits, unsigned iterated)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	TYPE x = (TYPE)__builtin_fma((double)gid, step, first), c = (TYPE)second, d = (TYPE)third, v = x;
#pragma unroll 1
	for (unsigned i = 0; i < calls; i += UNROLL) {
#pragma unroll
		for (int u = 0; u < UNROLL; u++)
#ifdef ITERATED
			v = CALL(v, c, d);
#else
			v = CALL(after(x, v, mask), c, d);
#endif
	}
	put(v, out64, out32, gid);
}
