// Dependent LDS reads in any order (CUDA lecture notes). Each word contains its own index, so a lane always reads the
// same word and only the banks differ.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#define WORDS 4096
#define INNER 100

/* One block of full waves; lane l reads word ((l * multiplier + add) mod 64) * stride, stride up to 64. */
extern "C" __global__ void bank_read(unsigned *out, unsigned stride, unsigned multiplier, unsigned add, unsigned outer)
{
	__shared__ unsigned lds[WORDS];
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		lds[i] = i;
	__syncthreads();
	unsigned lane = threadIdx.x & 63, v = ((lane * multiplier + add) & 63) * stride & (WORDS - 1);
#pragma unroll 1
	for (unsigned o = 0; o < outer; o++) {
#pragma unroll
		for (int i = 0; i < INNER; i++)
			v = lds[v];
	}
	out[threadIdx.x] = v;
}
