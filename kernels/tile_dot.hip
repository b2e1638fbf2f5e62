// The inner loop of a tiled product of matrices alone, again and again over the same tiles. S4, loop unrolling.
//   UNROLL   steps a trip
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#define TILE 16

extern "C" __global__ __launch_bounds__(TILE * TILE) void tile_dot(const float *a, const float *b, float *out, int repeats)
{
	__shared__ float ta[TILE][TILE], tb[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * TILE * TILE + y * TILE + x;
	float sum = 0.0f;
	ta[y][x] = a[at];
	tb[y][x] = b[at];
	__syncthreads();
#pragma clang loop unroll(disable)
	for (int r = 0; r < repeats; r++) {
#pragma unroll UNROLL
		for (int k = 0; k < TILE; k++)
			sum = __builtin_fmaf(ta[y][k], tb[k][x], sum);
		asm volatile("" ::: "memory"); /* or the tiles would be read once for all repeats */
	}
	out[at] = sum;
}
