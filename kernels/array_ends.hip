// Kernels that go past the end of an array, in global memory and in LDS. For the lesson on bounds.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* Doubles n elements. `limit` is n where the guard is right. */
extern "C" __global__ void array_end(const unsigned *in, unsigned *out, unsigned n, unsigned limit)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < limit)
		out[i] = 2 * in[i];
}

/* Adds neighbors. The last thread of a block needs one element more than the block has threads. */
extern "C" __global__ void lds_end(const unsigned *in, unsigned *out, unsigned halo)
{
	extern __shared__ unsigned part[];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	part[t] = in[i];
	if (halo && t == 0)
		part[blockDim.x] = in[i + blockDim.x];
	__syncthreads();
	out[i] = part[t] + part[t + 1];
}
