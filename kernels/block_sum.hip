// Sums the elements of each block in LDS. The ways to do it differ in what orders the waves of a block; some of them
// are wrong. For the lesson on races and barriers.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

enum { AFTER_LOAD = 1, IN_LOOP = 2 }; /* places of barriers */

/* A tree: the lower half of the work-items adds the values of the upper half, again and again. */
extern "C" __global__ void __launch_bounds__(1024) block_sum(const unsigned *in, unsigned *out, unsigned barriers)
{
	__shared__ unsigned part[1024];
	unsigned t = threadIdx.x;
	part[t] = in[blockIdx.x * blockDim.x + t];
	if (barriers & AFTER_LOAD)
		__syncthreads();
	for (unsigned half = blockDim.x / 2; half; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
		if (barriers & IN_LOOP)
			__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}

/* The upper half of the work-items returns before the barriers of the loop. */
extern "C" __global__ void __launch_bounds__(1024) block_sum_early(const unsigned *in, unsigned *out, unsigned barriers)
{
	__shared__ unsigned part[1024];
	unsigned t = threadIdx.x;
	part[t] = in[blockIdx.x * blockDim.x + t];
	__syncthreads();
	if (t >= blockDim.x / 2)
		return;
	for (unsigned half = blockDim.x / 2; half; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}

/* Each work-item adds its value to one sum. */
extern "C" __global__ void __launch_bounds__(1024)
	block_sum_atomic(const unsigned *in, unsigned *out, unsigned barriers)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
	__syncthreads();
	if (threadIdx.x == 0)
		out[blockIdx.x] = sum;
}

/* The same with a read, an addition and a write instead of the atomic. */
extern "C" __global__ void __launch_bounds__(1024) block_sum_plain(const unsigned *in, unsigned *out, unsigned barriers)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	sum += in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0)
		out[blockIdx.x] = sum;
}
