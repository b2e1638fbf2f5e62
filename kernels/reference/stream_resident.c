/* References for the loops of kernels/stream_resident.hip, exact: the order of the multiply-adds is that of the kernel.
 */
#include "kernels/reference/references.h"

#define LOOP(name, margin, statement)                                              \
	void reference_resident_##name(const struct launch_shape *shape, RESIDENT) \
	{                                                                          \
		(void)shape, (void)a, (void)b, (void)c, (void)s, (void)never;      \
		for (uint64_t i = (margin); i + (margin) < n; i++)                 \
			statement;                                                 \
	}

LOOP(init, 0, a[i] = s)
LOOP(read, 0, a[i] = b[i] == never ? never : a[i])
LOOP(scale, 0, a[i] = s * b[i])
LOOP(triad, 0, a[i] = __builtin_fma(s, b[i], c[i]))
LOOP(3pt, 1, a[i] = __builtin_fma(0.5, b[i + 1], __builtin_fma(0.5, b[i - 1], -b[i])))

static double five_points(const double *b)
{
	double left = __builtin_fma(0.25, b[-2], __builtin_fma(0.25, b[-1], -b[0]));
	return __builtin_fma(0.5, b[2], __builtin_fma(0.5, b[1], left));
}
LOOP(5pt, 2, a[i] = five_points(b + i))
