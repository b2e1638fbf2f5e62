/* Reference results for the functions of math.def, in 113-bit floats. */
#ifndef TESTS_PROGRAMS_MATH_REFERENCE_H
#define TESTS_PROGRAMS_MATH_REFERENCE_H

#include <quadmath.h>
#include <stdbool.h>

typedef __float128 quad;
#define R(f) f##q
#define PI   M_PIq

enum type { F32, F64, F16, TYPES };
struct format {
	const char *name, *ctype;
	unsigned bytes, digits;
	int min, max;
}; /* exponents of normal numbers, as ilogb */
static const struct format formats[TYPES] = {
	[F32] = {"f32", "float", 4, 24, -126, 127},
	[F64] = {"f64", "double", 8, 53, -1022, 1023},
	[F16] = {"f16", "_Float16", 2, 11, -14, 15},
};

static inline quad least(enum type t)
{
	return ldexpq(1, formats[t].min);
}

static inline quad next(enum type t, quad x, quad y)
{
	if (t == F32)
		return __builtin_nextafterf(x, y);
	if (t == F64)
		return __builtin_nextafter(x, y);
	if (x != x || y != y || x == y)
		return x != x ? x : y;
	if (!x)
		return copysignq(ldexpq(1, -24), y);
	if (isinfq(x))
		return copysignq(65504, x);
	int e = ilogbq(x) < formats[t].min ? formats[t].min : ilogbq(x);
	bool away = (y > x) == (x > 0);
	quad step = ldexpq(1, e - 10), to = x + (away ? copysignq(step, x) : copysignq(step, -x));
	if (!away && fabsq(x) == ldexpq(1, e) && e > formats[t].min)
		to = x - copysignq(step / 2, x);
	return fabsq(to) > 65504 ? copysignq(HUGE_VALQ, to) : to ? to : copysignq(0, x);
}

/* Reduces x to [-1/4, 1/4] around a multiple of 1/2; *n is that multiple (mod 4). */
static inline quad half_turns(quad x, int *n)
{
	quad r = fmodq(x, 2), k = rintq(r * 2);

	*n = (int)k & 3;
	return r - k / 2;
}

static inline quad quad_sinpi(quad x)
{
	int n;

	if (!(x - x == 0))
		return x - x;
	quad r = half_turns(x, &n), v = n & 1 ? cosq(PI * r) : sinq(PI * r);
	return v ? (n & 2 ? -v : v) : copysignq(0, x);
}

static inline quad quad_cospi(quad x)
{
	int n;

	if (!(x - x == 0))
		return x - x;
	quad r = half_turns(x, &n), v = n & 1 ? -sinq(PI * r) : cosq(PI * r);
	return v ? (n & 2 ? -v : v) : 0;
}

/* Signs of the zeros and infinities of tanpi: OpenCL C, "Edge case behavior". */
static inline quad quad_tanpi(quad x)
{
	int n;

	if (!(x - x == 0))
		return x - x;
	bool odd = fabsq(fmodq(floorq(fabsq(x)), 2)) == 1;
	quad r = half_turns(x, &n);
	if (!r)
		return copysignq(n & 1 ? HUGE_VALQ : 0, odd ? -x : x);
	return n & 1 ? -cosq(PI * r) / sinq(PI * r) : tanq(PI * r);
}

static inline quad quad_powr(quad x, quad y)
{
	if (x != x || y != y || x < 0 || (!x && !y) || (x == 1 && isinfq(y)) || (isinfq(x) && !y))
		return nanq("");
	return powq(fabsq(x), y);
}

static inline quad quad_rootn(quad x, quad n)
{
	bool odd = fmodq(n, 2) != 0;

	if (!n || x != x || (x < 0 && !odd))
		return nanq("");
	quad root = powq(fabsq(x), 1 / n);
	return odd ? copysignq(root, x) : root;
}

static inline quad quad_erfcx(quad x)
{
	return isinfq(x) ? (x > 0 ? 0 : x * x) : expq(x * x) * erfcq(x);
}

/* Newton's method on log(erfc(y)) = log(x), which is concave. */
static inline quad erfcinv_small(quad x)
{
	quad y = x < 0.1Q ? sqrtq(-logq(x * 2)) : 0.4Q;

	for (int k = 0; k < 30; k++) {
		quad e = erfcq(y), step = (logq(e) - logq(x)) * e / (M_2_SQRTPIq * expq(-y * y));
		y += step;
		if (fabsq(step) < fabsq(y) * 1e-30Q)
			break;
	}
	return y;
}

static inline quad erfinv_centre(quad x)
{
	quad y = x / M_2_SQRTPIq;

	for (int k = 0; k < 30; k++) {
		quad step = (erfq(y) - x) / (M_2_SQRTPIq * expq(-y * y));
		y -= step;
		if (fabsq(step) <= fabsq(y) * 1e-30Q)
			break;
	}
	return y;
}

static inline quad erfcinv(quad x)
{
	if (x != x || x < 0 || x > 2)
		return nanq("");
	if (!x || x == 2)
		return x ? -HUGE_VALQ : HUGE_VALQ;
	return x < 0.5Q ? erfcinv_small(x) : x > 1.5Q ? -erfcinv_small(2 - x) : x == 1 ? 0 : erfinv_centre(1 - x);
}

static inline quad erfinv(quad x)
{
	if (x != x || fabsq(x) > 1)
		return nanq("");
	if (!x)
		return x;
	return fabsq(x) < 0.5Q ? erfinv_centre(x) : copysignq(erfcinv(1 - fabsq(x)), x);
}

static inline quad gamma_(quad x)
{
	if (!x)
		return copysignq(HUGE_VALQ, x);
	return x < 0 && x == floorq(x) ? nanq("") : tgammaq(x);
}

/* Modified Bessel functions of the first kind, by their power series, whose terms have the same sign. */
static inline quad bessel_i(int order, quad x)
{
	quad h = x / 2, term = order ? h : 1, sum = 0;

	if (!(x - x == 0))
		return order ? x : fabsq(x);
	for (int k = 1; k < 2000 && fabsq(term) > fabsq(sum) * 1e-36Q; k++) {
		sum += term;
		term *= h * h / ((quad)k * (k + order));
	}
	return sum ? sum : term;
}

static inline quad magnitude(quad x, quad y, bool larger)
{
	quad a = fabsq(x), b = fabsq(y);

	if (a != b && a == a && b == b)
		return (a > b) == larger ? x : y;
	return larger ? fmaxq(x, y) : fminq(x, y);
}

static inline quad fraction(quad x)
{
	return isinfq(x) ? copysignq(0, x) : copysignq(x - truncq(x), x);
}

static inline quad mantissa(quad x)
{
	int e;

	return frexpq(x, &e);
}

static inline quad exponent(quad x)
{
	int e;

	frexpq(x, &e);
	return e;
}

#endif
