// Copies with other access patterns: offset, strided, permuted, repeated reads (CUDA lecture notes).
// One element per work-item; every block is full.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

static __device__ __forceinline__ unsigned global_id() { return blockIdx.x * blockDim.x + threadIdx.x; }

/* Reads start `from` elements and writes `to` elements past the start of a line. */
extern "C" __global__ void copy_offset(const float *in, float *out, unsigned from, unsigned to)
{
	unsigned gid = global_id();
	out[gid + to] = in[gid + from];
}

extern "C" __global__ void copy_stride(const float *in, float *out, unsigned stride)
{
	unsigned i = global_id() * stride;
	out[i] = in[i];
}

/* --- permuted reads, stores in order --- */
template <int MAP> static __device__ __forceinline__ unsigned mapped(unsigned i, unsigned mask);
enum { IDENTITY, PERMUTED, SHIFTED, REVERSED, RANDOM, PAIRS };
template <> __device__ __forceinline__ unsigned mapped<IDENTITY>(unsigned i, unsigned) { return i; }
template <> __device__ __forceinline__ unsigned mapped<PERMUTED>(unsigned i, unsigned) { return i ^ 5; }
template <> __device__ __forceinline__ unsigned mapped<SHIFTED>(unsigned i, unsigned) { return i + 1; }
template <> __device__ __forceinline__ unsigned mapped<REVERSED>(unsigned i, unsigned) { return i ^ 63; }
template <> __device__ __forceinline__ unsigned mapped<PAIRS>(unsigned i, unsigned) { return i >> 1; }
/* A permutation of 0 .. mask: each step is invertible. */
template <> __device__ __forceinline__ unsigned mapped<RANDOM>(unsigned i, unsigned mask)
{
	i = (i * 0x9e3779b1u) & mask;
	i ^= i >> 7;
	return (i * 0x85ebca6bu) & mask;
}

/* words and map are for the C reference; the kernel's name already implies them. */
#define PATTERN(name, MAP, type) \
	extern "C" __global__ void pattern_##name(const type *in, type *out, unsigned mask, unsigned words, unsigned map) \
	{ \
		unsigned gid = global_id(); \
		out[gid] = in[mapped<MAP>(gid, mask)]; \
	}
#define PATTERNS(bytes, type) \
	PATTERN(identity_##bytes, IDENTITY, type) PATTERN(permuted_##bytes, PERMUTED, type) PATTERN(shifted_##bytes, SHIFTED, type) \
	PATTERN(reversed_##bytes, REVERSED, type) PATTERN(random_##bytes, RANDOM, type) PATTERN(pairs_##bytes, PAIRS, type)
PATTERNS(4, unsigned)
PATTERNS(8, uint2)
PATTERNS(16, uint4)

/* --- `reads` words per lane, cached or not --- */
/* On gfx9 a nontemporal load sets glc and slc and bypasses the L1. On gfx11 it does not bypass the L0; a load that is
 * coherent on the device does. */
static __device__ __forceinline__ unsigned load_past_l1(const unsigned *at)
{
#if defined(__GFX11__)
	return __hip_atomic_load((unsigned *)at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
	return __builtin_nontemporal_load(at);
#endif
}

template <bool CACHED> static __device__ __forceinline__ unsigned sum_from(const unsigned *in, unsigned reads)
{
	unsigned sum = 0;
#pragma unroll 1
	for (unsigned k = 0; k < reads; k++)
		sum += CACHED ? in[k] : load_past_l1(in + k);
	return sum;
}

extern "C" __global__ void gather_cached(const unsigned *in, unsigned *out, unsigned stride, unsigned reads)
{
	unsigned gid = global_id();
	out[gid] = sum_from<true>(in + gid * stride, reads);
}

extern "C" __global__ void gather_bypass(const unsigned *in, unsigned *out, unsigned stride, unsigned reads)
{
	unsigned gid = global_id();
	out[gid] = sum_from<false>(in + gid * stride, reads);
}

/* --- plain loads, and read-only loads: __ldg of a pointer through which nothing is written --- */
enum { SIDE = 1024 }; /* elements in a row of the 2-D pattern */
static __device__ __forceinline__ unsigned shift_index(unsigned gid) { return gid; }
/* A random element of the 1 KiB that 256 work-items share. */
static __device__ __forceinline__ unsigned random_index(unsigned gid)
{
	unsigned h = gid * 0x9e3779b1u;
	return (gid & ~255u) | (h >> 24);
}
/* A wave covers 8 by 8 elements of an image. */
static __device__ __forceinline__ unsigned tile_index(unsigned gid)
{
	unsigned wave = gid >> 6, across = wave & (SIDE / 8 - 1), down = wave / (SIDE / 8);
	return (down * 8 + (gid >> 3 & 7)) * SIDE + across * 8 + (gid & 7);
}

#define READ_PATH(pattern) /* the last argument is for the C reference */ \
	extern "C" __global__ void pattern##_plain(const float *in, float *out, unsigned shift, unsigned which) \
	{ \
		unsigned gid = global_id(); \
		out[gid] = in[pattern##_index(gid) + shift]; \
	} \
	extern "C" __global__ void pattern##_readonly(const float *__restrict__ in, float *__restrict__ out, unsigned shift, unsigned which) \
	{ \
		unsigned gid = global_id(); \
		out[gid] = __ldg(&in[pattern##_index(gid) + shift]); \
	}
READ_PATH(shift)
READ_PATH(random)
READ_PATH(tile)
