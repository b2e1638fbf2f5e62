// Address arithmetic: ways to compute an element's address in a loop (Fixstars addressing).
//   UNROLL   stores per loop iteration of store_*
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/order.inc"
#ifndef UNROLL
#define UNROLL 4
#endif

/* Sets every other element to 100. n is a multiple of UNROLL. Each work-item has 2 n elements. */
extern "C" __global__ void store_indexed(int *p, unsigned n)
{
	p += (size_t)threadIdx.x * 2 * n;
#pragma unroll 1
	for (unsigned i = 0; i < n; i += UNROLL) {
#pragma unroll
		for (unsigned u = 0; u < UNROLL; u++)
			p[(i + u) * 2] = 100;
	}
}

extern "C" __global__ void store_pointer(int *p, unsigned n)
{
	int *q = p + (size_t)threadIdx.x * 2 * n, *end = q + (size_t)2 * n;
#pragma unroll 1
	while (q != end) {
#pragma unroll
		for (unsigned u = 0; u < UNROLL; u++) {
			*q = 100;
			q += 2;
		}
	}
}

/* The address is computed again from the index for every store. */
extern "C" __global__ void store_recomputed(int *p, unsigned n)
{
	p += (size_t)threadIdx.x * 2 * n;
#pragma unroll 1
	for (unsigned i = 0; i < n; i += UNROLL) {
#pragma unroll
		for (unsigned u = 0; u < UNROLL; u++) {
			unsigned index = i + u;
			OPAQUE(index);
			p[index * 2] = 100;
		}
	}
}

/* f, g and h of addressing_published.s, compiled by the current compiler. 32 of a group's 64 lanes work; each group has
 * its own 32 n elements. */
static __device__ __forceinline__ unsigned group_number(void) { return (blockIdx.x * blockDim.x + threadIdx.x) / 64; }

extern "C" __global__ void address_f(int *p, unsigned n)
{
	unsigned lane = threadIdx.x % 64;
	int *base = p + (size_t)group_number() * 32 * n;
	if (lane < 32) {
#pragma unroll 1
		for (unsigned i = lane; i < 32 * n; i += 32)
			base[i] += 1;
	}
}

extern "C" __global__ void address_g(int *p, unsigned n)
{
	unsigned lane = threadIdx.x % 64;
	int *base = p + (size_t)group_number() * 32 * n;
#pragma unroll 1
	for (unsigned i = 0; i < 32 * n; i += 32)
		if (lane < 32)
			base[i + lane] += 1;
}

extern "C" __global__ void address_h(int *p, unsigned n)
{
	unsigned lane = threadIdx.x % 64;
	char *base = (char *)(p + (size_t)group_number() * 32 * n + lane);
	if (lane < 32) {
#pragma unroll 1
		for (size_t i = 0; i < (size_t)128 * n; i += 128)
			*(int *)(base + i) += 1;
	}
}

/* Adds 1 to each pixel of an image of threads * each pixels. A work-item takes `each` adjacent pixels of a row. */
extern "C" __global__ void pixels_along(unsigned *p, unsigned width, unsigned each)
{
	unsigned *q = p + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * each;
#pragma unroll 1
	for (unsigned i = 0; i < each; i++)
		q[i] += 1;
}

/* `each` pixels of a column: adjacent lanes access adjacent pixels. Blocks are adjacent in x. */
extern "C" __global__ void pixels_down(unsigned *p, unsigned width, unsigned each)
{
	unsigned *q = p + (size_t)(blockIdx.y * each) * width + blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
	for (unsigned i = 0; i < each; i++) {
		*q += 1;
		q += width;
	}
}

/* One work-item per pixel, by its coordinates: grid and block are two-dimensional. */
extern "C" __global__ void pixels_one(unsigned *p, unsigned width, unsigned each)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	p[(size_t)y * width + x] += 1;
}

/* out[i] = a[i] + b[i], i < n <= ELEMENTS, n even, from two shared arrays or two halves of one. One block. */
#define ELEMENTS 32
static __device__ __forceinline__ void sum_shared(const int *a, const int *b, int *out, unsigned n)
{
	out += (size_t)threadIdx.x * n;
#pragma unroll 1
	for (unsigned i = 0; i < n; i += 2) {
		out[i] = a[i] + b[i];
		out[i + 1] = a[i + 1] + b[i + 1];
	}
}

extern "C" __global__ void shared_two(const int *in, int *out, unsigned n)
{
	__shared__ int a[ELEMENTS], b[ELEMENTS];
	unsigned t = threadIdx.x;
	if (t < ELEMENTS) {
		a[t] = in[t];
		b[t] = in[ELEMENTS + t];
	}
	__syncthreads();
	sum_shared(a, b, out, n);
}

extern "C" __global__ void shared_one(const int *in, int *out, unsigned n)
{
	__shared__ int both[2 * ELEMENTS];
	unsigned t = threadIdx.x; // at least as many as elements, so loading needs no loop
	if (t < 2 * ELEMENTS)
		both[t] = in[t];
	__syncthreads();
	sum_shared(both, both + ELEMENTS, out, n);
}
