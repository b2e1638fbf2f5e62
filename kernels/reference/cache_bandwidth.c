/* References for kernels/cache_bandwidth.hip, exact: what block 0 writes. The sums are added in the order of the
 * kernel. */
#include "kernels/reference/references.h"

enum { REUSE_BLOCK = 256, SHARED_BLOCK = 1024 };

/* `parts` sums in each element: the components of a vector. */
#define PASSES(name, T, fma, parts)                                               \
	void reference_reuse_##name(const struct launch_shape *shape, REUSE)      \
	{                                                                         \
		const T *in = from;                                               \
		T *out = to;                                                      \
		(void)shape, (void)never, (void)shift;                            \
		for (uint64_t t = 0; t < REUSE_BLOCK * (parts); t++) {            \
			T sum = 0;                                                \
			for (unsigned pass = 0; pass < passes; pass++) {          \
				sum = fma(sum, (T)keep, in[t]);                   \
				for (uint64_t i = 1; i < per; i++)                \
					sum += in[t + i * REUSE_BLOCK * (parts)]; \
			}                                                         \
			out[t] = sum;                                             \
		}                                                                 \
	}

PASSES(f32, float, __builtin_fmaf, 1)
PASSES(f64, double, __builtin_fma, 1)
PASSES(4xf32, float, __builtin_fmaf, 4)

void reference_shared_runs(
	const struct launch_shape *shape, const double *in, double *out, double never, unsigned runs, unsigned pairs)
{
	(void)shape, (void)never;
	for (uint64_t t = 0; t < SHARED_BLOCK; t++) {
		double sum = 0;
		for (uint64_t i = 0; i < pairs; i++) {
			const double *pair = in + SHARED_BLOCK * runs * i * 2 + t;
			sum = __builtin_fma(pair[0], pair[SHARED_BLOCK], sum);
		}
		out[t] = sum;
	}
}
