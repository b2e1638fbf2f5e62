// Dependent LDS reads as today's compiler turns them into instructions. S0 2.9; lds_published.s has the published forms.
// Results go to a buffer of their own: the source's guard fires and overwrites the next launch's input.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef INNER
#define INNER 100
#endif
#define WORDS 4096

/* One block; mask + 1 is a power of two up to the block size, so that every word read has been written. */
extern "C" __global__ void lds_latency(const int *buf, unsigned mask, unsigned outer, int *out)
{
	__shared__ int lds[WORDS];
	unsigned tid = threadIdx.x;
	lds[tid] = buf[tid];
	__syncthreads();
	unsigned v = tid;
#pragma clang loop unroll(disable)
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
#pragma clang loop unroll(disable)
	for (unsigned o = 0; o < outer; o++) {
#pragma unroll
		for (int i = 0; i < INNER; i++)
			v = ((lds[v] + tid) * stride) & (WORDS - 1);
	}
	out[tid] = v;
}
