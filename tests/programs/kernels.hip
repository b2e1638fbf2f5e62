/* Common kernels, each compared with C by test_kernels.c. Where the order of float additions matters, test_kernels.c uses the
 * same order. */
#include <hip/hip_runtime.h>

#define GLOBAL extern "C" __global__
enum { TILE = 16 };

/* --- matrix products: c = a * b, row by row, any sizes ------------------------------------------------------------------- */
GLOBAL void sgemm_naive(const float *a, const float *b, float *c, int m, int n, int k)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;

	if (row >= m || col >= n)
		return;
	for (int i = 0; i < k; i++)
		sum = fmaf(a[row * k + i], b[i * n + col], sum);
	c[row * n + col] = sum;
}

template <typename T> __device__ void gemm_tile(const T *a, const T *b, T *c, int m, int n, int k)
{
	__shared__ T as[TILE][TILE], bs[TILE][TILE + 1];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
	T sum = 0;

	for (int t = 0; t < k; t += TILE) {
		as[y][x] = row < m && t + x < k ? a[row * k + t + x] : (T)0;
		bs[y][x] = col < n && t + y < k ? b[(t + y) * n + col] : (T)0;
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum = __builtin_fma(as[y][i], bs[i][x], sum);
		__syncthreads();
	}
	if (row < m && col < n)
		c[row * n + col] = sum;
}

GLOBAL void dgemm_tile(const double *a, const double *b, double *c, int m, int n, int k)
{
	gemm_tile<double>(a, b, c, m, n, k);
}

GLOBAL void sgemm_tile(const float *a, const float *b, float *c, int m, int n, int k)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
	float sum = 0;

	for (int t = 0; t < k; t += TILE) {
		as[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
		bs[y][x] = col < n && t + y < k ? b[(t + y) * n + col] : 0;
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum = fmaf(as[y][i], bs[i][x], sum);
		__syncthreads();
	}
	if (row < m && col < n)
		c[row * n + col] = sum;
}

/* 4 x 4 results in the registers of each item, vector loads; sizes are multiples of 64 (k: of 8). */
GLOBAL void sgemm_registers(const float *a, const float *b, float *c, int m, int n, int k)
{
	__shared__ float as[8][64], bs[8][64];
	int x = threadIdx.x % 16, y = threadIdx.x / 16, col = blockIdx.x * 64, row = blockIdx.y * 64;
	float sum[4][4] = {};

	for (int t = 0; t < k; t += 8) {
		for (int e = threadIdx.x; e < 512; e += 256) {
			as[e % 8][e / 8] = a[(row + e / 8) * k + t + e % 8];
			bs[e / 64][e % 64] = b[(t + e / 64) * n + col + e % 64];
		}
		__syncthreads();
		for (int i = 0; i < 8; i++) {
			float4 u = *(float4 *)&as[i][y * 4], v = *(float4 *)&bs[i][x * 4];
			float left[4] = { u.x, u.y, u.z, u.w }, right[4] = { v.x, v.y, v.z, v.w };
			for (int r = 0; r < 4; r++)
				for (int s = 0; s < 4; s++)
					sum[r][s] = fmaf(left[r], right[s], sum[r][s]);
		}
		__syncthreads();
	}
	for (int r = 0; r < 4; r++)
		*(float4 *)&c[(row + y * 4 + r) * n + col + x * 4] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}

/* Pairs of halves, for packed arithmetic. Sums of integers: exact. */
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
GLOBAL void hgemm_packed(const half2 *a, const half2 *b, half2 *c, int m, int n, int k)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	half2 sum = 0;

	if (row >= m || col >= n / 2)
		return;
	for (int i = 0; i < k; i++) {
		half2 pair = a[(row * k + i) / 2], left = (i + row * k) & 1 ? pair.yy : pair.xx;
		sum = __builtin_elementwise_max(left * b[(i * n) / 2 + col] + sum, (half2)(_Float16)-60000);
	}
	c[row * (n / 2) + col] = sum;
}

/* --- reductions and scans ------------------------------------------------------------------------------------------------ */
GLOBAL void reduce_tree(const int *in, int *out, int n)
{
	__shared__ int tree[256];
	int t = threadIdx.x, sum = 0;

	for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
		sum += in[i];
	tree[t] = sum;
	__syncthreads();
	for (int k = 128; k; k >>= 1) {
		if (t < k)
			tree[t] += tree[t + k];
		__syncthreads();
	}
	if (!t)
		out[blockIdx.x] = tree[0];
}

/* The lanes that a shuffle reaches: on gfx11 a half of a wave of 64 (RDNA3 ISA 12.5.2). */
#ifdef __gfx1100__
#define REACH 32
#else
#define REACH warpSize
#endif

GLOBAL void reduce_shuffle(const int *in, int *out, int n)
{
	__shared__ int part[256 / REACH];
	int t = threadIdx.x, sum = 0, total = 0;

	for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
		sum += in[i];
	for (int k = REACH / 2; k; k >>= 1)
		sum += __shfl_down(sum, k);
	if (t % REACH == 0)
		part[t / REACH] = sum;
	__syncthreads();
	for (int wave = 0; wave < 256 / REACH; wave++)
		total += part[wave];
	if (!t)
		out[blockIdx.x] = total;
}

/* The workgroup that finishes last adds up all partial sums. */
__device__ unsigned finished;
GLOBAL void reduce_last(const int *in, int *part, int *out, int n)
{
	__shared__ bool last;
	__shared__ int sum;
	int t = threadIdx.x;

	if (!t)
		sum = 0;
	__syncthreads();
	for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
		atomicAdd(&sum, in[i]);
	__syncthreads();
	if (!t) {
		part[blockIdx.x] = sum;
		__threadfence();
		last = atomicAdd(&finished, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && !t) {
		int all = 0;
		for (unsigned g = 0; g < gridDim.x; g++)
			all += ((volatile int *)part)[g];
		*out = all;
		finished = 0;
	}
}

/* Prefix sums of 256 numbers: by doubling (Hillis and Steele, inclusive), and by a tree (Blelloch, exclusive). */
GLOBAL void scan_doubling(const int *in, int *out)
{
	__shared__ int row[2][256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, from = 0;

	row[0][t] = in[i];
	__syncthreads();
	for (int k = 1; k < 256; k <<= 1, from ^= 1) {
		row[from ^ 1][t] = t >= k ? row[from][t] + row[from][t - k] : row[from][t];
		__syncthreads();
	}
	out[i] = row[from][t];
}

GLOBAL void scan_tree(const int *in, int *out)
{
	extern __shared__ int tree[]; /* dynamic LDS: 512 numbers */
	int t = threadIdx.x, first = blockIdx.x * 512, stride = 1;

	tree[2 * t] = in[first + 2 * t];
	tree[2 * t + 1] = in[first + 2 * t + 1];
	for (int k = 256; k; k >>= 1, stride *= 2) {
		__syncthreads();
		if (t < k)
			tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
	}
	if (!t)
		tree[511] = 0;
	for (int k = 1; k < 512; k *= 2) {
		stride >>= 1;
		__syncthreads();
		if (t < k) {
			int left = tree[stride * (2 * t + 1) - 1];
			tree[stride * (2 * t + 1) - 1] = tree[stride * (2 * t + 2) - 1];
			tree[stride * (2 * t + 2) - 1] += left;
		}
	}
	__syncthreads();
	out[first + 2 * t] = tree[2 * t];
	out[first + 2 * t + 1] = tree[2 * t + 1];
}

/* --- data movement -------------------------------------------------------------------------------------------------------- */
GLOBAL void transpose_naive(const int *in, int *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < w && y < h)
		out[x * h + y] = in[y * w + x];
}

GLOBAL void transpose_tile(const int *in, int *out, int w, int h)
{
	__shared__ int tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

	for (int k = 0; k < 32; k += 8)
		if (x < w && y + k < h)
			tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * w + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		if (x < h && y + k < w)
			out[(y + k) * h + x] = tile[threadIdx.x][threadIdx.y + k];
}

GLOBAL void sort_bitonic(unsigned *data)
{
	__shared__ unsigned s[512];
	unsigned t = threadIdx.x, first = blockIdx.x * 512;

	s[t] = data[first + t];
	s[t + 256] = data[first + t + 256];
	for (unsigned size = 2; size <= 512; size *= 2)
		for (unsigned stride = size / 2; stride; stride /= 2) {
			__syncthreads();
			unsigned low = 2 * stride * (t / stride) + t % stride, high = low + stride;
			bool up = !(low & size);
			if ((s[low] > s[high]) == up) {
				unsigned v = s[low];
				s[low] = s[high];
				s[high] = v;
			}
		}
	__syncthreads();
	data[first + t] = s[t];
	data[first + t + 256] = s[t + 256];
}

GLOBAL void histogram(const unsigned char *in, unsigned *bins, int n)
{
	__shared__ unsigned mine[256];
	int t = threadIdx.x;

	mine[t] = 0;
	__syncthreads();
	for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
		atomicAdd(&mine[in[i]], 1);
	__syncthreads();
	atomicAdd(&bins[t], mine[t]);
}

/* --- control and memory ---------------------------------------------------------------------------------------------------- */
GLOBAL void mandelbrot(unsigned char *out, int w, int h, int limit)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
	float cr = (float)x * 3.0f / (float)w - 2.0f, ci = (float)y * 2.0f / (float)h - 1.0f, r = 0, i = 0;

	if (x >= w || y >= h)
		return;
	for (; k < limit && r * r + i * i <= 4.0f; k++) {
		float t = r * r - i * i + cr;
		i = 2.0f * r * i + ci;
		r = t;
	}
	out[y * w + x] = (unsigned char)k;
}

__constant__ int weights[9] = { 1, 2, 1, 2, 4, 2, 1, 2, 1 };
GLOBAL void blur(const unsigned char *in, unsigned short *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;

	if (x >= w || y >= h)
		return;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			int u = min(max(x + dx, 0), w - 1), v = min(max(y + dy, 0), h - 1);
			sum += weights[(dy + 1) * 3 + dx + 1] * in[v * w + u];
		}
	out[y * w + x] = (unsigned short)sum;
}

/* One lane of each workgroup takes a lock and updates a value non-atomically. */
GLOBAL void locked(unsigned *lock, unsigned long long *value)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u))
			;
		__threadfence();
		unsigned long long v = *(volatile unsigned long long *)value;
		*(volatile unsigned long long *)value = v * 3 + 1;
		__threadfence();
		atomicExch(lock, 0u);
	}
}

/* Pointers to LDS in some lanes, to scratch in others and to memory in the rest. */
GLOBAL void generic(const int *in, int *out)
{
	__shared__ int shared[256];
	int own[4] = { 11, 22, 33, 44 }, t = threadIdx.x, i = blockIdx.x * 256 + t;
	int *space[3] = { &shared[t], &own[t & 3], &out[i] };

	shared[t] = 7 * t;
	out[i] = in[i];
	int *p = space[in[i] % 3];
	__syncthreads();
	*p += 1000;
	atomicAdd(p, 5);
	int sum = shared[t] + own[t & 3] + out[i];
	__syncthreads();
	out[i] = sum + (p == &shared[t] ? 1 : 0);
}
