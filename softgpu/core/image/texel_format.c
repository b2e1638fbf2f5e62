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
#include "softgpu/isa/buffer_formats.def"
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

bool texel_format_is_unorm(unsigned number)
{
	return number == UNORM || number == SRGB;
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
		const double v = bits_f32(out[k]) / (ldexp(1, width[k]) - 1);
		if (width[k])
			out[k] = f32_bits((float)(k < 3 ? linear_of_srgb(v) : v));
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

void texel_encode(unsigned data, unsigned number, const uint32_t component[4], void *texel)
{
	/* stores do not convert colors */
	buffer_format_encode_layout(widths[data % FORMATS], number == SRGB ? UNORM : number, component, texel);
}
