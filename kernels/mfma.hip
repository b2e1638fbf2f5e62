// Products of matrices on the matrix cores: `trips` iterations of PRODUCTS instructions, in CHAINS independent sums.
//   PRODUCT    the compiler's builtin for an instruction: __builtin_amdgcn_mfma_f32_32x32x2f32
//   FACTOR     type of the factors: f32, f16, bf16, bf16_1k, i8, f64
//   REGISTERS  elements of the result that a lane has
//   FMAS       multiply-adds of the vector ALU after each product
// Factors are small integers, so that all sums are exact (kernels/reference/mfma.c).
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/vectors.inc"
#ifndef PRODUCT
#define PRODUCT __builtin_amdgcn_mfma_f32_32x32x2f32
#endif
#ifndef FACTOR
#define FACTOR f32
#endif
#ifndef REGISTERS
#define REGISTERS 16
#endif
#ifndef CHAINS
#define CHAINS 1
#endif
#ifndef PRODUCTS
#define PRODUCTS 64
#endif
#ifndef FMAS
#define FMAS 0
#endif
#ifndef THREADS
#define THREADS 256
#endif

#if defined(__gfx908__) || defined(__gfx90a__)
#define MATRIX_CORES // others have no such instruction
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

static inline __device__ unsigned small_integer(unsigned v) { return v % 3; }

// What a lane has of A or B, from its number: N elements of 16 bits, or one register of another type.
struct factor_f32 { using type = float; using sum = float; };
struct factor_f64 { using type = double; using sum = double; };
struct factor_i8 { using type = int; using sum = int; };
struct factor_f16 { using type = vector<_Float16, 4>; using sum = float; };
struct factor_bf16 { using type = vector<short, 2>; using sum = float; };
struct factor_bf16_1k { using type = vector<short, 4>; using sum = float; };
using factor = JOIN(factor_, FACTOR);
#if REGISTERS == 1
using sums = factor::sum;
#define ELEMENT(v, r) (v)
#else
using sums = vector<factor::sum, REGISTERS>;
#define ELEMENT(v, r) (v)[r]
#endif

// 0, 1 and 2 as bfloat16
static inline __device__ short bfloat16(unsigned v) { return v ? 0x3f80 + (v - 1) * 0x80 : 0; }
template <typename T> static inline __device__ void set_elements(T &v, unsigned first) { v = small_integer(first); }
static inline __device__ void set_elements(int &v, unsigned first)
{
	v = small_integer(first) | small_integer(first + 1) << 8 | small_integer(first + 2) << 16 | small_integer(first + 3) << 24;
}
static inline __device__ void set_elements(vector<_Float16, 4> &v, unsigned first)
{
	for (unsigned k = 0; k < 4; k++)
		v[k] = small_integer(first + k);
}
static inline __device__ void set_elements(vector<short, 2> &v, unsigned first)
{
	for (unsigned k = 0; k < 2; k++)
		v[k] = bfloat16(small_integer(first + k));
}
static inline __device__ void set_elements(vector<short, 4> &v, unsigned first)
{
	for (unsigned k = 0; k < 4; k++)
		v[k] = bfloat16(small_integer(first + k));
}

// Multiply-adds that only the next product's factor depends on, so that they stay between two products.
template <typename T> static inline __device__ void multiply_add(T &factor, float &x)
{
	for (unsigned k = 0; k < FMAS; k++)
#if defined(__AMDGCN__)
		asm volatile("v_fma_f32 %0, %0, %0, %0" : "+v"(x), "+v"(factor));
#else
		x = x * x + x;
#endif
}

// The arguments after `trips` are for the reference.
extern "C" __global__ __launch_bounds__(THREADS) void mfma(double *out, unsigned trips, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned)
{
#ifdef MATRIX_CORES
	unsigned lane = threadIdx.x % 64, wave = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
	factor::type a, b;
	sums c[CHAINS] = {};
	float x = 0;
	set_elements(a, lane);
	set_elements(b, lane / 3);
	for (unsigned i = 0; i < trips; i++)
#pragma unroll
		for (unsigned k = 0; k < PRODUCTS; k++) {
			c[k % CHAINS] = PRODUCT(a, b, c[k % CHAINS], 0, 0, 0);
			multiply_add(a, x);
		}
	for (unsigned r = 0; r < REGISTERS; r++) {
		double sum = 0;
		for (unsigned k = 0; k < CHAINS; k++)
			sum += ELEMENT(c[k], r);
		out[(wave * REGISTERS + r) * 64 + lane] = sum;
	}
#endif
}
