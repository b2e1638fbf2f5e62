// LIVE independent chains s[k] = a * s[k] + b a work-item, `trips` steps of each, for blocks of THREADS: all of the sums are needed to the end, so that
// they live in vector registers as long as there are any, and in scratch beyond. S0 2.3. `live` is LIVE, for the reference.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef LIVE
#define LIVE 16
#endif
#ifndef THREADS
#define THREADS 256
#endif

// The chains start apart, or the compiler would keep one for all.
extern "C" __global__ void __launch_bounds__(THREADS) vgpr_pressure(float *out, const float *start, float a, float b, int trips, int live)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float s[LIVE], sum = 0.0f;
#pragma unroll
	for (int k = 0; k < LIVE; k++)
		s[k] = start[k] * (float)gid;
#pragma clang loop unroll(disable)
	for (int t = 0; t < trips; t++) {
#pragma unroll
		for (int k = 0; k < LIVE; k++)
			s[k] = __builtin_fmaf(a, s[k], b);
	}
#pragma unroll
	for (int k = 0; k < LIVE; k++)
		sum += s[k];
	out[gid] = sum;
}
