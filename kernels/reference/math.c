/* References for math functions: computed in higher precision and rounded once, as a correctly rounded library would
 * do. The hardware rounds arithmetic operators and square roots correctly, so these are computed in their own
 * precision.
 *
 * long double has a 64-bit mantissa on x86-64 and 113 bits on most others. If it is a double, f64 results may be off by
 * one ulp. */
#include "kernels/reference/references.h"

#include <math.h>
#include <stdbool.h>

struct operands {
	long double v, c, d;
	unsigned bits;
};

static long double sin_of(struct operands o)
{
	return sinl(o.v);
}
static long double cos_of(struct operands o)
{
	return cosl(o.v);
}
static long double tan_of(struct operands o)
{
	return tanl(o.v);
}
static long double asin_of(struct operands o)
{
	return asinl(o.v);
}
static long double log_of(struct operands o)
{
	return logl(o.v);
}
static long double exp_of(struct operands o)
{
	return expl(o.v);
}
static long double pow_of(struct operands o)
{
	return powl(o.v, o.c);
}
static long double sincos_of(struct operands o)
{
	return fmaxl(sinl(o.v), cosl(o.v));
}
static long double rsqrt_of(struct operands o)
{
	return 1 / sqrtl(o.v);
}

/* In double: exact for floats and halves, or with more than twice their bits, so that double rounding does no harm
 * (Figueroa 1995). */
static long double sqrt_of(struct operands o)
{
	return sqrt((double)o.v);
}
static long double add_of(struct operands o)
{
	return (double)o.v + (double)o.c;
}
static long double mul_of(struct operands o)
{
	return (double)o.v * (double)o.c;
}
static long double div_of(struct operands o)
{
	return (double)o.c / (double)o.v;
}
static long double rcp_of(struct operands o)
{
	return 1 / (double)o.v;
}
static long double fma_of(struct operands o)
{
	return o.bits == 32 ? fmaf((float)o.v, (float)o.c, (float)o.d) : fma((double)o.v, (double)o.c, (double)o.d);
}

/* Rounds to a half: 11 bits, ties to even; the smallest value is 2^-24, and 65520 overflows. */
static double half_of(double v)
{
	int exponent;
	if (v == 0 || !isfinite(v))
		return v;
	frexp(v, &exponent);
	double unit = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
	double rounded = rint(v / unit) * unit;
	return fabs(rounded) >= 65520 ? copysign(INFINITY, v) : rounded;
}

static double round_to_precision(long double v, unsigned bits)
{
	return bits == 64 ? (double)v : bits == 32 ? (double)(float)v : half_of((double)v);
}

static void calls_of(long double (*f)(struct operands), const struct launch_shape *shape, double *out64, float *out32,
	double first, double step, double second, double third, unsigned calls, unsigned bits, bool iterated)
{
	struct operands o = {.c = round_to_precision(second, bits), .d = round_to_precision(third, bits), .bits = bits};
	for (uint64_t i = 0; i < shape_threads(shape); i++) {
		double v = round_to_precision(fma((double)i, step, first), bits);
		for (unsigned n = iterated ? calls : calls > 0; n > 0; n--) {
			double before = v;
			o.v = v;
			v = round_to_precision(f(o), bits);
			if (v == before)
				break; /* constant from here on */
		}
		if (bits == 64)
			out64[i] = v;
		else
			out32[i] = (float)v;
	}
}

#define FUNCTION(name)                                                                                       \
	void reference_math_##name(const struct launch_shape *shape, MATH_CALLS)                             \
	{                                                                                                    \
		(void)mask;                                                                                  \
		calls_of(name##_of, shape, out64, out32, first, step, second, third, calls, bits, iterated); \
	}
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(tan)
FUNCTION(asin)
FUNCTION(log)
FUNCTION(exp)
FUNCTION(sqrt)
FUNCTION(rsqrt)
FUNCTION(add)
FUNCTION(mul)
FUNCTION(fma)
FUNCTION(div)
FUNCTION(pow)
FUNCTION(rcp)
FUNCTION(sincos)
