// Stores to each element of a buffer of twice the size of the L2 cache, so that nothing else is left in it.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/vectors.inc"

extern "C" __global__ void l2_flush(vector<float, 4> *buf)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	buf[gid] = vector<float, 4>(0.0f);
}
