// A chain of `length` dependent multiply-adds a work-item, a multiple of UNROLL. S0 2.2.
//   UNROLL   multiply-adds a trip
//   OFFSET   bytes (a multiple of 4) by which the loop start is moved
// The result goes to a buffer of its own for every thread: nothing depends on a guard the compiler might decide.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef UNROLL
#define UNROLL 40
#endif
#ifndef OFFSET
#define OFFSET 0
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

extern "C" __global__ void fma_chain(float *out, int length)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	float x = (float)gid, y = (float)threadIdx.y;
	float a = x / (x + 1.0f), b = (y + 1.0f) / (y + 1.0e8f);
	float s = 0.0f;

#if OFFSET && defined(__AMDGCN__)
	asm volatile(".rept " TEXT(OFFSET) " / 4\n\ts_nop 0\n\t.endr");
#endif
#pragma clang loop unroll(disable)
	for (int left = length; left > 0; left -= UNROLL) {
#pragma unroll
		for (int u = 0; u < UNROLL; u++)
			s = __builtin_fmaf(a, s, b);
	}
	out[gid] = s;
}
