// Pointer chases, as today's compiler turns them into instructions. S0 2.6; chase_published.s has the published forms.
// They start from an address of the work-item's own: from a uniform one the compiler would chase through the scalar cache.
// Indices are unsigned: the source's signed products overflow at large ranges.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

extern "C" __global__ void chase_dram(const int *buf, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma clang loop unroll(disable)
	for (unsigned i = 1; i < reads; i++)
		v = buf[v * i];
	out[tid] = v;
}

extern "C" __global__ void chase_stride(const int *buf, unsigned stride, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma clang loop unroll(disable)
	for (unsigned i = 1; i < reads; i++)
		v = buf[i * v * stride - 1];
	out[tid] = v;
}

/* range is a power of two, in elements. */
extern "C" __global__ void chase_range(const int *buf, unsigned range, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, v = buf[tid];
#pragma clang loop unroll(disable)
	for (unsigned i = 1; i < reads; i++)
		v = buf[(i * v - 1) & (range - 1)];
	out[tid] = v;
}
