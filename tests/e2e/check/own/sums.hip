#include <hip/hip_runtime.h>

// The tree adds without a barrier, and each workgroup stores one element too far.
extern "C" __global__ void sums(const float *in, float *out, unsigned shift)
{
	__shared__ float part[256];
	unsigned t = threadIdx.x;
	part[t] = in[blockIdx.x * 256 + t]; // line: first
	for (unsigned k = 128; k > 0; k /= 2)
		if (t < k)
			part[t] += part[t + k]; // line: add
	if (t == 0)
		out[blockIdx.x + shift] = part[0]; // line: store
}
