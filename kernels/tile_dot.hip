// Only the inner loop of a tiled matrix product, repeated on the same tiles (CUDA lecture notes, loop unrolling).
//   UNROLL   steps per loop iteration
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
#pragma unroll 1
	for (int r = 0; r < repeats; r++) {
#pragma unroll UNROLL
		for (int k = 0; k < TILE; k++)
			sum = __builtin_fmaf(ta[y][k], tb[k][x], sum);
		asm volatile("" ::: "memory"); /* otherwise the tiles would be read only once */
	}
	out[at] = sum;
}
