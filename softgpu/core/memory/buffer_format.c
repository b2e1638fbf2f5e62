/* Vega ISA, table 31: DST_SEL in bits 11:0, NUM_FORMAT in 14:12, DATA_FORMAT in 18:15 of the descriptor's last dword.
 */
#include "softgpu/core/memory/buffer_format.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { COMPONENTS = 4, EXPONENT_BITS = 5, EXPONENT_BIAS = 15 };
enum number_format { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7 };
enum { SELECTIONS = 0xfff, NUMBER_SHIFT = 12, DATA_SHIFT = 15, GFX11_FORMATS = 64 };
enum selection { SELECT_0, SELECT_1, SELECT_X = 4 };

static const uint8_t component_bits[16][COMPONENTS] = {
#define BUFFER_FORMAT(code, name, ...) [code] = {__VA_ARGS__},
#include "softgpu/core/memory/buffer_formats.def"
#undef BUFFER_FORMAT
};

uint32_t gfx11_buffer_word3(uint32_t word3)
{
	static const uint8_t formats[GFX11_FORMATS] = {
#define GFX11_BUFFER_FORMAT(code, data, number) [code] = (data) << (DATA_SHIFT - NUMBER_SHIFT) | (number),
#include "softgpu/core/memory/gfx11_buffer_formats.def"
#undef GFX11_BUFFER_FORMAT
	};

	return (word3 & SELECTIONS) | (uint32_t)formats[word3 >> NUMBER_SHIFT & (GFX11_FORMATS - 1)] << NUMBER_SHIFT;
}

static const uint8_t *layout_of(uint32_t word3)
{
	return component_bits[word3 >> 15 & 15];
}

unsigned buffer_format_bytes(uint32_t word3)
{
	const uint8_t *bits = layout_of(word3);

	return (bits[0] + bits[1] + bits[2] + bits[3]) / 8u;
}

static uint32_t bits_of_float(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* A float of 10, 11 (without sign) or 16 bits. NaNs keep their payload. */
static uint32_t widen_float(uint32_t v, unsigned bits)
{
	const unsigned mantissa = bits == 16 ? 10 : bits - EXPONENT_BITS;
	const uint32_t sign = bits == 16 ? v >> 15 << 31 : 0, fraction = v & ((1u << mantissa) - 1);
	const int exponent = v >> mantissa & ((1u << EXPONENT_BITS) - 1);

	if (exponent == (1 << EXPONENT_BITS) - 1)
		return sign | 0x7f800000 | fraction << (23 - mantissa);
	if (!exponent)
		return sign | bits_of_float(ldexpf((float)fraction, 1 - EXPONENT_BIAS - (int)mantissa));
	return sign | (uint32_t)(exponent - EXPONENT_BIAS + 127) << 23 | fraction << (23 - mantissa);
}

static uint32_t convert_component(uint32_t v, unsigned bits, enum number_format format)
{
	const int32_t s = (int32_t)(v << (32 - bits)) >> (32 - bits);
	const double top = ldexp(1, (int)bits) - 1, signed_top = ldexp(1, (int)bits - 1) - 1;

	switch (format) {
	case UNORM: return bits_of_float((float)(v / top));
	case SNORM: return bits_of_float(s < -signed_top ? -1 : (float)(s / signed_top));
	case USCALED: return bits_of_float((float)v);
	case SSCALED: return bits_of_float((float)s);
	case SINT: return (uint32_t)s;
	case FLOAT: return bits == 32 ? v : bits < 10 ? 0 : widen_float(v, bits);
	default: return v;
	}
}

/* `bits` bits from bit `at` on. No component crosses a dword. */
static uint32_t extract_component(const uint32_t *word, unsigned at, unsigned bits)
{
	return word[at / 32] >> at % 32 & (bits == 32 ? UINT32_MAX : (1u << bits) - 1);
}

/* A constant 1 in the number format. */
static uint32_t one_of_format(uint32_t word3)
{
	const enum number_format format = word3 >> NUMBER_SHIFT & 7;

	return format == UINT || format == SINT ? 1 : bits_of_float(1);
}

void buffer_format_decode_layout(const uint8_t bits[4], uint32_t word3, const void *element, uint32_t out[4])
{
	const enum number_format format = word3 >> NUMBER_SHIFT & 7;
	const uint32_t one = one_of_format(word3);
	uint32_t word[BUFFER_ELEMENT_MAX / 4] = {0}, component[COMPONENTS] = {0, 0, 0, one};

	memcpy(word, element, (bits[0] + bits[1] + bits[2] + bits[3]) / 8u);
	for (unsigned k = 0, at = 0; k < COMPONENTS; at += bits[k++])
		if (bits[k])
			component[k] = convert_component(extract_component(word, at, bits[k]), bits[k], format);
	for (unsigned k = 0; k < COMPONENTS; k++) {
		const unsigned select = word3 >> 3 * k & 7;
		out[k] = select >= SELECT_X ? component[select - SELECT_X] : select == SELECT_1 ? one : 0;
	}
}

void buffer_format_decode(uint32_t word3, const void *element, uint32_t out[4])
{
	buffer_format_decode_layout(layout_of(word3), word3, element, out);
}

void buffer_format_decode_outside(uint32_t word3, uint32_t out[4])
{
	for (unsigned k = 0; k < COMPONENTS; k++)
		out[k] = (word3 >> 3 * k & 7) == SELECT_1 ? one_of_format(word3) : 0;
}
