// The BabelStream loops (Instruction roofline): copy c = a, mul b = s c, add c = a + b, triad a = b + s c, dot.
// A block processes blockDim.x * ITEMS elements, ITEMS per work-item and blockDim.x apart, so accesses are coalesced.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

enum { BLOCK_MAX = 1024 };

/* Explicit fma, so that every compiler rounds equally. */
static __device__ __forceinline__ float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static __device__ __forceinline__ double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

/* For every element of the work-item. The arrays do not overlap, so all loads may be issued before the first store. */
#define EACH(statement) \
	unsigned first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x; \
	_Pragma("unroll") for (int k = 0; k < ITEMS; k++) { unsigned i = first + k * blockDim.x; statement; }

template <typename T, int ITEMS> static __device__ __forceinline__ void dot(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ sums)
{
	__shared__ T part[BLOCK_MAX];
	T sum = 0;
	EACH(sum = fused(a[i], b[i], sum))
	part[threadIdx.x] = sum;
	for (unsigned half = blockDim.x / 2; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
	}
	if (!threadIdx.x)
		sums[blockIdx.x] = part[0];
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
#define TYPES(N) LOOPS(f32, float, N) LOOPS(f64, double, N)
TYPES(1)
TYPES(2)
TYPES(4)
TYPES(8)
