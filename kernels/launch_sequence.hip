// A small kernel that is launched many times in a row: the elements of one matrix, scaled, go to the other, and back with
// the next launch.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* `back` is 1 for launches from a to b. The last argument is for the C reference. */
extern "C" __global__ void scale_matrix(double *a, double *b, double s, unsigned side, unsigned back, unsigned)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= side || y >= side)
		return;
	const double *from = back ? a : b;
	double *to = back ? b : a;
	to[y * side + x] = from[y * side + x] * s;
}
