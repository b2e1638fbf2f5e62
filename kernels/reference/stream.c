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

#define DOT(type, T, fma)                                                                                              \
	static T block_sum_##type(const T *a, const T *b, unsigned threads, unsigned items, uint64_t step)             \
	{                                                                                                              \
		T part[BLOCK_MAX];                                                                                     \
		for (unsigned t = 0; t < threads; t++) {                                                               \
			part[t] = 0;                                                                                   \
			for (unsigned k = 0; k < items; k++)                                                           \
				part[t] = fma(a[t + k * step], b[t + k * step], part[t]);                              \
		}                                                                                                      \
		for (unsigned half = threads / 2; half; half /= 2)                                                     \
			for (unsigned t = 0; t < half; t++)                                                            \
				part[t] += part[t + half];                                                             \
		return part[0];                                                                                        \
	}                                                                                                              \
	void reference_stream_dot_##type(                                                                              \
		const struct launch_shape *shape, void *pa, void *pb, void *pc, void *sums, float s, unsigned items)   \
	{                                                                                                              \
		uint64_t each = shape_block(shape) * items;                                                            \
		(void)pc, (void)s;                                                                                     \
		for (uint64_t k = 0; k < shape->grid[0]; k++)                                                          \
			((T *)sums)[k] = block_sum_##type(                                                             \
				(T *)pa + k * each, (T *)pb + k * each, shape->block[0], items, shape->block[0]);      \
	}                                                                                                              \
	void reference_stream_dot_grid_##type(                                                                         \
		const struct launch_shape *shape, void *pa, void *pb, void *pc, void *sums, float s, unsigned items)   \
	{                                                                                                              \
		uint64_t each = shape_block(shape);                                                                    \
		(void)pc, (void)s;                                                                                     \
		for (uint64_t k = 0; k < shape->grid[0]; k++)                                                          \
			((T *)sums)[k] = block_sum_##type(                                                             \
				(T *)pa + k * each, (T *)pb + k * each, shape->block[0], items, shape_threads(shape)); \
	}

/* The sum of `items` elements of WIDTH components, `step` elements apart: first that of each component. */
#define READ_SUM(type, T, WIDTH)                                            \
	static T read_sum_##type(const T *a, unsigned items, uint64_t step) \
	{                                                                   \
		T all = 0;                                                  \
		for (int c = 0; c < WIDTH; c++) {                           \
			T sum = 0;                                          \
			for (unsigned k = 0; k < items; k++)                \
				sum += a[k * step * WIDTH + c];             \
			all = c ? all + sum : sum;                          \
		}                                                           \
		return all;                                                 \
	}

#define READ(type, T, WIDTH)                                                                                         \
	READ_SUM(type, T, WIDTH)                                                                                     \
	void reference_stream_read_##type(                                                                           \
		const struct launch_shape *shape, void *pa, void *pb, void *pc, void *sums, float s, unsigned items) \
	{                                                                                                            \
		uint64_t block = shape_block(shape);                                                                 \
		(void)pb, (void)pc, (void)s;                                                                         \
		for (uint64_t t = 0; t < shape_threads(shape); t++)                                                  \
			((T *)sums)[t] = read_sum_##type(                                                            \
				(T *)pa + (t / block * block * items + t % block) * WIDTH, items, block);            \
	}                                                                                                            \
	void reference_stream_read_grid_##type(                                                                      \
		const struct launch_shape *shape, void *pa, void *pb, void *pc, void *sums, float s, unsigned items) \
	{                                                                                                            \
		(void)pb, (void)pc, (void)s;                                                                         \
		for (uint64_t t = 0; t < shape_threads(shape); t++)                                                  \
			((T *)sums)[t] = read_sum_##type((T *)pa + t * WIDTH, items, shape_threads(shape));          \
	}

#define LOOPS(type, T, fma)                                \
	LOOP(copy, type, T, c[i] = a[i])                   \
	LOOP(mul, type, T, b[i] = (T)s * c[i])             \
	LOOP(add, type, T, c[i] = a[i] + b[i])             \
	LOOP(triad, type, T, a[i] = fma((T)s, c[i], b[i])) \
	DOT(type, T, fma)

LOOPS(f32, float, __builtin_fmaf)
LOOPS(f64, double, __builtin_fma)
READ(f32, float, 1)
READ(f64, double, 1)
READ(f32x2, float, 2)
READ(f32x4, float, 4)
