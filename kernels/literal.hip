// `length` dependent x * 1.1 + 0.5 per work-item (chain.inc). With SUFFIX the literals and the arithmetic are f32,
// without it f64 (CUDA lecture notes, instruction throughput).
//   UNROLL   operations per loop iteration, a divisor of `length`
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/chain.inc"
#ifndef UNROLL
#define UNROLL 32
#endif

extern "C" __global__ void double_literal(float *out, unsigned mask, unsigned length)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float x = (float)gid, v = x;
#pragma unroll 1
	for (unsigned i = 0; i < length; i += UNROLL) {
#pragma unroll
		for (int u = 0; u < UNROLL; u++) {
			v = after(x, v, mask);
#ifdef SUFFIX
			v = v * 1.1f + 0.5f;
#else
			v = v * 1.1 + 0.5;
#endif
		}
	}
	out[gid] = v;
}
