// Common GPU kernels that no experiment contains, to measure the software GPU's speed.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

// C = A * B, n * n each, n a multiple of 16: one element per work-item, operands directly from memory.
extern "C" __global__ void __launch_bounds__(256) sgemm_naive(const float *a, const float *b, float *c, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}

// The same through LDS: tiles of 16 * 16 of both operands, read once per block from memory and 16 times from LDS.
extern "C" __global__ void __launch_bounds__(256) sgemm_lds(const float *a, const float *b, float *c, int n)
{
	__shared__ float sa[16][16], sb[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int k = 0; k < n; k += 16) {
		sa[ty][tx] = a[y * n + k + tx];
		sb[ty][tx] = b[(k + ty) * n + x];
		__syncthreads();
		for (int d = 0; d < 16; d++)
			sum += sa[ty][d] * sb[d][tx];
		__syncthreads();
	}
	c[y * n + x] = sum;
}

// And with registers: a block computes 64 * 64 elements from slices 16 deep, a work-item 4 * 4. n is a multiple of 64.
extern "C" __global__ void __launch_bounds__(256) sgemm_registers(const float *a, const float *b, float *c, int n)
{
	__shared__ float sa[16][64], sb[16][64];
	int t = threadIdx.x, tx = t % 16, ty = t / 16, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int k = 0; k < n; k += 16) {
		for (int j = 0; j < 4; j++) {
			sa[tx][ty + 16 * j] = a[(y + ty + 16 * j) * n + k + tx];
			sb[t / 64 + 4 * j][t % 64] = b[(k + t / 64 + 4 * j) * n + x + t % 64];
		}
		__syncthreads();
		for (int d = 0; d < 16; d++)
			for (int i = 0; i < 4; i++)
				for (int j = 0; j < 4; j++)
					sum[i][j] += sa[d][ty * 4 + i] * sb[d][tx * 4 + j];
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			c[(y + ty * 4 + i) * n + x + tx * 4 + j] = sum[i][j];
}

// Sums 256 elements per block by halving, as in every tutorial; out has one element per block.
extern "C" __global__ void __launch_bounds__(256) reduce_lds(const float *in, float *out)
{
	__shared__ float part[256];
	int t = threadIdx.x;
	part[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int half = 128; half > 0; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}
