/* What data formats make of components in memory, and the reverse, as a model that searches for the nearest value. */
#ifndef TESTS_SOFTGPU_CORE_FORMAT_MODEL_H
#define TESTS_SOFTGPU_CORE_FORMAT_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MODEL_UNORM, MODEL_SNORM, MODEL_USCALED, MODEL_SSCALED, MODEL_UINT, MODEL_SINT, MODEL_FLOAT = 7 };

static inline float model_float(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, 4);
	return v;
}

static inline uint32_t model_float_bits(double v)
{
	const float f = (float)v;
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static inline bool model_is_nan(uint32_t bits)
{
	return model_float(bits) != model_float(bits);
}

static inline uint32_t model_read_bits(const uint8_t *from, uint64_t at, unsigned count)
{
	uint32_t v = 0;

	for (unsigned k = 0; k < count; k++)
		v |= (uint32_t)(from[(at + k) / 8] >> (at + k) % 8 & 1) << k;
	return v;
}

static inline void model_write_bits(uint8_t *to, uint64_t at, unsigned count, uint32_t v)
{
	for (unsigned k = 0; k < count; k++) {
		const uint8_t bit = (uint8_t)(1u << (at + k) % 8);
		to[(at + k) / 8] = (uint8_t)((to[(at + k) / 8] & ~bit) | (v >> k & 1 ? bit : 0));
	}
}

static inline double model_whole(unsigned width)
{
	return ldexp(1, (int)width);
}

/* Two's complement. */
static inline double model_signed_value(uint32_t v, unsigned width)
{
	return v >= model_whole(width) / 2 ? v - model_whole(width) : v;
}

/* A float of 16 bits, or of 10 or 11 without a sign: 5 bits of exponent, with bias 15. */
static inline double model_small_float(uint32_t v, unsigned width)
{
	const unsigned mantissa = width == 16 ? 10 : width - 5;
	const double fraction = ldexp(v % (1u << mantissa), -(int)mantissa);
	const unsigned exponent = v >> mantissa & 31;
	const double size = exponent == 31 ? fraction > 0 ? NAN : INFINITY
		: exponent                 ? ldexp(1 + fraction, (int)exponent - 15)
					   : ldexp(fraction, -14);

	return width == 16 && v >> 15 ? -size : size;
}

/* As a float; a NaN keeps its payload. */
static inline uint32_t model_widened_float(uint32_t v, unsigned width)
{
	const unsigned mantissa = width == 16 ? 10 : width - 5;

	if (!isnan(model_small_float(v, width)))
		return model_float_bits(model_small_float(v, width));
	return (width == 16 ? v >> 15 << 31 : 0) | 0x7f800000 | v % (1u << mantissa) << (23 - mantissa);
}

/* --- loads --- */
static inline uint32_t model_load_component(uint32_t v, unsigned width, unsigned number)
{
	switch (number) {
	case MODEL_UNORM: return model_float_bits(v / (model_whole(width) - 1));
	case MODEL_SNORM:
		return model_float_bits(fmax(-1, model_signed_value(v, width) / (model_whole(width - 1) - 1)));
	case MODEL_USCALED: return model_float_bits(v);
	case MODEL_SSCALED: return model_float_bits(model_signed_value(v, width));
	case MODEL_SINT: return (uint32_t)(int32_t)model_signed_value(v, width);
	case MODEL_FLOAT: return width == 32 ? v : width < 10 ? 0 : model_widened_float(v, width);
	default: return v;
	}
}

/* --- stores --- */
/* The integer from low to high nearest to v, the even one of two. Products of a float and 16 bits are exact. */
static inline uint32_t model_nearest(double v, double low, double high)
{
	if (!(v > low))
		return (uint32_t)(int64_t)low;
	if (v >= high)
		return (uint32_t)(int64_t)high;
	const double below = floor(v), rest = v - below;
	const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);

	return (uint32_t)(int64_t)(below + up);
}

/* The greatest finite float without a sign that is not above a size: they are in order. */
static inline uint32_t model_float_below(double size, unsigned width)
{
	uint32_t low = 0, high = width == 16 ? 0x7bff : (31u << (width - 5)) - 1;

	while (low < high) {
		const uint32_t middle = (low + high + 1) / 2;
		if (model_small_float(middle, width) <= size)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Rounded to the nearest half, the even one of two. */
static inline uint32_t model_nearest_half(double v)
{
	const double size = fabs(v), first_beyond = 65520;
	const uint32_t sign = signbit(v) ? 0x8000 : 0, below = model_float_below(size, 16);
	const double at = model_small_float(below, 16), rest = 2 * (size - at),
		     gap = (below < 0x7bff ? model_small_float(below + 1, 16) : 65536) - at;

	if (v != v)
		return sign | 0x7e00;
	if (size >= first_beyond)
		return sign | 0x7c00;
	return sign | (below + (rest > gap || (rest == gap && below % 2)));
}

/* Rounded to zero. */
static inline uint32_t model_truncated_half(double v)
{
	const uint32_t sign = signbit(v) ? 0x8000 : 0;

	return v != v ? sign | 0x7e00 : isinf(v) ? sign | 0x7c00 : sign | model_float_below(fabs(v), 16);
}

/* Rounded to zero; negative values are 0. */
static inline uint32_t model_narrow_float(double v, unsigned width)
{
	const uint32_t infinite = 31u << (width - 5);

	if (v != v)
		return infinite + 1;
	return v == INFINITY ? infinite : v > 0 ? model_float_below(v, width) : 0;
}

/* NaN becomes 0. */
static inline uint32_t model_store_component(uint32_t bits, unsigned width, unsigned number)
{
	const double top = model_whole(width) - 1, signed_top = model_whole(width - 1) - 1,
		     v = (double)model_float(bits), s = model_signed_value(bits, 32), number_v = v != v ? 0 : v;

	switch (number) {
	case MODEL_UNORM: return model_nearest(number_v * top, 0, top);
	case MODEL_SNORM: return model_nearest(number_v * signed_top, -signed_top, signed_top);
	case MODEL_USCALED: return model_nearest(number_v, 0, top);
	case MODEL_SSCALED: return model_nearest(number_v, -signed_top - 1, signed_top);
	case MODEL_UINT: return (uint32_t)fmin(bits, top);
	case MODEL_SINT: return (uint32_t)(int32_t)fmax(-signed_top - 1, fmin(s, signed_top));
	default:
		return width == 32    ? bits
			: width == 16 ? model_nearest_half(v)
			: width < 10  ? 0
				      : model_narrow_float(v, width);
	}
}

/* Whether a component in memory is a NaN, of any payload. */
static inline bool model_is_small_nan(uint32_t v, unsigned width, unsigned number)
{
	return number == MODEL_FLOAT && width >= 10 &&
		(width == 32 ? model_is_nan(v) : isnan(model_small_float(v, width)));
}

#endif
