// Loops over arrays of doubles, one element per work-item, for blocks whose number on a CU is limited: the launch reserves
// LDS for each, which no kernel here uses. So the size of a block says how many waves a CU has.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* Explicit fma, so that every compiler rounds equally. */
#define FMA(a, b, c) __builtin_fma(a, b, c)

/* For each element that has `margin` neighbors on both sides. The arrays do not overlap. `never` is no value of b. */
#define RESIDENT(name, margin, statement) \
	extern "C" __global__ void resident_##name(double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, double s, double never, unsigned n) \
	{ \
		unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
		if (i < margin || i >= n - margin) \
			return; \
		statement; \
	}

RESIDENT(init, 0u, a[i] = s)
RESIDENT(read, 0u, double value = b[i]; if (value == never) a[i] = value)
RESIDENT(scale, 0u, a[i] = s * b[i])
RESIDENT(triad, 0u, a[i] = FMA(s, b[i], c[i]))
RESIDENT(3pt, 1u, a[i] = FMA(0.5, b[i + 1], FMA(0.5, b[i - 1], -b[i])))
RESIDENT(5pt, 2u, a[i] = FMA(0.5, b[i + 2], FMA(0.5, b[i + 1], FMA(0.25, b[i - 2], FMA(0.25, b[i - 1], -b[i])))))
