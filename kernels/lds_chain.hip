// Dependent LDS reads without address code: each word holds the byte offset of the word to read next, so a read is one
// instruction whose address is the previous read's value. Compare lds_latency, which computes an index.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

enum { INNER = 100 /* reads per trip */, WORDS = 4096 };

/* One block of at most WORDS work-items; buf[i] is the number of the word after word i. */
extern "C" __global__ void lds_chain(const int *buf, unsigned, unsigned outer, int *out)
{
	__shared__ unsigned lds[WORDS];
	unsigned tid = threadIdx.x, at = tid * sizeof *lds;
	lds[tid] = buf[tid] * sizeof *lds;
	__syncthreads();
#pragma unroll 1
	for (unsigned o = 0; o < outer; o++) {
#pragma unroll
		for (int i = 0; i < INNER; i++)
			at = *(const unsigned *)((const char *)lds + at);
	}
	out[tid] = at / sizeof *lds;
}
