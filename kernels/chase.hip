// Pointer chases, compiled by the current compiler (Vega64 notes 2.6). The published code is in chase_published.s.
// Each work-item starts at its own address: from a uniform one the compiler would load through the scalar cache.
// Indices are unsigned: the signed products of the source overflow for large ranges.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

extern "C" __global__ void chase_dram(const int *buf, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma unroll 1
	for (unsigned i = 1; i < reads; i++)
		v = buf[v * i];
	out[tid] = v;
}

extern "C" __global__ void chase_stride(const int *buf, unsigned stride, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma unroll 1
	for (unsigned i = 1; i < reads; i++)
		v = buf[i * v * stride - 1];
	out[tid] = v;
}

/* range is a power of two, in elements. */
extern "C" __global__ void chase_range(const int *buf, unsigned range, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma unroll 1
	for (unsigned i = 1; i < reads; i++)
		v = buf[(i * v - 1) & (range - 1)];
	out[tid] = v;
}
