// Kernels that keep LIVE values in vector registers during a pointer chase: occupancy determines how much latency is
// hidden (CUDA lecture notes, SM resources and occupancy). `buf` contains its own indices.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/order.inc"

/* Four adjacent lanes chase together. A wave then loads few lines and waits for latency, not for bandwidth.
 * out[gid] = the chase's last value + the sum of gid .. gid + LIVE - 1, which stay live during the chase. */
template <unsigned LIVE> static __device__ __forceinline__ void keep(const unsigned *buf, unsigned *out, unsigned trips, unsigned step)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, m = gid / 4, live[LIVE];
#pragma unroll
	for (unsigned k = 0; k < LIVE; k++) {
		live[k] = gid + k;
		OPAQUE(live[k]);
	}
#pragma unroll 1
	for (unsigned i = 0; i < trips; i++)
		m = load(buf, m + step);
#pragma unroll
	for (unsigned k = 0; k < LIVE; k++) {
		OPAQUE(live[k]);
		m += live[k];
	}
	out[gid] = m;
}

#define KEEP(count) \
	extern "C" __global__ void __launch_bounds__(256) keep_##count(const unsigned *buf, unsigned *out, unsigned trips, unsigned step, unsigned live) \
	{ \
		keep<count>(buf, out, trips, step); \
	}
#define KEEP_4(a, b, c, d) KEEP(a) KEEP(b) KEEP(c) KEEP(d)

KEEP_4(4, 5, 6, 7) KEEP_4(8, 9, 10, 11) KEEP_4(12, 13, 14, 15) KEEP_4(16, 17, 18, 19) KEEP_4(20, 21, 22, 23)
KEEP_4(24, 25, 26, 27) KEEP_4(28, 29, 30, 31) KEEP_4(32, 33, 34, 35) KEEP_4(36, 37, 38, 39) KEEP_4(40, 41, 42, 43)
KEEP_4(44, 45, 46, 47) KEEP_4(48, 49, 50, 51) KEEP_4(52, 53, 54, 55) KEEP_4(56, 57, 58, 59) KEEP_4(60, 61, 62, 63)
KEEP_4(64, 65, 66, 67) KEEP_4(68, 69, 70, 71) KEEP_4(72, 73, 74, 75) KEEP_4(76, 77, 78, 79) KEEP_4(80, 81, 82, 83)
KEEP_4(84, 85, 86, 87) KEEP_4(88, 89, 90, 91) KEEP_4(92, 93, 94, 95) KEEP_4(96, 97, 98, 99) KEEP_4(100, 101, 102, 103)
KEEP_4(104, 105, 106, 107) KEEP_4(108, 109, 110, 111) KEEP_4(112, 113, 114, 115) KEEP_4(116, 117, 118, 119) KEEP_4(120, 121, 122, 123)
KEEP_4(124, 125, 126, 127) KEEP(128)
