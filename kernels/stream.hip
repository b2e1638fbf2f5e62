// The BabelStream loops (Instruction roofline): copy c = a, mul b = s c, add c = a + b, triad a = b + s c, dot; and reads of a
// (clpeak). A block processes blockDim.x * ITEMS elements, ITEMS per work-item and blockDim.x apart, so accesses are
// coalesced. With `grid` in its name, a loop has the elements of a work-item a whole grid apart.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/vectors.inc"

enum { BLOCK_MAX = 1024 };

/* Explicit fma, so that every compiler rounds equally. */
static __device__ __forceinline__ float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static __device__ __forceinline__ double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

/* For every element of the work-item. The arrays do not overlap, so all loads may be issued before the first store. */
#define EACH(statement) \
	unsigned first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x; \
	_Pragma("unroll") for (int k = 0; k < ITEMS; k++) { unsigned i = first + k * blockDim.x; statement; }

template <typename T> static __device__ __forceinline__ void add_block(T *part, T *__restrict__ sums)
{
	for (unsigned half = blockDim.x / 2; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
	}
	if (!threadIdx.x)
		sums[blockIdx.x] = part[0];
}

template <typename T, int ITEMS> static __device__ __forceinline__ void dot(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ sums)
{
	__shared__ T part[BLOCK_MAX];
	T sum = 0;
	EACH(sum = fused(a[i], b[i], sum))
	part[threadIdx.x] = sum;
	add_block(part, sums);
}

template <typename T> static __device__ __forceinline__ void dot_grid(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ sums, unsigned items)
{
	__shared__ T part[BLOCK_MAX];
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	part[threadIdx.x] = 0;
	for (unsigned k = 0; k < items; k++, i += threads)
		part[threadIdx.x] = fused(a[i], b[i], part[threadIdx.x]);
	add_block(part, sums);
}

typedef vector<float, 2> float2s;
typedef vector<float, 4> float4s;

static __device__ __forceinline__ float components(float v) { return v; }
static __device__ __forceinline__ double components(double v) { return v; }
static __device__ __forceinline__ float components(float2s v) { return v.x + v.y; }
static __device__ __forceinline__ float components(float4s v) { return v.x + v.y + v.z + v.w; }

/* Each work-item stores the sum of its elements. */
template <typename T, int ITEMS, typename S> static __device__ __forceinline__ void read(const T *__restrict__ a, S *__restrict__ sums, unsigned first, unsigned step)
{
	T sum = 0;
#pragma unroll
	for (int k = 0; k < ITEMS; k++)
		sum += a[first + k * step];
	sums[blockIdx.x * blockDim.x + threadIdx.x] = components(sum);
}

/* `items` is for the C reference; the kernel's name already implies it. */
#define LOOP(name, T, N, statement) \
	extern "C" __global__ void stream_##name(T *__restrict__ a, T *__restrict__ b, T *__restrict__ c, T *__restrict__ sums, float s, unsigned items) \
	{ \
		constexpr int ITEMS = N; \
		EACH(statement) \
	}
#define LOOPS(type, T, N) \
	LOOP(copy_##type##_##N, T, N, c[i] = a[i]) \
	LOOP(mul_##type##_##N, T, N, b[i] = (T)s * c[i]) \
	LOOP(add_##type##_##N, T, N, c[i] = a[i] + b[i]) \
	LOOP(triad_##type##_##N, T, N, a[i] = fused((T)s, c[i], b[i])) \
	extern "C" __global__ void stream_dot_##type##_##N(T *__restrict__ a, T *__restrict__ b, T *__restrict__, T *__restrict__ sums, float, unsigned) \
	{ \
		dot<T, N>(a, b, sums); \
	}
#define READ(type, T, S, N) \
	extern "C" __global__ void stream_read_##type##_##N(T *__restrict__ a, void *, void *, S *__restrict__ sums, float, unsigned) \
	{ \
		read<T, N>(a, sums, blockIdx.x * blockDim.x * N + threadIdx.x, blockDim.x); \
	} \
	extern "C" __global__ void stream_read_grid_##type##_##N(T *__restrict__ a, void *, void *, S *__restrict__ sums, float, unsigned) \
	{ \
		read<T, N>(a, sums, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x); \
	}
#define DOT_GRID(type, T) \
	extern "C" __global__ void stream_dot_grid_##type(T *__restrict__ a, T *__restrict__ b, void *, T *__restrict__ sums, float, unsigned items) \
	{ \
		dot_grid(a, b, sums, items); \
	}
#define READS(N) READ(f32, float, float, N) READ(f64, double, double, N) READ(f32x2, float2s, float, N) READ(f32x4, float4s, float, N)
#define TYPES(N) LOOPS(f32, float, N) LOOPS(f64, double, N) READS(N)
TYPES(1)
TYPES(2)
TYPES(4)
TYPES(8)
TYPES(16)
DOT_GRID(f32, float)
DOT_GRID(f64, double)
