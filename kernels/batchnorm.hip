// Batch normalization per position: out = gamma * (in - mean) / sqrt(variance + epsilon) + beta (Vega64 notes 2.14).
// Image n's position p is element n * chw + p. BATCH is a constant: arrays in registers need constant indices, so
// the kernels ignore the argument n. Blocks of 256.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef BATCH
#define BATCH 128
#endif
#define THREADS 256
#define IN_FLIGHT 8 /* loads in flight per work-item in the loops over memory */

/* Three reads: the mean, the mean of the squared deviations, the result. One work-item per position. */
extern "C" __global__ void __launch_bounds__(THREADS)
batchnorm_a(const float *in, float *out, unsigned n, unsigned chw, float gamma, float beta, float epsilon)
{
	unsigned p = blockIdx.x * THREADS + threadIdx.x;
	if (p >= chw)
		return;
	float sum = 0, squares = 0;
#pragma unroll IN_FLIGHT
	for (unsigned i = 0; i < BATCH; i++)
		sum += in[i * chw + p];
	float mean = sum / BATCH;
#pragma unroll IN_FLIGHT
	for (unsigned i = 0; i < BATCH; i++) {
		float d = in[i * chw + p] - mean;
		squares += d * d;
	}
	float scale = gamma / sqrtf(squares / BATCH + epsilon);
#pragma unroll IN_FLIGHT
	for (unsigned i = 0; i < BATCH; i++)
		out[i * chw + p] = (in[i * chw + p] - mean) * scale + beta;
}

struct moments { float mean, scale; };

/* E[v^2] - mean^2: one pass less, but loses digits by cancellation. Clamped, as rounding could make it negative. */
static __device__ __forceinline__ struct moments moments_of(float sum, float squares, float gamma, float epsilon)
{
	float mean = sum / BATCH, variance = fmaxf(squares / BATCH - mean * mean, 0.0f);
	return { mean, gamma / sqrtf(variance + epsilon) };
}

/* Two reads: both moments in one pass. */
extern "C" __global__ void __launch_bounds__(THREADS)
batchnorm_d(const float *in, float *out, unsigned n, unsigned chw, float gamma, float beta, float epsilon)
{
	unsigned p = blockIdx.x * THREADS + threadIdx.x;
	if (p >= chw)
		return;
	float sum = 0, squares = 0;
#pragma unroll IN_FLIGHT
	for (unsigned i = 0; i < BATCH; i++) {
		float v = in[i * chw + p];
		sum += v;
		squares += v * v;
	}
	struct moments m = moments_of(sum, squares, gamma, epsilon);
#pragma unroll IN_FLIGHT
	for (unsigned i = 0; i < BATCH; i++)
		out[i * chw + p] = (in[i * chw + p] - m.mean) * m.scale + beta;
}

/* One read: PARTS work-items per position keep BATCH / PARTS values each in registers and combine them in LDS. In the
 * faulty form, as in the source, only work-items from 128 on get other images: the second of four repeats the first. */
template <unsigned PARTS, bool FAULTY>
static __device__ __forceinline__ void split(const float *in, float *out, unsigned chw, float gamma, float beta, float epsilon)
{
	enum { POSITIONS = THREADS / PARTS, EACH = BATCH / PARTS };
	__shared__ float sums[THREADS], squares[THREADS];
	unsigned tid = threadIdx.x, slot = tid % POSITIONS, part = FAULTY && tid < THREADS / 2 ? 0 : tid / POSITIONS;
	unsigned p = blockIdx.x * POSITIONS + slot, first = part * EACH * chw + (p < chw ? p : chw - 1);
	float v[EACH], sum = 0, square = 0;
#pragma unroll
	for (unsigned i = 0; i < EACH; i++)
		v[i] = in[first + i * chw];
#pragma unroll
	for (unsigned i = 0; i < EACH; i++) {
		sum += v[i];
		square += v[i] * v[i];
	}
	sums[tid] = sum;
	squares[tid] = square;
	__syncthreads();
	if (tid < POSITIONS) {
#pragma unroll
		for (unsigned k = 1; k < PARTS; k++) {
			sum += sums[tid + k * POSITIONS];
			square += squares[tid + k * POSITIONS];
		}
		struct moments m = moments_of(sum, square, gamma, epsilon);
		sums[tid] = m.mean;
		squares[tid] = m.scale;
	}
	__syncthreads();
	float mean = sums[slot], scale = squares[slot];
	if (p >= chw)
		return;
#pragma unroll
	for (unsigned i = 0; i < EACH; i++)
		out[first + i * chw] = (v[i] - mean) * scale + beta;
}

/* `bound` is the compiler's maximum block size: with 1024 work-items a lane has 64 registers, and the array spills. */
#define SPLIT(name, bound, parts, faulty) \
	extern "C" __global__ void __launch_bounds__(bound) \
		name(const float *in, float *out, unsigned n, unsigned chw, float gamma, float beta, float epsilon) \
	{ \
		split<parts, faulty>(in, out, chw, gamma, beta, epsilon); \
	}

SPLIT(batchnorm_b, 256, 2, false)
SPLIT(batchnorm_c, 256, 4, false)
SPLIT(batchnorm_c_faulty, 256, 4, true)
SPLIT(batchnorm_b_1024, 1024, 2, false)
SPLIT(batchnorm_c_1024, 1024, 4, false)
SPLIT(batchnorm_c_faulty_1024, 1024, 4, true)
