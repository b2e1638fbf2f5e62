/* References for the STREAM loops, exact: each element is rounded once, and the sum of a block is added in the order of
 * the kernel's tree. */
#include "kernels/reference/references.h"

enum { BLOCK_MAX = 1024 };

#define LOOP(name, type, T, statement)                                                                               \
	void reference_stream_##name##_##type(                                                                       \
		const struct launch_shape *shape, void *pa, void *pb, void *pc, void *sums, float s, unsigned items) \
	{                                                                                                            \
		T *a = pa, *b = pb, *c = pc;                                                                         \
		(void)a, (void)b, (void)c, (void)s, (void)sums;                                                      \
		for (uint64_t i = 0; i < shape_threads(shape) * items; i++)                                          \
			statement;                                                                                   \
	}

#define DOT(type, T, fma)                                                                                            \
	static T block_sum_##type(const T *a, const T *b, unsigned threads, unsigned items)                          \
	{                                                                                                            \
		T part[BLOCK_MAX];                                                                                   \
		for (unsigned t = 0; t < threads; t++) {                                                             \
			part[t] = 0;                                                                                 \
			for (unsigned k = 0; k < items; k++)                                                         \
				part[t] = fma(a[t + k * threads], b[t + k * threads], part[t]);                      \
		}                                                                                                    \
		for (unsigned half = threads / 2; half; half /= 2)                                                   \
			for (unsigned t = 0; t < half; t++)                                                          \
				part[t] += part[t + half];                                                           \
		return part[0];                                                                                      \
	}                                                                                                            \
	void reference_stream_dot_##type(                                                                            \
		const struct launch_shape *shape, void *pa, void *pb, void *pc, void *sums, float s, unsigned items) \
	{                                                                                                            \
		uint64_t each = shape_block(shape) * items;                                                          \
		(void)pc, (void)s;                                                                                   \
		for (uint64_t k = 0; k < shape->grid[0]; k++)                                                        \
			((T *)sums)[k] =                                                                             \
				block_sum_##type((T *)pa + k * each, (T *)pb + k * each, shape->block[0], items);    \
	}

#define LOOPS(type, T, fma)                                \
	LOOP(copy, type, T, c[i] = a[i])                   \
	LOOP(mul, type, T, b[i] = (T)s * c[i])             \
	LOOP(add, type, T, c[i] = a[i] + b[i])             \
	LOOP(triad, type, T, a[i] = fma((T)s, c[i], b[i])) \
	DOT(type, T, fma)

LOOPS(f32, float, __builtin_fmaf)
LOOPS(f64, double, __builtin_fma)
