// C = alpha * A * B + beta * C, row-major, n x n, a patch of results per work-item: RDNA3 SGEMM 3 to 5, variants.
//
// A block computes BM x BN of C in groups of 32 lanes (a wave of RDNA, half a wave of GCN): a lane has equal work.
// A group is 8 x 4 lanes. A lane owns 4 x 4 results, RM times down and RN times across: 4 RM rows and 4 RN columns.
// n is a multiple of BM, BN and BK.
//   SCALAR_BASE   global loads use a scalar base and a lane offset instead of a 64-bit address per lane
//   SPREAD        issue the next tiles' loads between the steps of the current ones (UNROLL = BK), not all at the start
//   PRIORITY      raise the wave's priority while it multiplies
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef SCALAR_BASE
#define SCALAR_BASE 0
#endif
#ifndef SPREAD
#define SPREAD 0
#endif
#ifndef PRIORITY
#define PRIORITY 0
#endif
/* On RDNA3, to be compared with the source's times: multiply 4 x 4 patch by 4 x 4 patch as there, unroll kernel 3 as its
 * compiler does. On GCN these take 3 % more cycles. */
#ifdef __GFX11__
enum { BY_PATCH = 1 };
#define NO_PREFETCH_UNROLL(steps) (steps)
#else
enum { BY_PATCH = 0 };
#define NO_PREFETCH_UNROLL(steps) 1
#endif

/* PAD: padding words per row of A's transposed tile. PREFETCH: load the next tiles into registers before computing.
 * BUFFERS: 2 alternates between two tiles in LDS and saves a barrier. UNROLL: of the loop over a tile's BK steps. */
template <int BM, int BN, int BK, int RM, int RN, int PAD, int PREFETCH, int BUFFERS, int UNROLL> struct patch {
	enum {
		ACROSS = BN / (32 * RN), DOWN = BM / (16 * RM), THREADS = 32 * ACROSS * DOWN, PITCH = BM + PAD,
		LOADS_A = BM * BK / THREADS, LOADS_B = BN * BK / THREADS, TM = 4 * RM, TN = 4 * RN,
	};
	static_assert(ACROSS > 0 && DOWN > 0 && THREADS <= 1024, "the block's tile does not hold whole groups of lanes");
	static_assert(THREADS % BK == 0 && THREADS % BN == 0, "the block does not load whole columns and rows");
	static_assert(LOADS_A * THREADS == BM * BK && LOADS_B * THREADS == BN * BK && LOADS_A && LOADS_B, "more threads than there is to load");

	struct alignas(16) tiles { float a[BUFFERS][BK * PITCH], b[BUFFERS][BK * BN]; };
	struct next { float a[LOADS_A], b[LOADS_B]; };

	/* Element `base` + `lane` of a matrix; `base` is uniform. */
	static inline __device__ float element(const float *m, int base, unsigned lane)
	{
		return SCALAR_BASE ? *(const float *)((const char *)(m + base) + lane * 4) : m[base + (int)lane];
	}

	/* The work-item's element j, from the first column of A's rows or first row of B's columns. */
	static inline __device__ float left(const float *a, int n, int j)
	{
		return element(a, j * (THREADS / BK) * n, threadIdx.x / BK * n + threadIdx.x % BK);
	}

	static inline __device__ float right(const float *b, int n, int j)
	{
		return element(b, j * (THREADS / BN) * n, threadIdx.x / BN * n + threadIdx.x % BN);
	}

	/* Loads part `part` of `parts` of the elements. */
	static inline __device__ void load(next *to, const float *a, const float *b, int n, int part, int parts)
	{
#pragma unroll
		for (int j = part * LOADS_A / parts; j < (part + 1) * LOADS_A / parts; j++)
			to->a[j] = left(a, n, j);
#pragma unroll
		for (int j = part * LOADS_B / parts; j < (part + 1) * LOADS_B / parts; j++)
			to->b[j] = right(b, n, j);
	}

	static inline __device__ void store(float *a, float *b, const next *from)
	{
#pragma unroll
		for (int j = 0; j < LOADS_A; j++) {
			int e = threadIdx.x + j * THREADS;
			a[e % BK * PITCH + e / BK] = from->a[j];
		}
#pragma unroll
		for (int j = 0; j < LOADS_B; j++)
			b[threadIdx.x + j * THREADS] = from->b[j];
	}

	/* Multiplies two tiles, from the lane's row and column; with SPREAD also loads the next tiles. */
	static inline __device__ void compute(float sum[TM][TN], const float *a, const float *b, next *ahead, const float *next_a, const float *next_b, int n)
	{
#if defined(__gfx900__) || defined(__gfx906__) || defined(__gfx908__)
		/* Aligns the loop's 8-byte multiply-adds so that none crosses a 32-byte fetch window, which would stall
		 * a lone wave. Before them come two 4-byte additions if both tiles have the same pitch, else one. */
		if (PITCH != BN)
			asm volatile(".p2align 5\n\ts_nop 0");
		else
			asm volatile(".p2align 5");
#endif
#pragma unroll UNROLL
		for (int k = 0; k < BK; k++) {
			float column[TM], row[TN];
			if (SPREAD)
				load(ahead, next_a, next_b, n, k, BK);
#pragma unroll
			for (int i = 0; i < TM; i++)
				column[i] = a[k * PITCH + i / 4 * 16 + i % 4];
#pragma unroll
			for (int j = 0; j < TN; j++)
				row[j] = b[k * BN + j / 4 * 32 + j % 4];
#pragma unroll
			for (int e = 0; e < TM * TN; e++) {
				int i = BY_PATCH ? e / (4 * TN) * 4 + e / 4 % 4 : e / TN;
				int j = BY_PATCH ? e / 16 % RN * 4 + e % 4 : e % TN;
				sum[i][j] = __builtin_fmaf(column[i], row[j], sum[i][j]);
			}
		}
	}

	static inline __device__ void run(tiles *lds, const float *a, const float *b, float *c, int n, float alpha, float beta)
	{
		int group = threadIdx.x / 32, lane = threadIdx.x % 32;
		int row = group / ACROSS * 16 * RM + lane / 8 * 4, col = group % ACROSS * 32 * RN + lane % 8 * 4, at = 0;
		float sum[TM][TN] = {};
		next ahead;
		a += (size_t)blockIdx.y * BM * n;
		b += blockIdx.x * BN;
		c += (size_t)blockIdx.y * BM * n + blockIdx.x * BN;
		if (PREFETCH) {
			load(&ahead, a, b, n, 0, 1);
			store(lds->a[0], lds->b[0], &ahead);
			__syncthreads();
		}
#pragma unroll 1
		for (int k0 = 0; k0 < n; k0 += BK) {
			bool last = k0 + BK == n;
			int k1 = last ? k0 : k0 + BK; /* with SPREAD, the last iteration loads the last tiles again */
			if (!PREFETCH) {
				load(&ahead, a + k0, b + (size_t)k0 * n, n, 0, 1);
				store(lds->a[0], lds->b[0], &ahead);
				__syncthreads();
			} else if (!SPREAD && !last) {
				load(&ahead, a + k1, b + (size_t)k1 * n, n, 0, 1);
			}
			if (PRIORITY)
				__builtin_amdgcn_s_setprio(1);
			compute(sum, lds->a[at] + row, lds->b[at] + col, &ahead, a + k1, b + (size_t)k1 * n, n);
			if (PRIORITY)
				__builtin_amdgcn_s_setprio(0);
			if (BUFFERS == 1)
				__syncthreads();
			if (PREFETCH && !last) {
				at = BUFFERS == 2 ? at ^ 1 : 0;
				store(lds->a[at], lds->b[at], &ahead);
				__syncthreads();
			}
		}
#pragma unroll
		for (int i = 0; i < TM; i++)
#pragma unroll
			for (int j = 0; j < TN; j++) {
				float *to = c + (size_t)(row + i / 4 * 16 + i % 4) * n + col + j / 4 * 32 + j % 4;
				*to = alpha * sum[i][j] + beta * *to;
			}
	}
};

#define ARGUMENTS const float *a, const float *b, float *c, int n, float alpha, float beta
/* For gfx1100, clang 15 uses at most 128 registers, so that kernel 5 spills; clang 17 uses 214, the published one 208. */
#define PATCH(name, bounds, kernel) \
	extern "C" __global__ bounds void name(ARGUMENTS) \
	{ \
		__shared__ kernel::tiles lds; \
		kernel::run(&lds, a, b, c, n, alpha, beta); \
	}

#ifdef SHAPED
/* A variant defined by an experiment's parameters; the defaults are those of kernel 5. */
#ifndef BLOCK_TILE
#define BLOCK_TILE 128
#endif
#ifndef K_STEP
#define K_STEP 8
#endif
#ifndef DOWN_TIMES
#define DOWN_TIMES 2
#endif
#ifndef ACROSS_TIMES
#define ACROSS_TIMES 4
#endif
#ifndef PAD_WORDS
#define PAD_WORDS 4
#endif
#ifndef AHEAD
#define AHEAD 1
#endif
#ifndef UNROLLED
#define UNROLLED (AHEAD ? 1 : NO_PREFETCH_UNROLL(K_STEP))
#endif
typedef patch<BLOCK_TILE, BLOCK_TILE, K_STEP, DOWN_TIMES, ACROSS_TIMES, PAD_WORDS, AHEAD, 1, UNROLLED> shaped;
#ifdef UNBOUNDED
PATCH(sgemm_patch, , shaped)
#else
PATCH(sgemm_patch, __launch_bounds__(shaped::THREADS), shaped)
#endif
#else
/* The published kernels. Without bounds the compiler assumes 1024 work-items, which leaves 64 registers to each. */
typedef patch<128, 128, 8, 2, 2, 0, 0, 1, NO_PREFETCH_UNROLL(8)> k3;
typedef patch<128, 128, 8, 2, 2, 0, 1, 1, 1> k4;
typedef patch<128, 128, 8, 2, 4, 4, 1, 1, 1> k5;
typedef patch<128, 128, 8, 2, 4, 4, 1, 2, 1> k5_double;
PATCH(sgemm_k3, __launch_bounds__(k3::THREADS), k3)
PATCH(sgemm_k4, __launch_bounds__(k4::THREADS), k4)
PATCH(sgemm_k4_unbounded, , k4)
PATCH(sgemm_k5, __launch_bounds__(k5::THREADS), k5)
PATCH(sgemm_k5_double, __launch_bounds__(k5_double::THREADS), k5_double)
#endif
