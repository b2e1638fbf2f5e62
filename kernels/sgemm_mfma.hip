// C = alpha * A * B + beta * C, row-major, n x n, on the matrix cores.
//
// A block of four waves computes 128 x 128 of C, 16 steps of k at a time; a wave computes 64 x 64 of them, in four products of
// 32 x 32. LDS: A's tile transposed and B's tile, so that the lanes read neighbors. n is a multiple of 128.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#if defined(__gfx908__) || defined(__gfx90a__)
#define MATRIX_CORES // others have no such instruction
#endif

enum { TILE = 128, STEPS = 16, THREADS = 256, PITCH = TILE + 4, LOADS = TILE * STEPS / 4 / THREADS };

typedef float patch __attribute__((ext_vector_type(16)));

struct tiles { float a[STEPS][PITCH], b[STEPS][PITCH]; };

// What a thread brings of the next tiles: four words at a time of a row of each.
struct words { float4 a[LOADS], b[LOADS]; };

static inline __device__ void load_words(words &w, const float *a, const float *b, int n, int k)
{
	int t = threadIdx.x;
#pragma unroll
	for (int i = 0; i < LOADS; i++) {
		w.a[i] = *(const float4 *)(a + (size_t)(blockIdx.y * TILE + t / 4 + 64 * i) * n + k + t % 4 * 4);
		w.b[i] = *(const float4 *)(b + (size_t)(k + t / 32 + 8 * i) * n + blockIdx.x * TILE + t % 32 * 4);
	}
}

static inline __device__ void store_words(tiles &s, const words &w)
{
	int t = threadIdx.x;
#pragma unroll
	for (int i = 0; i < LOADS; i++) {
		int row = t / 4 + 64 * i, k = t % 4 * 4;
		s.a[k][row] = w.a[i].x;
		s.a[k + 1][row] = w.a[i].y;
		s.a[k + 2][row] = w.a[i].z;
		s.a[k + 3][row] = w.a[i].w;
		*(float4 *)&s.b[t / 32 + 8 * i][t % 32 * 4] = w.b[i];
	}
}

#ifdef MATRIX_CORES
// The two factors of a product have two steps of k: the first is in the lower lanes, the second in the upper ones.
static inline __device__ void multiply_tiles(patch (&c)[2][2], const tiles &s, int row, int col)
{
	int lane = threadIdx.x % 32, half = threadIdx.x / 32 % 2;
#pragma unroll
	for (int k = 0; k < STEPS; k += 2)
#pragma unroll
		for (int i = 0; i < 2; i++)
#pragma unroll
			for (int j = 0; j < 2; j++)
				c[i][j] = __builtin_amdgcn_mfma_f32_32x32x2f32(s.a[k + half][row + 32 * i + lane],
					s.b[k + half][col + 32 * j + lane], c[i][j], 0, 0, 0);
}

// A lane has four rows of a column, then those eight rows further down.
static inline __device__ void store_patch(float *c, const patch &p, int n, float alpha, float beta)
{
	int lane = threadIdx.x % 32, half = threadIdx.x / 32 % 2;
#pragma unroll
	for (int r = 0; r < 16; r++) {
		float *to = c + (size_t)(r / 4 * 8 + half * 4 + r % 4) * n + lane;
		*to = alpha * p[r] + beta * *to;
	}
}
#endif

extern "C" __global__ __launch_bounds__(THREADS) void sgemm_mfma(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
#ifdef MATRIX_CORES
	__shared__ tiles s;
	int wave = threadIdx.x / 64, row = wave / 2 * 64, col = wave % 2 * 64;
	patch sums[2][2] = {};
	words next;
	load_words(next, a, b, n, 0);
	for (int k = 0; k < n; k += STEPS) {
		store_words(s, next);
		__syncthreads();
		if (k + STEPS < n)
			load_words(next, a, b, n, k + STEPS);
		multiply_tiles(sums, s, row, col);
		__syncthreads();
	}
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			store_patch(c + (size_t)(blockIdx.y * TILE + row + 32 * i) * n + blockIdx.x * TILE + col + 32 * j, sums[i][j], n, alpha, beta);
#endif
}
