// LIVE independent chains s[k] = a * s[k] + b per work-item, `trips` steps each, in blocks of THREADS. All sums are
// live until the end: in vector registers, and beyond these in scratch (Vega64 notes 2.3). `live` is for the reference.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef LIVE
#define LIVE 16
#endif
#ifndef THREADS
#define THREADS 256
#endif

// The chains have different start values; otherwise the compiler would merge them.
extern "C" __global__ void __launch_bounds__(THREADS) vgpr_pressure(float *out, const float *start, float a, float b, int trips, int live)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float s[LIVE], sum = 0.0f;
#pragma unroll
	for (int k = 0; k < LIVE; k++)
		s[k] = start[k] * (float)gid;
#pragma unroll 1
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
