// C = alpha * A * B + beta * C, row-major, n x n, one result per work-item: RDNA3 SGEMM 1 and 2, CUDA lecture notes.
//   TILE       edge of the tiles in LDS and of the block
//   BOUNDS     n need not be a multiple of the tile: elements outside are read as 0
//   PREFETCH   load the next tiles into registers before computing with the current ones
//   UNROLL     unroll factor of the loop over a tile
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef TILE
#define TILE 32
#endif
#ifndef BOUNDS
#define BOUNDS 0
#endif
#ifndef PREFETCH
#define PREFETCH 0
#endif
#ifndef UNROLL
#define UNROLL TILE
#endif

extern "C" __global__ void sgemm_naive(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= n || col >= n)
		return;
	float sum = 0.0f;
#ifdef __GFX11__ /* as in the source, to be compared with its time */
	for (int k = 0; k < n; k++)
		sum = __builtin_fmaf(a[row * n + k], b[k * n + col], sum);
#else
	const float *left = a + row * n, *right = b + col;
	for (int k = 0; k < n; k++, left++, right += n)
		sum = __builtin_fmaf(*left, *right, sum);
#endif
	c[row * n + col] = alpha * sum + beta * c[row * n + col];
}

static inline __device__ float element(const float *m, int row, int col, int n)
{
	return BOUNDS && (row >= n || col >= n) ? 0.0f : m[row * n + col];
}

extern "C" __global__ __launch_bounds__(TILE * TILE) void sgemm_tile(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
	__shared__ float ta[TILE][TILE], tb[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
	float sum = 0.0f, next_a = 0.0f, next_b = 0.0f;
	if (PREFETCH) {
		next_a = element(a, row, x, n);
		next_b = element(b, y, col, n);
	}
	for (int k0 = 0; k0 < n; k0 += TILE) {
		ta[y][x] = PREFETCH ? next_a : element(a, row, k0 + x, n);
		tb[y][x] = PREFETCH ? next_b : element(b, k0 + y, col, n);
		__syncthreads();
		if (PREFETCH && k0 + TILE < n) {
			next_a = element(a, row, k0 + TILE + x, n);
			next_b = element(b, k0 + TILE + y, col, n);
		}
#pragma unroll UNROLL
		for (int k = 0; k < TILE; k++)
			sum = __builtin_fmaf(ta[y][k], tb[k][x], sum);
		__syncthreads();
	}
	if (!BOUNDS || (row < n && col < n))
		c[row * n + col] = alpha * sum + beta * c[row * n + col];
}
