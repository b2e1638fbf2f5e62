/* Expected results of vector and scalar rows, written from the descriptions in the ISA guide. It does not use the
 * executor's functions but libm, the host's half type and rounding modes, and 128-bit integers. One value in, one out.
 */
#ifndef TESTS_SOFTGPU_CORE_ROW_MODEL_H
#define TESTS_SOFTGPU_CORE_ROW_MODEL_H

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/isa/isa.h"

/* mode: the MODE register, Vega ISA 3.3. */
struct values {
	uint64_t s[3], old;
	int in, lane;
	bool clamp;
	uint8_t neg; /* of integers: bit n says that source n is signed */
	int32_t simm;
	uint64_t exec;
	uint32_t mode;
};
/* flag: the lane's bit of the mask, or SCC; -1: the row writes neither. ulps, near: the permitted error of a float.
 * exec: for scalar rows. known_nans: the bits of d that hold a NaN whose bits are known (row_nans.h). */
struct answer {
	uint64_t d, known_nans;
	int flag;
	unsigned ulps;
	double near;
	uint64_t exec;
};

static inline float m_f32(uint64_t v)
{
	float f;
	uint32_t u = v;
	memcpy(&f, &u, 4);
	return f;
}
static inline double m_f64(uint64_t v)
{
	double f;
	memcpy(&f, &v, 8);
	return f;
}
static inline uint64_t m_b32(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}
static inline uint64_t m_b64(double f)
{
	uint64_t u;
	memcpy(&u, &f, 8);
	return u;
}
static inline double m_f16(uint64_t v)
{
	_Float16 h;
	uint16_t u = v;
	memcpy(&h, &u, 2);
	return h;
}
static inline uint64_t m_b16(double f)
{
	_Float16 h = (_Float16)f;
	uint16_t u;
	memcpy(&u, &h, 2);
	return u;
}
/* A result was below the smallest normal number, but not after it was rounded to a denormal's precision. No document
 * says whether such a result is flushed; the executor does one or the other. */
static bool m_is_ambiguous;

/* x is exact, or has the precision of f32. */
static inline float m_flush(double x, bool keep)
{
	float f = (float)x;
	bool tiny = fabsf((float)(x * 0x1p60)) < 0x1p-66f;

	m_is_ambiguous |= !keep && tiny && fabsf(f) >= 0x1p-126f;
	return !keep && f != 0 && fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}
static inline float m_fma(float a, float b, float c, bool keep)
{
	m_flush((double)a * b + c, keep);
	return m_flush(fmaf(a, b, c), keep);
}
/* Whether MODE keeps denormals: f32 in and out, f64 and f16 in and out. */
static inline bool m_in32(const struct values *v)
{
	return v->mode >> 4 & 1;
}
static inline bool m_out32(const struct values *v)
{
	return v->mode >> 5 & 1;
}
static inline bool m_in16(const struct values *v)
{
	return v->mode >> 6 & 1;
}
static inline bool m_out16(const struct values *v)
{
	return v->mode >> 7 & 1;
}
static inline double m_flush64(double f, bool keep)
{
	m_is_ambiguous |= !keep && fabs(f) == 0x1p-1022; /* f may have been rounded */
	return !keep && f != 0 && fabs(f) < 0x1p-1022 ? copysign(0, f) : f;
}
static inline double m_flush16(double f, bool keep)
{
	return !keep && f != 0 && fabs(f) < 0x1p-14 ? copysign(0, f) : f;
}
static inline double m_hin(const struct values *v, uint64_t bits)
{
	return m_flush16(m_f16(bits), m_in16(v));
}
static inline double m_din(const struct values *v, uint64_t bits)
{
	return m_flush64(m_f64(bits), m_in16(v));
}
static inline void m_rounding(uint32_t bits)
{
	static const int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

	fesetround(host[bits & 3]);
}
static inline double m_clamp(const struct values *v, double x)
{
	return isnan(x) ? (v->mode >> 8 & 1 ? 0 : x) : x <= 0 ? 0 : x > 1 ? 1 : x;
}
/* A half result: rounded in the host's rounding mode, then FP16_OVFL and flushing. */
static inline uint64_t m_half(const struct values *v, double f)
{
	double h = m_f16(m_b16(f));

	if (isinf(h) && !isinf(f) && v->mode >> 23 & 1)
		h = copysign(65504, h);
	return m_b16(m_flush16(h, m_out16(v)));
}
static inline __int128 m_clip(__int128 v, __int128 low, __int128 high)
{
	return v < low ? low : v > high ? high : v;
}
static inline double m_min(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static inline double m_max(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static inline double m_med3(double a, double b, double c)
{
	if (isnan(a) || isnan(b) || isnan(c))
		return m_min(m_min(a, b), c);
	double most = m_max(m_max(a, b), c);
	return most == a ? m_max(b, c) : most == b ? m_max(a, c) : m_max(a, b);
}
static inline int64_t m_int(double v, int64_t low, int64_t high)
{
	return isnan(v) ? 0 : v <= low ? low : v >= (double)high ? high : (int64_t)v;
}
static inline double m_fract(double v, double below)
{
	double f = v - floor(v);
	return isinf(v) || isnan(v) ? NAN : f < below ? f : below;
}
static inline uint32_t m_sad(uint32_t a, uint32_t b, int bits, bool masked)
{
	uint32_t sum = 0, field = (uint32_t)((UINT64_C(1) << bits) - 1);

	for (int k = 0; k < 32; k += bits) {
		int64_t x = a >> k & field, y = b >> k & field;
		sum += masked && !y ? 0 : (uint32_t)llabs(x - y);
	}
	return sum;
}
static inline int64_t m_field(uint64_t v, unsigned offset, unsigned width, unsigned size, bool sign)
{
	int64_t r = 0;

	for (unsigned k = 0; k < width && offset + k < size; k++)
		r |= (int64_t)(v >> (offset + k) & 1) << k;
	unsigned have = offset + width > size ? size - offset : width;
	if (sign && have && have < 64 && r >> (have - 1) & 1)
		r |= (int64_t)(UINT64_MAX << have);
	return r;
}
static inline int m_class(double v, int quiet, bool denormal, uint32_t mask)
{
	int n = isnan(v)     ? quiet
		: isinf(v)   ? (signbit(v) ? 2 : 9)
		: v == 0     ? (signbit(v) ? 5 : 6)
		: denormal   ? (signbit(v) ? 4 : 7)
		: signbit(v) ? 3
			     : 8;
	return mask >> n & 1;
}

/* v_cmp and v_cmpx: the name contains the relation. */
static inline int m_relation(const char *name, bool less, bool equal, bool greater)
{
	static const struct {
		char name[4];
		uint8_t less, equal, greater, unordered;
	} rel[] = {
		{"f", 0, 0, 0, 0},
		{"lt", 1, 0, 0, 0},
		{"eq", 0, 1, 0, 0},
		{"le", 1, 1, 0, 0},
		{"gt", 0, 0, 1, 0},
		{"lg", 1, 0, 1, 0},
		{"ge", 0, 1, 1, 0},
		{"o", 1, 1, 1, 0},
		{"u", 0, 0, 0, 1},
		{"nge", 1, 0, 0, 1},
		{"nlg", 0, 1, 0, 1},
		{"ngt", 1, 1, 0, 1},
		{"nle", 0, 0, 1, 1},
		{"neq", 1, 0, 1, 1},
		{"nlt", 0, 1, 1, 1},
		{"tru", 1, 1, 1, 1},
		{"ne", 1, 0, 1, 1},
		{"t", 1, 1, 1, 1},
	};
	size_t n = strcspn(name, "_");

	for (size_t k = 0; k < sizeof rel / sizeof *rel; k++)
		if (strlen(rel[k].name) == n && !strncmp(rel[k].name, name, n))
			return less ? rel[k].less : equal ? rel[k].equal : greater ? rel[k].greater : rel[k].unordered;
	return -1;
}

static inline bool m_compare(const struct isa_info *row, const struct values *v, struct answer *r)
{
	const char *rel = strchr(row->name + 2, '_') + 1;
	uint64_t a = v->s[0], b = v->s[1];
	double x, y;

	if (!strncmp(rel, "class", 5)) {
		bool f64 = row->src[0] == T_F64, f16 = row->src[0] == T_F16;
		double z = f64 ? m_f64(a) : f16 ? m_f16(a) : m_f32(a);
		r->flag = m_class(z,
			(f64                  ? a >> 51
					: f16 ? a >> 9
					      : a >> 22) &
				1,
			z != 0 &&
				fabs(z) < (f64                  ? 0x1p-1022
							  : f16 ? 0x1p-14
								: 0x1p-126),
			b);
		return true;
	}
	switch (row->src[0]) {
	case T_F16: x = m_hin(v, a), y = m_hin(v, b); break;
	case T_F32: x = m_flush(m_f32(a), m_in32(v)), y = m_flush(m_f32(b), m_in32(v)); break;
	case T_F64: x = m_din(v, a), y = m_din(v, b); break;
	case T_I64:
		r->flag = m_relation(rel, (int64_t)a<(int64_t)b, a == b, (int64_t)a>(int64_t) b);
		return r->flag >= 0;
	case T_U64: r->flag = m_relation(rel, a<b, a == b, a> b); return r->flag >= 0;
	case T_I16: x = (int16_t)a, y = (int16_t)b; break;
	case T_U16: x = (uint16_t)a, y = (uint16_t)b; break;
	case T_I32: x = (int32_t)a, y = (int32_t)b; break;
	default: x = (uint32_t)a, y = (uint32_t)b; break;
	}
	r->flag = m_relation(rel, x<y, x == y, x> y);
	return r->flag >= 0;
}

static inline uint64_t m_pk_int(unsigned op, uint32_t a, uint32_t b, uint32_t c, bool clamp)
{
	uint64_t r = 0;

	for (int k = 0; k < 32; k += 16) {
		int64_t x = (uint16_t)(a >> k), y = (uint16_t)(b >> k), z = (uint16_t)(c >> k), sx = (int16_t)x,
			sy = (int16_t)y, sz = (int16_t)z, v = 0;
		bool sign = false;
		switch (op) {
		case OP_v_pk_mad_i16:
			v = sx * sy + sz;
			sign = true;
			break;
		case OP_v_pk_mul_lo_u16: v = x * y & 0xffff; break;
		case OP_v_pk_add_i16:
			v = sx + sy;
			sign = true;
			break;
		case OP_v_pk_sub_i16:
			v = sx - sy;
			sign = true;
			break;
		case OP_v_pk_lshlrev_b16: v = y << (x & 15) & 0xffff; break;
		case OP_v_pk_lshrrev_b16: v = y >> (x & 15); break;
		case OP_v_pk_ashrrev_i16:
			v = sy >> (x & 15);
			sign = true;
			break;
		case OP_v_pk_max_i16:
			v = sx > sy ? sx : sy;
			sign = true;
			break;
		case OP_v_pk_min_i16:
			v = sx < sy ? sx : sy;
			sign = true;
			break;
		case OP_v_pk_mad_u16: v = x * y + z; break;
		case OP_v_pk_add_u16: v = x + y; break;
		case OP_v_pk_sub_u16: v = x - y; break;
		case OP_v_pk_max_u16: v = x > y ? x : y; break;
		case OP_v_pk_min_u16: v = x < y ? x : y; break;
		}
		if (clamp)
			v = sign ? m_clip(v, -32768, 32767) : m_clip(v, 0, 65535);
		r |= (uint64_t)(uint16_t)v << k;
	}
	return r;
}

static inline uint64_t m_pk_half(unsigned op, const struct values *f, uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t r = 0;

	for (int k = 0; k < 32; k += 16) {
		double x = m_hin(f, a >> k), y = m_hin(f, b >> k), z = m_hin(f, c >> k);
		double v = op == OP_v_pk_add_f16 ? x + y
			: op == OP_v_pk_mul_f16  ? x * y
			: op == OP_v_pk_min_f16  ? m_min(x, y)
			: op == OP_v_pk_max_f16  ? m_max(x, y)
						 : x * y + z;
		if (f->clamp)
			v = m_clamp(f, v);
		r |= m_half(f, v) << k;
	}
	return r;
}

static inline __int128 m_dot(uint32_t a, uint32_t b, int bits, bool sign)
{
	__int128 sum = 0;

	for (int k = 0; k < 32; k += bits)
		sum += (__int128)m_field(a, k, bits, 32, sign) * m_field(b, k, bits, 32, sign);
	return sum;
}

static inline float m_cube(unsigned op, float x, float y, float z)
{
	int face = fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y) ? (z < 0 ? 5 : 4)
		: fabsf(y) >= fabsf(x)                          ? (y < 0 ? 3 : 2)
		: x < 0                                         ? 1
								: 0;
	const float sc[] = {-z, z, x, x, x, -x}, tc[] = {-y, -y, z, -z, -y, -y},
		    ma[] = {2 * x, 2 * x, 2 * y, 2 * y, 2 * z, 2 * z};

	return op == OP_v_cubeid_f32    ? face
		: op == OP_v_cubesc_f32 ? sc[face]
		: op == OP_v_cubetc_f32 ? tc[face]
					: ma[face];
}

static inline uint32_t m_perm(uint32_t a, uint32_t b, uint32_t sel)
{
	uint8_t byte[8];
	uint32_t r = 0;

	for (int k = 0; k < 4; k++)
		byte[k] = b >> 8 * k, byte[4 + k] = a >> 8 * k;
	for (int k = 0; k < 4; k++) {
		unsigned s = sel >> 8 * k & 255;
		uint32_t v = s < 8 ? byte[s] : s < 12 ? (byte[2 * (s - 8) + 1] & 0x80 ? 255 : 0) : s == 12 ? 0 : 255;
		r |= v << 8 * k;
	}
	return r;
}

static inline double m_fixup(double q, double d, double n, int lowest, int underflow)
{
	double sign = (signbit(d) ^ signbit(n)) ? -1 : 1;
	int en = 0, ed = 0;

	if (isnan(n) || isnan(d) || (d == 0 && n == 0) || (isinf(d) && isinf(n)))
		return NAN;
	if (d == 0 || isinf(n))
		return copysign(INFINITY, sign);
	if (n == 0 || isinf(d))
		return copysign(0, sign);
	frexp(n, &en), frexp(d, &ed);
	en = en < lowest ? lowest : en, ed = ed < lowest ? lowest : ed; /* the exponent field of a denormal is 0 */
	if (en - ed < underflow)
		return copysign(0, sign);
	return copysign(isnan(q) ? INFINITY : q, sign);
}

#include "tests/softgpu/core/row_model_vector.h"
#include "tests/softgpu/core/row_model_scalar.h"

#endif
