#include "softgpu/core/image/image_sample.h"

#include <math.h>
#include <string.h>

#include "softgpu/core/image/texel_format.h"

/* Coordinates have 8 bits below the texel, and so do weights: Mesa's RADV reports subTexelPrecisionBits 8 for GCN. */
enum { FRACTION_BITS = 8, ONE = 1 << FRACTION_BITS };
enum { SELECT_1 = 1, SELECT_X = 4 };

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

/* --- coordinates --- */
/* In fixed point. Infinite ones and NaN become the nearest that fits, and 0. */
static int64_t fixed_coordinate(const struct sampler *s, float at, uint32_t size, int offset)
{
	const double limit = (double)(INT64_C(1) << 40), texels = (s->unnormalized ? 1.0 : size) * (double)at;
	const double v = texels > -limit ? texels < limit ? texels : limit : texels == texels ? -limit : 0;

	return (int64_t)(s->truncates ? floor(v * ONE) : nearbyint(v * ONE)) + (int64_t)offset * ONE;
}

/* Modes that clamp the coordinate itself: then at most half of a blend is the border color. */
static int64_t clamp_coordinate(enum image_clamp mode, int64_t v, uint32_t size)
{
	const int64_t end = (int64_t)size * ONE;

	if (mode == CLAMP_MIRROR_ONCE_HALF_BORDER)
		v = v < 0 ? -v : v;
	else if (mode != CLAMP_HALF_BORDER)
		return v;
	return v < 0 ? 0 : v > end ? end : v;
}

/* No border at 0: the texels before it are those after it (EXT_texture_mirror_clamp). */
static bool mirrors_once(enum image_clamp mode)
{
	return mode == CLAMP_MIRROR_ONCE_LAST_TEXEL || mode == CLAMP_MIRROR_ONCE_HALF_BORDER ||
		mode == CLAMP_MIRROR_ONCE_BORDER;
}

/* The texel for an index, which may be outside. False: the border color. */
static bool wrap_index(enum image_clamp mode, int64_t n, uint32_t size, uint32_t *out)
{
	const int64_t count = size, period = 2 * count;

	if (mode == CLAMP_WRAP) {
		n = (n % count + count) % count;
	} else if (mode == CLAMP_MIRROR) {
		n = (n % period + period) % period;
		n = n < count ? n : period - 1 - n;
	} else if (mirrors_once(mode)) {
		n = n < 0 ? -1 - n : n;
	}
	if (mode == CLAMP_LAST_TEXEL || mode == CLAMP_MIRROR_ONCE_LAST_TEXEL)
		n = n < 0 ? 0 : n >= count ? count - 1 : n;
	*out = (uint32_t)n;
	return n >= 0 && n < count;
}

/* --- texels --- */
void image_choose_filter(const struct image *i, const struct sampler *s, bool minified, bool linear[3])
{
	for (unsigned k = 0; k < 3; k++)
		linear[k] = k < i->dimensions && s->linear[minified][k] && !texel_format_is_integer(i->number);
}

static uint32_t nearest_layer(const struct image *i, float layer)
{
	const double n = nearbyint((double)layer), last = i->layers - 1.0;

	return (uint32_t)(n > 0 ? n < last ? n : last : 0);
}

/* Makes two texels of each one. */
static void split_texels(struct sample_texels *t, double fraction)
{
	for (unsigned n = 0; n < t->count; n++) {
		t->weight[t->count + n] = t->weight[n] * fraction;
		t->weight[n] *= 1 - fraction;
		memcpy(t->at[t->count + n], t->at[n], sizeof t->at[n]);
	}
	t->border |= (uint8_t)(t->border << t->count);
	t->count *= 2;
}

void image_find_texels(const struct image *i, const struct sampler *s, const bool linear[3],
	const struct sample_position *p, struct sample_texels *out)
{
	*out = (struct sample_texels){.count = 1, .weight = {1}, .layer = i->is_array ? nearest_layer(i, p->layer) : 0};
	for (unsigned k = 0; k < i->dimensions; k++) {
		const enum image_clamp mode = s->clamp[k];
		int64_t v = clamp_coordinate(mode, fixed_coordinate(s, p->at[k], i->size[k], p->offset[k]), i->size[k]);
		const unsigned before = out->count;
		if (linear[k]) {
			v -= ONE / 2;
			split_texels(out, (double)(v & (ONE - 1)) / ONE);
		}
		for (unsigned n = 0; n < out->count; n++)
			if (!wrap_index(mode, (v >> FRACTION_BITS) + (n >= before), i->size[k], &out->at[n][k]))
				out->border |= (uint8_t)(1u << n);
	}
}

/* --- values --- */
void image_border_color(const struct image *i, const struct sampler *s, uint32_t out[4])
{
	const uint32_t one = texel_format_is_integer(i->number) ? 1 : bits_of(1);

	for (unsigned k = 0; k < 4; k++)
		out[k] = s->border == BORDER_OPAQUE_WHITE ? one : 0;
	out[i->border_alpha] = s->border == BORDER_TRANSPARENT_BLACK ? 0 : one;
}

uint32_t image_compare(const struct image *i, const struct sampler *s, uint32_t component, uint32_t reference)
{
	enum { LESS = 1, EQUAL = 2, GREATER = 4, ALWAYS = 7 };
	float r = float_of(reference), v = float_of(component);

	if (texel_format_is_unorm(i->number))
		r = r > 0 ? r < 1 ? r : 1 : 0;
	const unsigned relation = r < v ? LESS : r > v ? GREATER : r == v ? EQUAL : 0;
	return bits_of(s->compare == ALWAYS || s->compare & relation ? 1 : 0);
}

void image_blend(const struct sample_texels *t, uint32_t component[][4], uint32_t out[4])
{
	if (t->count == 1) {
		memcpy(out, component[0], 4 * sizeof *out);
		return;
	}
	for (unsigned k = 0; k < 4; k++) {
		double sum = 0;
		for (unsigned n = 0; n < t->count; n++)
			if (t->weight[n] != 0) /* an infinite texel without weight does not count */
				sum += t->weight[n] * (double)float_of(component[n][k]);
		out[k] = bits_of((float)sum);
	}
}

void image_select(const struct image *i, const uint32_t component[4], uint32_t out[4])
{
	const uint32_t one = texel_format_is_integer(i->number) ? 1 : bits_of(1);

	for (unsigned k = 0; k < 4; k++) {
		const unsigned select = i->selections >> 3 * k & 7;
		out[k] = select >= SELECT_X ? component[select - SELECT_X] : select == SELECT_1 ? one : 0;
	}
}

void image_unselect(const struct image *i, const uint32_t in[4], uint32_t component[4])
{
	memset(component, 0, 4 * sizeof *component);
	for (unsigned k = 4; k-- > 0;) {
		const unsigned select = i->selections >> 3 * k & 7;
		if (select >= SELECT_X)
			component[select - SELECT_X] = in[k];
	}
}
