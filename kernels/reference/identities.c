/* References for identities, in higher precision than the kernel. Both sides are always equal: `differs` is 0. */
#include "kernels/reference/references.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double move_ulps(double v, unsigned bits, int ulps)
{
	if (bits == 64) {
		int64_t rank;
		memcpy(&rank, &v, sizeof rank);
		rank += ulps;
		memcpy(&v, &rank, sizeof v);
		return v;
	}
	float f = (float)v;
	int32_t rank;
	memcpy(&rank, &f, sizeof rank);
	rank += ulps;
	memcpy(&f, &rank, sizeof f);
	return f;
}

static double round_to_bits(long double v, unsigned bits)
{
	return bits == 64 ? (double)v : (double)(float)v;
}

/* a < b * b without rounding the square: the square of a double has 106 bits. */
static double below_square(double a, double b)
{
	double square = b * b, rest = fma(b, b, -square);
	return a < square || (a == square && rest > 0);
}

static double identity_exp_side(double a, double b)
{
	return (double)expl((long double)a + b);
}
static double identity_sqrt_side(double a, double b)
{
	return below_square(a, b);
}
static double identity_asin_side(double a, double b)
{
	return a < b;
}

static void run_identity(double (*f)(double, double), bool square, const struct launch_shape *shape, double *out,
	float *differs, double first, double step, int ulps, unsigned bits)
{
	uint64_t count = shape_threads(shape);
	for (uint64_t i = 0; i < count; i++) {
		double b = round_to_bits(fma((double)i, step, first), bits),
		       far = round_to_bits(fma((double)((i * 37 + 11) % count), step, first), bits);
		double partner = ulps ? b : far, a = round_to_bits(square ? partner * partner : partner, bits);
		if (ulps)
			a = move_ulps(a, bits, (int)(i % 5) - 2);
		out[i] = round_to_bits(f(a, b), bits);
		differs[i] = 0;
	}
}

#define PAIR(name, square)                                                                                  \
	void reference_identity_##name(const struct launch_shape *shape, IDENTITY)                          \
	{                                                                                                   \
		(void)mask;                                                                                 \
		(void)calls;                                                                                \
		run_identity(identity_##name##_side, square, shape, out, differs, first, step, ulps, bits); \
	}
PAIR(exp, false)
PAIR(sqrt, true)
PAIR(asin, false)
