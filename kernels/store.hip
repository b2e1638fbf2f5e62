// Each work-item stores one dword into a window that maps the grid onto few memory channels (Vega64 notes 2.10).
// window and span are powers of two, in elements. Colliding work-items store the same value: the result is defined.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

extern "C" __global__ void channel_store(unsigned *buf, unsigned window, unsigned span)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned index = (gid & ~(span - 1)) | (gid & (window - 1));
	buf[index] = index;
}
