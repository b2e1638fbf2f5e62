/* References for chains of one operation. Chains of hardware functions soon converge or diverge, so their errors do not
 * matter: the inverse root goes to 1, the sine of whole turns to 0, the power of two to infinity. A sum of chains of
 * halves is exact: each of them ends at 1 or infinity. */
#include "kernels/reference/references.h"

#include <math.h>
#include <string.h>

union value {
	unsigned u;
	float f;
	double d;
};
struct operands {
	unsigned i;
	float f;
	double d;
};

static void step_iadd(union value *s, const struct operands *o)
{
	s->u += o->i;
}
static void step_imul(union value *s, const struct operands *o)
{
	s->u *= o->i + 2;
}
static void step_imad(union value *s, const struct operands *o)
{
	s->u = s->u * (o->i + 2) + o->i;
}

static unsigned low_24(unsigned v)
{
	return (v & 0xffffff) - ((v & 0x800000) << 1);
}

static void step_mad24(union value *s, const struct operands *o)
{
	s->u = low_24(s->u) * low_24(o->i + 2) + o->i;
}
static void step_shift(union value *s, const struct operands *o)
{
	s->u <<= o->i;
}
static void step_fadd(union value *s, const struct operands *o)
{
	s->f += o->f;
}
static void step_ffma(union value *s, const struct operands *o)
{
	s->f = fmaf(s->f, o->f, o->f);
}

/* To 11 significant bits. No value is small enough to be denormal. */
static float rounded_half(double v)
{
	int exponent;
	double fraction = frexp(v, &exponent);
	return v >= 65520 ? INFINITY : (float)ldexp(rint(ldexp(fraction, 11)), exponent - 11);
}

static void step_hfma2(union value *s, const struct operands *o)
{
	s->f = rounded_half(fma(s->f, o->f, o->f));
}
static void step_dadd(union value *s, const struct operands *o)
{
	s->d += o->d;
}
static void step_dfma(union value *s, const struct operands *o)
{
	s->d = fma(s->d, o->d, o->d);
}
static void step_idiv(union value *s, const struct operands *o)
{
	s->u /= o->i;
}
static void step_imod(union value *s, const struct operands *o)
{
	s->u %= o->i + 6;
}
static void step_cvt(union value *s, const struct operands *o)
{
	(void)o;
	s->f = (float)s->u;
}
static void step_rsqrt(union value *s, const struct operands *o)
{
	(void)o;
	s->f = (float)(1 / sqrt(s->f));
}
static void step_exp(union value *s, const struct operands *o)
{
	(void)o;
	s->f = exp2f(s->f);
}

static void step_sin(union value *s, const struct operands *o)
{
	(void)o;
	s->f = s->f == rintf(s->f) ? 0 : (float)sin(s->f * 6.283185307179586);
}

/* HALVES: two equal ones; `f` of the value is one of them. */
enum kind { UNSIGNED, FLOAT, HALVES, DOUBLE };

static union value start_value(enum kind kind, unsigned v)
{
	union value s = {.d = 0};
	s.u = v;
	if (kind == FLOAT)
		s.f = (float)v;
	if (kind == HALVES)
		s.f = rounded_half(v);
	if (kind == DOUBLE)
		s.d = v;
	return s;
}

/* The value of a chain after `steps`; stops early if a step changes nothing. */
static union value run_throughput(
	void (*step)(union value *, const struct operands *), union value s, const struct operands *o, uint64_t steps)
{
	for (; steps > 0; steps--) {
		union value before = s;
		step(&s, o);
		if (!memcmp(&s, &before, sizeof s))
			break;
	}
	return s;
}

static void chains_of(void (*step)(union value *, const struct operands *), enum kind kind,
	const struct launch_shape *shape, double *out, const struct operands *o, unsigned trips, int chains,
	int operations)
{
	for (uint64_t t = 0; t < shape_threads(shape); t++) {
		unsigned u = 0;
		float f = 0;
		double d = 0;
		for (int k = 0; k < chains; k++) {
			int steps = operations / chains + (k < operations % chains);
			union value s = run_throughput(step, start_value(kind, (unsigned)t + (unsigned)k), o,
				(uint64_t)trips * (unsigned)steps);
			u ^= kind == UNSIGNED ? s.u : 0;
			f += kind == FLOAT || kind == HALVES ? s.f : 0;
			d += kind == DOUBLE ? s.d : 0;
		}
		out[t] = kind == UNSIGNED ? u : kind == FLOAT ? f : kind == HALVES ? rounded_half(2 * f) : d;
	}
}

#define OPERATION(name, kind)                                                                                     \
	void reference_throughput_##name(const struct launch_shape *shape, THROUGHPUT)                            \
	{                                                                                                         \
		chains_of(step_##name, kind, shape, out, &(struct operands){i, f, d}, trips, chains, operations); \
	}
OPERATION(iadd, UNSIGNED)
OPERATION(imul, UNSIGNED)
OPERATION(imad, UNSIGNED)
OPERATION(mad24, UNSIGNED)
OPERATION(shift, UNSIGNED)
OPERATION(fadd, FLOAT)
OPERATION(ffma, FLOAT)
OPERATION(hfma2, HALVES)
OPERATION(dadd, DOUBLE)
OPERATION(dfma, DOUBLE)
OPERATION(rsqrt, FLOAT)
OPERATION(sin, FLOAT)
OPERATION(exp, FLOAT)
OPERATION(cvt, UNSIGNED)
OPERATION(idiv, UNSIGNED)
OPERATION(imod, UNSIGNED)
