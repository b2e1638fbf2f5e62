/* Vega ISA, table 31: DST_SEL in bits 11:0, NUM_FORMAT in 14:12, DATA_FORMAT in 18:15 of the descriptor's last dword.
 */
#include "softgpu/core/memory/buffer_format.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "softgpu/isa/semantics_float.h"

enum { COMPONENTS = 4, EXPONENT_BITS = 5, EXPONENT_BIAS = 15 };
enum number_format { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7 };
enum { SELECTIONS = 0xfff, NUMBER_SHIFT = 12, DATA_SHIFT = 15, GFX11_FORMATS = 64 };
enum selection { SELECT_0, SELECT_1, SELECT_X = 4 };

static const uint8_t component_bits[16][COMPONENTS] = {
#define BUFFER_FORMAT(code, name, ...) [code] = {__VA_ARGS__},
#include "softgpu/isa/buffer_formats.def"
#undef BUFFER_FORMAT
};

uint32_t gfx11_buffer_word3(uint32_t word3)
{
	static const uint8_t formats[GFX11_FORMATS] = {
#define GFX11_BUFFER_FORMAT(code, data, number) [code] = (data) << (DATA_SHIFT - NUMBER_SHIFT) | (number),
#include "softgpu/isa/gfx11/gfx11_buffer_formats.def"
#undef GFX11_BUFFER_FORMAT
	};

	return (word3 & SELECTIONS) | (uint32_t)formats[word3 >> NUMBER_SHIFT & (GFX11_FORMATS - 1)] << NUMBER_SHIFT;
}

static const uint8_t *layout_of(uint32_t word3)
{
	return component_bits[word3 >> DATA_SHIFT & 15];
}

unsigned buffer_format_number(uint32_t word3)
{
	return word3 >> NUMBER_SHIFT & 7;
}

/* --- formats in instructions --- */
static uint32_t select_existing(uint32_t word3)
{
	const uint8_t *bits = layout_of(word3);

	for (unsigned k = 0; k < COMPONENTS; k++)
		word3 |= bits[k] ? (SELECT_X + k) << 3 * k : 0;
	return word3;
}

uint32_t typed_buffer_word3(unsigned format)
{
	return select_existing((format >> 4 & 7) << NUMBER_SHIFT | (format & 15) << DATA_SHIFT);
}

uint32_t gfx11_typed_buffer_word3(unsigned format)
{
	return format < GFX11_FORMATS ? select_existing(gfx11_buffer_word3(format << NUMBER_SHIFT)) : 0;
}

/* --- loads --- */
unsigned buffer_format_bytes(uint32_t word3)
{
	const uint8_t *bits = layout_of(word3);

	return (bits[0] + bits[1] + bits[2] + bits[3]) / 8u;
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
		return sign | f32_bits(ldexpf((float)fraction, 1 - EXPONENT_BIAS - (int)mantissa));
	return sign | (uint32_t)(exponent - EXPONENT_BIAS + 127) << 23 | fraction << (23 - mantissa);
}

static uint32_t convert_component(uint32_t v, unsigned bits, enum number_format format)
{
	const int32_t s = (int32_t)(v << (32 - bits)) >> (32 - bits);
	const double top = ldexp(1, (int)bits) - 1, signed_top = ldexp(1, (int)bits - 1) - 1;

	switch (format) {
	case UNORM: return f32_bits((float)(v / top));
	case SNORM: return f32_bits(s < -signed_top ? -1 : (float)(s / signed_top));
	case USCALED: return f32_bits((float)v);
	case SSCALED: return f32_bits((float)s);
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
	const enum number_format format = buffer_format_number(word3);

	return format == UINT || format == SINT ? 1 : f32_bits(1);
}

void buffer_format_decode_layout(const uint8_t bits[4], uint32_t word3, const void *element, uint32_t out[4])
{
	const enum number_format format = buffer_format_number(word3);
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
		return f32_to_f16_nearest(bits_f32(bits));
	if (width < 10 || (bits >> 31 && bits_f32(bits) == bits_f32(bits)))
		return 0;
	return (uint32_t)(f32_to_f16_truncated(bits_f32(bits)) & 0x7fff) >> (15 - width);
}

static uint32_t encode_component(uint32_t bits, unsigned width, enum number_format number)
{
	const double v = bits_f32(bits), top = ldexp(1, (int)width) - 1, signed_top = ldexp(1, (int)width - 1) - 1;
	const int32_t s = (int32_t)bits;

	switch (number) {
	case UNORM: return (uint32_t)nearbyint(clamped(v, 0, 1) * top);
	case SNORM: return (uint32_t)(int32_t)nearbyint((v == v ? clamped(v, -1, 1) : 0) * signed_top);
	case USCALED: return (uint32_t)nearbyint(clamped(v, 0, top));
	case SSCALED: return (uint32_t)(int64_t)nearbyint(v == v ? clamped(v, -signed_top - 1, signed_top) : 0);
	case UINT: return (uint32_t)(bits < top ? bits : top);
	case SINT: return (uint32_t)(int32_t)clamped(s, -signed_top - 1, signed_top);
	default: return narrow_float(bits, width);
	}
}

void buffer_format_encode_layout(const uint8_t bits[4], unsigned number, const uint32_t component[4], void *element)
{
	uint32_t word[BUFFER_ELEMENT_MAX / 4] = {0};

	for (unsigned k = 0, at = 0; k < COMPONENTS; at += bits[k++]) {
		if (!bits[k])
			continue;
		const uint32_t mask = (uint32_t)((UINT64_C(1) << bits[k]) - 1);
		word[at / 32] |= (encode_component(component[k], bits[k], number) & mask) << at % 32;
	}
	memcpy(element, word, (bits[0] + bits[1] + bits[2] + bits[3]) / 8u);
}

void buffer_format_encode(uint32_t word3, const uint32_t in[4], void *element)
{
	uint32_t component[COMPONENTS] = {0};

	for (unsigned k = COMPONENTS; k-- > 0;) { /* the first of several counts */
		const unsigned select = word3 >> 3 * k & 7;
		if (select >= SELECT_X)
			component[select - SELECT_X] = in[k];
	}
	buffer_format_encode_layout(layout_of(word3), buffer_format_number(word3), component, element);
}

/* --- components of 16 bits --- */
static bool is_integer_number(unsigned number)
{
	return number == UINT || number == SINT;
}

/* "Conversion of float32 to float16 uses truncation; conversion of other input data formats uses round-to-nearest-even"
 * (RDNA3.5 ISA 9.3.1; earlier guides do not say). Of an integer the low bits remain. */
uint32_t buffer_format_narrow(uint32_t word3, uint32_t component)
{
	const unsigned number = buffer_format_number(word3);

	if (is_integer_number(number))
		return component & 0xffff;
	if (number == FLOAT && layout_of(word3)[0] == 32)
		return f32_to_f16_truncated(bits_f32(component));
	return f32_to_f16_nearest(bits_f32(component));
}

uint32_t buffer_format_widen(unsigned number, uint32_t half)
{
	if (!is_integer_number(number))
		return f32_bits(f16_to_f32((uint16_t)half));
	return number == SINT ? (uint32_t)(int32_t)(int16_t)half : half & 0xffff;
}
