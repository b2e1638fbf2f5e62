// `calls` dependent evaluations (chain.inc) of one of two mathematically equal expressions (Vega64 notes 2.11).
//   PAIR        exp: exp(a) * exp(b) = exp(a + b), sqrt: sqrt(a) < b = a < b * b, asin: asin(a) < asin(b) = a < b
//   REWRITTEN   use the second expression
//   TYPE        f64, f32
// Work-item i has b = first + i * step. a is b (or b * b for sqrt), moved by i % 5 - 2 ulp with `ulps` 1; with 0 it is
// from another part of the range. `differs` is 1 where the expressions disagree. `bits` is for the reference.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/chain.inc"
#ifndef PAIR
#define PAIR exp
#endif
#ifndef TYPE
#define TYPE f64
#endif

typedef double f64;
typedef float f32;
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OF_TYPE(name) JOIN(JOIN(__ocml_##name, _), TYPE)

extern "C" __device__ TYPE OF_TYPE(exp)(TYPE);
extern "C" __device__ TYPE OF_TYPE(sqrt)(TYPE);
extern "C" __device__ TYPE OF_TYPE(asin)(TYPE);

static inline __device__ TYPE truth(bool v) { return v ? (TYPE)1 : (TYPE)0; }
static inline __device__ TYPE original_exp(TYPE a, TYPE b) { return OF_TYPE(exp)(a) * OF_TYPE(exp)(b); }
static inline __device__ TYPE rewritten_exp(TYPE a, TYPE b) { return OF_TYPE(exp)(a + b); }
static inline __device__ TYPE original_sqrt(TYPE a, TYPE b) { return truth(OF_TYPE(sqrt)(a) < b); }
static inline __device__ TYPE rewritten_sqrt(TYPE a, TYPE b) { return truth(a < b * b); }
static inline __device__ TYPE original_asin(TYPE a, TYPE b) { return truth(OF_TYPE(asin)(a) < OF_TYPE(asin)(b)); }
static inline __device__ TYPE rewritten_asin(TYPE a, TYPE b) { return truth(a < b); }
#define ORIGINAL JOIN(original_, PAIR)
#define REWRITTEN_FORM JOIN(rewritten_, PAIR)

static inline __device__ f64 move(f64 v, int ulps) { return bits_of<f64>(bits_of<long long>(v) + ulps); }
static inline __device__ f32 move(f32 v, int ulps) { return bits_of<f32>(bits_of<int>(v) + ulps); }
static inline __device__ TYPE partner_exp(TYPE b) { return b; }
static inline __device__ TYPE partner_asin(TYPE b) { return b; }
static inline __device__ TYPE partner_sqrt(TYPE b) { return b * b; }

extern "C" __global__ void identities(double *out, float *differs, double first, double step, int ulps, unsigned mask, unsigned calls, unsigned bits)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, other = (gid * 37 + 11) % (gridDim.x * blockDim.x);
	TYPE b = (TYPE)__builtin_fma((double)gid, step, first), far = (TYPE)__builtin_fma((double)other, step, first);
	TYPE a = ulps ? move(JOIN(partner_, PAIR)(b), (int)(gid % 5) - 2) : JOIN(partner_, PAIR)(far), v = a;
#pragma unroll 1
	for (unsigned i = 0; i < calls; i++) {
		// Both operands depend on the last result; otherwise the compiler would compute parts only once.
		TYPE x = opaque(after(a, v, mask)), y = opaque(after(b, v, mask));
#ifdef REWRITTEN
		v = REWRITTEN_FORM(x, y);
#else
		v = ORIGINAL(x, y);
#endif
	}
	out[gid] = v;
	differs[gid] = ORIGINAL(a, b) != REWRITTEN_FORM(a, b) ? 1.0f : 0.0f;
}
