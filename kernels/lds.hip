// Dependent LDS reads, compiled by the current compiler (Vega64 notes 2.9). The published code is in lds_published.s.
// Results go to a separate buffer: the source's guard would store them over the next launch's input.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef INNER
#define INNER 100
#endif
#define WORDS 4096

/* One block; mask + 1 is a power of two up to the block size, so every word that is read was written. */
extern "C" __global__ void lds_latency(const int *buf, unsigned mask, unsigned outer, int *out)
{
	__shared__ int lds[WORDS];
	unsigned tid = threadIdx.x;
	lds[tid] = buf[tid];
	__syncthreads();
	unsigned v = tid;
#pragma unroll 1
	for (unsigned o = 0; o < outer; o++) {
#pragma unroll
		for (int i = 0; i < INNER; i++)
			v = lds[v] & mask;
	}
	out[tid] = v;
}

/* One block of any size that divides WORDS. */
extern "C" __global__ void lds_bank_conflict(const int *buf, unsigned stride, unsigned outer, int *out)
{
	__shared__ int lds[WORDS];
	unsigned tid = threadIdx.x;
	for (unsigned i = tid; i < WORDS; i += blockDim.x)
		lds[i] = buf[i];
	__syncthreads();
	unsigned v = (tid * stride) & (WORDS - 1);
#pragma unroll 1
	for (unsigned o = 0; o < outer; o++) {
#pragma unroll
		for (int i = 0; i < INNER; i++)
			v = ((lds[v] + tid) * stride) & (WORDS - 1);
	}
	out[tid] = v;
}
