#include "softgpu/core/image/texel_format.h"

#include <math.h>
#include <string.h>

#include "softgpu/core/memory/buffer_format.h"
#include "softgpu/isa/semantics_float.h"

enum { COMPONENTS = 4, FORMATS = 64, BUFFER_FORMATS = 16 };
enum number_format { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7, SRGB = 9 };

static const uint8_t widths[FORMATS][COMPONENTS] = {
#define BUFFER_FORMAT(code, name, ...) [code] = {__VA_ARGS__},
#define TEXEL_FORMAT                   BUFFER_FORMAT
#include "softgpu/core/memory/buffer_formats.def"
#include "softgpu/core/image/texel_formats.def"
#undef TEXEL_FORMAT
#undef BUFFER_FORMAT
};

uint8_t texel_format_bytes(unsigned data, unsigned number)
{
	const uint8_t *w = widths[data % FORMATS];

	if (number > FLOAT && number != SRGB)
		return 0;
	return (uint8_t)((w[0] + w[1] + w[2] + w[3]) / 8);
}

bool texel_format_is_integer(unsigned number)
{
	return number == UINT || number == SINT;
}

bool texel_format_is_signed(unsigned number)
{
	return number == SINT;
}

bool texel_format_is_unorm(unsigned number)
{
	return number == UNORM || number == SRGB;
}

static float float_of(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

static uint32_t bits_of(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* IEC 61966-2-1 */
static double linear_of_srgb(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Colors as integers to linear ones, rounded once; the alpha is linear in memory too. */
static void decode_srgb(const uint8_t width[COMPONENTS], uint32_t out[COMPONENTS])
{
	for (unsigned k = 0; k < COMPONENTS; k++) {
		const double v = float_of(out[k]) / (ldexp(1, width[k]) - 1);
		if (width[k])
			out[k] = bits_of((float)(k < 3 ? linear_of_srgb(v) : v));
	}
}

void texel_decode(unsigned data, unsigned number, const void *texel, uint32_t out[4])
{
	enum { IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9 };
	const unsigned plain = number == SRGB ? USCALED : number;

	buffer_format_decode_layout(widths[data % FORMATS], IDENTITY | plain << 12, texel, out);
	if (number == SRGB)
		decode_srgb(widths[data % FORMATS], out);
}

/* --- stores --- */
static double clamped(double v, double low, double high)
{
	return v > low ? v < high ? v : high : low; /* NaN: low */
}

/* Floats of 10 and 11 bits are halves without a sign and with fewer bits of the mantissa. */
static uint32_t narrow_float(uint32_t bits, unsigned width)
{
	if (width == 32)
		return bits;
	if (width == 16)
		return f32_to_f16_nearest(float_of(bits));
	if (width < 10 || (bits >> 31 && float_of(bits) == float_of(bits)))
		return 0;
	return (uint32_t)(f32_to_f16_truncated(float_of(bits)) & 0x7fff) >> (15 - width);
}

static uint32_t encode_component(uint32_t bits, unsigned width, enum number_format number)
{
	const double v = float_of(bits), top = ldexp(1, (int)width) - 1, signed_top = ldexp(1, (int)width - 1) - 1;
	const int32_t s = (int32_t)bits;

	switch (number) {
	case UNORM:
	case SRGB: return (uint32_t)nearbyint(clamped(v, 0, 1) * top);
	case SNORM: return (uint32_t)(int32_t)nearbyint((v == v ? clamped(v, -1, 1) : 0) * signed_top);
	case USCALED: return (uint32_t)nearbyint(clamped(v, 0, top));
	case SSCALED: return (uint32_t)(int64_t)nearbyint(v == v ? clamped(v, -signed_top - 1, signed_top) : 0);
	case UINT: return (uint32_t)(bits < top ? bits : top);
	case SINT: return (uint32_t)(int32_t)clamped(s, -signed_top - 1, signed_top);
	default: return narrow_float(bits, width);
	}
}

void texel_encode(unsigned data, unsigned number, const uint32_t component[4], void *texel)
{
	const uint8_t *w = widths[data % FORMATS];
	uint32_t word[TEXEL_MAX_BYTES / 4] = {0};

	for (unsigned k = 0, at = 0; k < COMPONENTS; at += w[k++]) {
		if (!w[k])
			continue;
		const uint32_t mask = (uint32_t)((UINT64_C(1) << w[k]) - 1);
		word[at / 32] |= (encode_component(component[k], w[k], number) & mask) << at % 32;
	}
	memcpy(texel, word, texel_format_bytes(data, number));
}
