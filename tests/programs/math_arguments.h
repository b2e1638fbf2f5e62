/* Arguments for the functions of math.def: all special values (and their pairs and triples); for functions of one
 * argument, a sweep over bit patterns; then random values. */
#ifndef TESTS_PROGRAMS_MATH_ARGUMENTS_H
#define TESTS_PROGRAMS_MATH_ARGUMENTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/programs/math_reference.h"

enum arguments {
	ANY,
	ANY2,
	ANY3,
	SMALL,
	GAMMA,
	UNIT,
	ONE,
	TWO,
	NEAR,
	NEAR_PLUS,
	TWELVE,
	POSITIVE,
	NORMAL,
	POWER,
	MODULO,
	WHOLE,
	ROOT
};

static inline uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline double uniform(uint64_t *state, double low, double high)
{
	return low + (high - low) * (double)(draw(state) >> 11) * 0x1p-53;
}

static inline double get(enum type t, const void *at, size_t k)
{
	if (t == F64)
		return ((const double *)at)[k];
	return t == F32 ? ((const float *)at)[k] : ((const _Float16 *)at)[k];
}

/* A double can represent every number of the types. */
static inline void put(enum type t, void *at, size_t k, double v)
{
	if (t == F64)
		((double *)at)[k] = v;
	else if (t == F32)
		((float *)at)[k] = v;
	else
		((_Float16 *)at)[k] = v;
}

static inline double rounded(enum type t, double v)
{
	double at[1];

	put(t, at, 0, v);
	return get(t, at, 0);
}

/* Any bit pattern except a signaling NaN. */
static inline double random_bit_pattern(enum type t, uint64_t *state)
{
	uint64_t bits = draw(state);
	double at[1];

	memcpy(at, &bits, sizeof bits);
	double v = get(t, at, 0);
	return v != v ? NAN : v;
}

static const double special[] = {
	0,
	1,
	2,
	3,
	4,
	5,
	7,
	10,
	12,
	20,
	30,
	33,
	100,
	127,
	128,
	170.5,
	700,
	1000,
	1024,
	2048,
	4096,
	65504,
	0x1p20,
	0x1p23,
	0x1p24,
	0x1p31,
	0x1p32,
	0x1p52,
	0x1p53,
	0x1p63,
	0x1p64,
	1e10,
	1e22,
	1e38,
	1e300,
	0.1,
	0.25,
	0.3,
	0.5,
	0.75,
	0.9,
	1.1,
	1.25,
	1.5,
	2.5,
	3.5,
	1e-3,
	1e-7,
	1e-20,
	1e-300,
	0x1p-24,
	0x1p-53,
	0x1p-126,
	0x1p-127,
	0x1p-149,
	0x1p-1022,
	0x1p-1074,
	0x1p-14,
	0x1p-15,
	3.4028234663852886e38,
	1.7976931348623157e308,
	1.5707963267948966,
	3.141592653589793,
	6.283185307179586,
	0.78539816339744831,
	2.718281828459045,
	0.69314718055994531,
	1.4142135623730951,
	0.99999994,
	1.00000012,
	1 - 0x1p-11,
	1 + 0x1p-10,
	1 - 0x1p-53,
	1 + 0x1p-52,
	88.72283,
	-103.97,
	709.782712893384,
	-745.13,
	11.09,
	INFINITY,
	NAN,
};
enum { SPECIALS = 2 * sizeof special / sizeof *special };

static inline double special_value(enum type t, unsigned k)
{
	return rounded(t, k & 1 ? -special[k / 2] : special[k / 2]);
}

static inline double wide(enum type t, uint64_t *state)
{
	double sign = draw(state) & 1 ? -1 : 1;

	switch (draw(state) % 4) {
	case 0: return random_bit_pattern(t, state);
	case 1: return uniform(state, -100, 100);
	case 2: return sign * exp2(uniform(state, -24, 24));
	default: return sign * (double)(draw(state) % 100000) / 8;
	}
}

/* Up to the range of the exponential functions, and slightly beyond. */
static inline double small(enum type t, uint64_t *state)
{
	double top = t == F64 ? 750 : t == F32 ? 110 : 20;

	return draw(state) & 1 ? uniform(state, -top, top) : wide(t, state);
}

static inline double between(enum type t, uint64_t *state, double low, double high)
{
	double tail = exp2(uniform(state, t == F64 ? -60 : t == F32 ? -28 : -14, 0)) * (high - low) / 2;

	switch (draw(state) % 4) {
	case 0: return low + tail;
	case 1: return high - tail;
	case 2: return low < 0 ? (draw(state) & 1 ? -tail : tail) : tail;
	default: return uniform(state, low, high);
	}
}

static inline double random_x(enum type t, enum arguments a, uint64_t *state)
{
	switch (a) {
	case SMALL:
	case GAMMA: return small(t, state);
	case UNIT: return between(t, state, -1, 1);
	case ONE: return between(t, state, 0, 1);
	case TWO: return between(t, state, 0, 2);
	case NEAR: return uniform(state, -30, 30);
	case NEAR_PLUS: return uniform(state, 0, 60);
	case TWELVE: return uniform(state, -12, 12);
	case POSITIVE: return fabs(draw(state) & 1 ? uniform(state, 0, 20) : wide(t, state));
	case POWER: return draw(state) & 1 ? 1 + uniform(state, -0.1, 0.1) : wide(t, state);
	default: return wide(t, state);
	}
}

static inline double random_y(enum type t, enum arguments a, uint64_t *state)
{
	switch (a) {
	case POWER: return draw(state) & 1 ? (double)(draw(state) % 2000) / 2 - 500 : uniform(state, -20, 20);
	case WHOLE: return (double)(draw(state) % 80) - 40;
	case ROOT: return (double)(draw(state) % 19) - 9;
	default: return wide(t, state);
	}
}

/* Whether the documentation specifies the result for these arguments. */
static inline bool is_specified(enum type t, enum arguments a, double x)
{
	switch (a) {
	case GAMMA:
		return t != F32 ||
			!(x < -5); /* below, the library rounds |x| + 3: 49 ulp at -15.6, overflow from -31 on */
	case NEAR: return !(fabs(x) > 100) || isinf(x);
	case NEAR_PLUS: return !(x < 0 || x > 100); /* i1 in f64 takes the square root of a negative argument */
	case TWELVE: return !(fabs(x) >= 12);
	case POSITIVE: return !(x <= 0);
	case NORMAL: return x != 0 && isfinite(x);
	default: return true;
	}
}

static inline bool takes_two(enum arguments a)
{
	return a == ANY2 || a == ANY3 || a == POWER || a == MODULO;
}

static inline bool takes_integer(enum arguments a)
{
	return a == WHOLE || a == ROOT;
}

static inline size_t special_count(enum arguments a)
{
	return takes_two(a) ? SPECIALS * SPECIALS : takes_integer(a) ? SPECIALS * 16 : SPECIALS;
}

/* The number of arguments in the sweep, in which the upper `bits` bits take every value. */
static inline size_t sweep_count(enum type t, enum arguments a, unsigned bits)
{
	unsigned most = t == F16 ? 16 : 32;

	return !bits || takes_two(a) || takes_integer(a) ? 0 : (size_t)1 << (bits < most ? bits : most);
}

/* Bit pattern k of n (a power of two): the upper bits are k, the others random. Signaling NaNs become quiet. */
static inline double bit_pattern(enum type t, size_t k, size_t n, uint64_t *state)
{
	unsigned width = t == F64 ? 64 : t == F32 ? 32 : 16, rest = width - (unsigned)__builtin_ctzll(n);
	uint64_t bits = rest ? k << rest | (draw(state) & ((UINT64_C(1) << rest) - 1)) : k;
	double at[1];

	memcpy(at, &bits, sizeof bits);
	double v = get(t, at, 0);
	return v != v ? NAN : v;
}

/* Stores entry k of the argument list. */
static inline void put_argument(
	enum type t, enum arguments a, unsigned sweep_bits, size_t k, uint64_t *state, double v[3])
{
	static const double whole[] = {0, 1, -1, 2, -2, 3, -3, 4, 7, -8, 24, 31, -150, 1100, -1100, 2000};
	bool integer = takes_integer(a);
	size_t specials = special_count(a), sweep = sweep_count(t, a, sweep_bits);

	do {
		if (k < specials) {
			v[0] = special_value(t, k % SPECIALS);
			v[1] = integer ? whole[k / SPECIALS] : special_value(t, k / SPECIALS % SPECIALS);
			v[2] = special_value(t, (k * 7 + k / SPECIALS) % SPECIALS);
		} else if (k < specials + sweep) {
			v[0] = v[1] = v[2] = bit_pattern(t, k - specials, sweep, state);
		} else {
			v[0] = random_x(t, a, state);
			v[1] = random_y(t, a, state);
			v[2] = random_y(t, a, state);
		}
		for (int n = 0; n < 3; n++)
			v[n] = rounded(t, v[n]);
		k = SIZE_MAX;
	} while (!is_specified(t, a, v[0]));
}

#endif
