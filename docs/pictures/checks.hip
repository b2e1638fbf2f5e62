// A sum in a tree without barriers, for the picture of a race.
#include <hip/hip_runtime.h>

#include <cstdio>

enum { ITEMS = 256, BLOCKS = 64 };

__global__ void sum_blocks(const float *in, float *out)
{
	__shared__ float part[ITEMS];
	unsigned t = threadIdx.x;
	part[t] = in[blockIdx.x * ITEMS + t];
	for (unsigned n = ITEMS / 2; n; n /= 2)
		if (t < n)
			part[t] += part[t + n];
	if (t == 0)
		out[blockIdx.x] = part[0];
}

int main()
{
	float *in = nullptr, *out = nullptr;
	if (hipMalloc(&in, BLOCKS * ITEMS * sizeof *in) != hipSuccess ||
		hipMalloc(&out, BLOCKS * sizeof *out) != hipSuccess ||
		hipMemset(in, 0, BLOCKS * ITEMS * sizeof *in) != hipSuccess)
		return 1;
	sum_blocks<<<BLOCKS, ITEMS>>>(in, out);
	printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
	return 0;
}
