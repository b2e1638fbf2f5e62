// Stores a transposed tile into LDS: lane -> word (lane % 8) * pitch + lane / 8 (RDNA3 SGEMM, kernel 5).
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/order.inc"

#define WORDS (8 * 136)
#define INNER 100

/* One wave; pitch is at most 136. Finally copies LDS to memory: -1 where nothing was stored. */
extern "C" __global__ void lds_store_padding(int *out, int pitch, int outer)
{
	__shared__ int lds[WORDS];
	int tid = threadIdx.x;
	for (int i = tid; i < WORDS; i += blockDim.x)
		lds[i] = -1;
	__syncthreads();
	int to = tid % 8 * pitch + tid / 8;
#pragma unroll 1
	for (int o = 0; o < outer; o++) {
		int value = tid + o;
		EVEN_START(value);
#pragma unroll
		for (int i = 0; i < INNER; i++) {
			lds[to] = value;
			asm volatile("" ::: "memory"); /* otherwise the compiler keeps only the last store */
		}
	}
	__syncthreads();
	for (int i = tid; i < WORDS; i += blockDim.x)
		out[i] = lds[i];
}
